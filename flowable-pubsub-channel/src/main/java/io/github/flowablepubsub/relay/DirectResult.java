package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a try to correlate a message without a row came to. */
sealed interface DirectResult {

    /** Committed with its row. */
    record Done(InboxRow row, RowChange change) implements DirectResult {}

    /**
     * Its row had been there.
     *
     * @param messageId as the row has it
     * @param conflict its body is another one, which the channel ignores
     */
    record Duplicate(String messageId, boolean conflict) implements DirectResult {}

    /**
     * Rolled back; only Pub/Sub can bring it again.
     *
     * @param detail may quote the message, unlike the reason
     * @param failure null when nothing failed
     */
    record Rejected(Reason reason, String detail, @Nullable Throwable failure) implements DirectResult {}

    /** Rolled back; to be tried again after a pause, as it is soon over. */
    record Busy(Rejected why, Duration pause) implements DirectResult {}

    /** Rolled back; the database does not answer. */
    record Away(Throwable failure) implements DirectResult {}

    /** Given back without a word: this node does not know the channel any more, or failed in a way that it should not. */
    record Unknown() implements DirectResult {}
}
