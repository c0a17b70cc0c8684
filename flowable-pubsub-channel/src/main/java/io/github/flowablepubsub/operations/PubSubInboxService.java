package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.inbox.HeldMapper.Mark;
import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.InboxMessage.Seen;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Payload;
import io.github.flowablepubsub.inbox.RetentionMapper.Content;
import io.github.flowablepubsub.relay.Repair;
import io.github.flowablepubsub.relay.RepairResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with messages: look, understand why one is where it is, and act. In Spring a bean, else from {@code
 * PubSubRuntime.inbox()}. Each call is a transaction of its own, whatever the caller has; of many messages each is one. Thread
 * safe.
 *
 * <p>Looks read no bodies and take no locks; by state they go through an index, up to a page.
 *
 * <p>What is done to a message is done to it as it was seen ({@link InboxMessage#seen()}): one that has changed since then is
 * reported, not overwritten. Whoever does it is kept in its row ({@link InboxMessage#finishedBy()}), logged, and told to
 * listeners. A message that is open or waits is changed between two looks of the relay only, which may take up to {@code 5 s}.
 * A database that does not answer comes out as an exception; nothing was done then.
 */
public final class PubSubInboxService {

    /** Messages that a page may have. */
    public static final int MAX_PAGE = 1000;

    private final InboxTransactions transactions;
    private final ChannelRegistry channels;
    private final Repair repair;
    private final BulkRepair bulk;

    /**
     * @param transactions on the engine's database
     * @param channels that this node knows
     * @param repair changes single messages
     * @param sweepInterval of relays: whoever retries many waits for them
     */
    public PubSubInboxService(
            InboxTransactions transactions, ChannelRegistry channels, Repair repair, Duration sweepInterval) {
        this.transactions = transactions;
        this.channels = channels;
        this.repair = repair;
        this.bulk = new BulkRepair(transactions, repair, sweepInterval);
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
        return InboxPage.of(transactions.call(session -> session.looks().page(filter, after, false, limit + 1)), limit);
    }

    /**
     * The same, the newest first.
     *
     * @param before {@link InboxPage#next()} of the page before, {@link Long#MAX_VALUE} for the first one
     * @throws IllegalArgumentException when the limit is out of range
     */
    public InboxPage findNewest(InboxFilter filter, long before, int limit) {
        requireLimit(limit);
        return InboxPage.of(transactions.call(session -> session.looks().page(filter, before, true, limit + 1)), limit);
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

    /**
     * Tries a message again, as if it were new: with a fresh time to live, and failures forgotten. One that is parked, waits
     * for a subscription or an activation, or backs off.
     *
     * @param actor who does it
     * @throws IllegalArgumentException without an actor
     */
    public RepairResult retry(Seen seen, String actor) {
        return repair.retry(seen, actor, Repair.PATIENCE);
    }

    /**
     * Discards an unfinished message: it is never delivered. Its row stays for {@code policy.deduplication.window}, with its
     * business key.
     *
     * @param actor who does it
     * @param why kept in {@link InboxMessage#error()}, before what stood there
     * @throws IllegalArgumentException without an actor or a reason
     */
    public RepairResult discard(Seen seen, String actor, String why) {
        return repair.discard(seen, actor, why, Repair.PATIENCE);
    }

    /**
     * Takes a message that is open or waits out of the way: parked, with its dead-letter job. What stood in {@link
     * InboxMessage#error()} is kept behind the reason, unless it may quote the body.
     *
     * @param actor who does it
     * @param why kept in {@link InboxMessage#error()}
     * @throws IllegalArgumentException without an actor or a reason
     */
    public RepairResult park(Seen seen, String actor, String why) {
        return repair.park(seen, actor, why);
    }

    /**
     * Delivers a parked message to one receiver, whatever the channel's cardinality: the way out for one that is ambiguous.
     * Delivery and {@code DONE} are one transaction. Nobody else gets it, receivers of other definitions included.
     *
     * @param receiver id of its execution, or of its process instance if that waits once; in cases of its plan item instance, or
     *     case instance
     * @param actor who does it
     * @return refused when the receiver does not wait for this message any more, is suspended, or its process fails
     * @throws IllegalArgumentException without an actor or a receiver
     */
    public RepairResult deliver(Seen seen, String receiver, String actor) {
        return repair.deliver(seen, receiver, actor);
    }

    /** {@link #retryAll(InboxFilter, long, int, String)} from the first to the last. */
    public InboxBulk retryAll(InboxFilter filter, String actor) {
        return bulk.retry(filter, 0, Integer.MAX_VALUE, actor);
    }

    /**
     * Tries again what fits, in the order of its receipt, and returns when it was opened. No more than {@value
     * BulkRepair#AT_ONCE} are due at a time: more are opened as relays have looked at half of them, so that new messages are not
     * behind thousands of old ones. When relays look at none of them for four sweep intervals, a minute at most, it ends early. Messages that
     * are stored meanwhile are not among them.
     *
     * @param filter its states as far as they are not final
     * @param after {@link InboxBulk#next()} of the call before, 0 for the first one
     * @param max go through no more than so many messages in this call
     * @param actor who does it
     * @throws IllegalArgumentException without an actor, or when the filter names final states only
     */
    public InboxBulk retryAll(InboxFilter filter, long after, int max, String actor) {
        return bulk.retry(filter, after, max, actor);
    }

    /**
     * Discards what fits, see {@link #discard}, in the order of its receipt.
     *
     * @param filter its states as far as they are not final
     * @param after {@link InboxBulk#next()} of the call before, 0 for the first one
     * @param max go through no more than so many messages in this call
     * @param actor who does it
     * @param why kept with each of them
     * @throws IllegalArgumentException without an actor or a reason, or when the filter names final states only
     */
    public InboxBulk discardAll(InboxFilter filter, long after, int max, String actor, String why) {
        return bulk.discard(filter, after, max, actor, why);
    }
}
