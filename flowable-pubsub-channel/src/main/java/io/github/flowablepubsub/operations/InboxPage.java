package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.inbox.InboxMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of messages, as one statement found them.
 *
 * @param messages in the order of their receipt, or the other way round
 * @param next what to ask for the next page with, null when this is the last one
 */
public record InboxPage(List<InboxMessage> messages, @Nullable Long next) {

    /** Takes a copy. */
    public InboxPage {
        messages = List.copyOf(messages);
    }

    static InboxPage of(List<InboxMessage> messages, int limit) {
        return new InboxPage(
                messages,
                messages.size() < limit
                        ? null
                        : messages.get(messages.size() - 1).id());
    }
}
