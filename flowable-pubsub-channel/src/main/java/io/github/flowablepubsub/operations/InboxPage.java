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

    /** Of one message more than the page may have, which tells whether there is another page. */
    static InboxPage of(List<InboxMessage> messages, int limit) {
        return messages.size() <= limit
                ? new InboxPage(messages, null)
                : new InboxPage(
                        messages.subList(0, limit), messages.get(limit - 1).id());
    }
}
