package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.inbox.HeldMapper.Mark;
import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Payload;
import io.github.flowablepubsub.inbox.RetentionMapper.Content;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with messages: look, and understand why one is where it is. In Spring a bean, else from {@code
 * PubSubRuntime.inbox()}. Each call is a transaction of its own, whatever the caller has. Thread safe.
 *
 * <p>Looks read no bodies and take no locks; by state they go through an index, up to a page.
 */
public final class PubSubInboxService {

    /** Messages that a page may have. */
    public static final int MAX_PAGE = 1000;

    private final InboxTransactions transactions;
    private final ChannelRegistry channels;

    /**
     * @param transactions on the engine's database
     * @param channels that this node knows
     */
    public PubSubInboxService(InboxTransactions transactions, ChannelRegistry channels) {
        this.transactions = transactions;
        this.channels = channels;
    }

    /**
     * Messages that fit, in the order of their receipt.
     *
     * @param after {@link InboxPage#next()} of the page before, 0 for the first one
     * @param limit 1 to {@value #MAX_PAGE}
     * @throws IllegalArgumentException when the limit is out of range
     */
    public InboxPage find(InboxFilter filter, long after, int limit) {
        requireLimit(limit);
        return InboxPage.of(transactions.call(session -> session.looks().page(filter, after, false, limit)), limit);
    }

    /**
     * The same, the newest first.
     *
     * @param before {@link InboxPage#next()} of the page before, {@link Long#MAX_VALUE} for the first one
     * @throws IllegalArgumentException when the limit is out of range
     */
    public InboxPage findNewest(InboxFilter filter, long before, int limit) {
        requireLimit(limit);
        return InboxPage.of(transactions.call(session -> session.looks().page(filter, before, true, limit)), limit);
    }

    private static void requireLimit(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException(
                    "A page of inbox messages has a limit of " + limit + ", allowed: 1 to " + MAX_PAGE);
        }
    }

    /** One message, by the id of its row. */
    public Optional<InboxMessage> get(long id) {
        return Optional.ofNullable(transactions.call(session -> session.looks().message(id)));
    }

    /** Body and attributes of a message, by the id of its row: whoever shows them decides who may see them. */
    public Optional<InboxContent> content(long id) {
        Content found = transactions.call(session -> session.looks().content(id));
        return Optional.ofNullable(found)
                .map(content ->
                        new InboxContent(new Payload(content.payload(), content.payloadBytes()), content.attributes()));
    }

    /** How many unfinished messages there are, by channel, state and reason; see {@link InboxGroups#LIMIT}. */
    public InboxGroups groups() {
        return InboxGroups.of(transactions.call(session -> session.looks().groups(InboxGroups.LIMIT)));
    }

    /**
     * Why a message is where it is, and what to do next: a sentence each. Never quotes the body.
     *
     * @param id of its row
     * @return empty when there is no such row
     */
    public List<String> explain(long id) {
        return transactions.call(session -> {
            InboxMessage message = session.looks().message(id);
            return message == null ? List.of() : explain(session, message);
        });
    }

    private List<String> explain(InboxSession session, InboxMessage message) {
        List<Mark> before = session.looks().before(message.lane(), message);
        Explanation explanation =
                new Explanation(message, channels.find(message.channel()).orElse(null), before);
        Mark blocker = explanation.blocker();
        @Nullable InboxMessage held = blocker == null ? null : session.looks().message(blocker.id());
        return explanation.sentences(held);
    }
}
