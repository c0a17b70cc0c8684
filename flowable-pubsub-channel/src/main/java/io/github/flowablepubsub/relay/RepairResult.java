package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.MessageState;
import org.jspecify.annotations.Nullable;

/** What became of what an operator wanted of one message. */
public sealed interface RepairResult {

    /** The message's row. */
    long id();

    /**
     * Done, and committed.
     *
     * @param state of the message right after it
     */
    record Done(long id, MessageState state) implements RepairResult {}

    /**
     * The message has changed since it was seen; nothing was done. Look again.
     *
     * @param state that it has now, null when its row is gone
     */
    record NotAsSeen(long id, @Nullable MessageState state) implements RepairResult {}

    /**
     * It can't be done; nothing was.
     *
     * @param why in words, without anything of the body
     */
    record Refused(long id, String why) implements RepairResult {}

    /**
     * Messages of its key are in work for too long, or the database gave way; nothing was done. Try again.
     *
     * @param why in words
     */
    record Busy(long id, String why) implements RepairResult {}
}
