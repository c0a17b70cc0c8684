package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.ChannelPolicy;
import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.Order;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.MessageMapper.Awaiting;
import io.github.flowablepubsub.inbox.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Walks over the waiting rows, a page at a time, for those that nobody will wake: a crash swallowed the wake-up, or what held
 * them back was finished or deleted by SQL. Confined to the sweeping thread.
 */
final class ForgottenRows {

    /** Waiting rows that one step looks at. */
    static final int PAGE = 5000;

    private final InboxTransactions transactions;
    private final ChannelRegistry channels;
    private final LaneQueue lanes;
    private final Walk missed = new Walk(Reason.NO_MATCH);
    private final Walk suspended = new Walk(Reason.SUSPENDED);
    private final Walk orphans = new Walk(Reason.HELD_BACK);

    private final MessageWaits messages;

    ForgottenRows(InboxTransactions transactions, ChannelRegistry channels, LaneQueue lanes) {
        this.transactions = transactions;
        this.channels = channels;
        this.lanes = lanes;
        this.messages = new MessageWaits(transactions);
    }

    private final class Walk {
        private final Reason reason;
        private long after;
        private boolean begun;

        Walk(Reason reason) {
            this.reason = reason;
        }

        List<WaitingRow> step(InboxSession session) {
            Long end = session.due().pageEnd(reason, after, PAGE);
            begun = end != null;
            long from = after;
            after = end == null ? 0 : end;
            if (end == null) {
                return List.of();
            }
            return switch (reason) {
                case NO_MATCH -> session.due().missedWakeUps(from, end);
                case SUSPENDED -> session.suspended().activated(from, end);
                default -> orphans(session, from, end);
            };
        }
    }

    private List<WaitingRow> orphans(InboxSession session, long after, long end) {
        Map<Rule, List<ChannelId>> special = channels.all().stream()
                .filter(channel -> !Hold.plain(channel.config().policy()))
                .collect(Collectors.groupingBy(
                        channel -> Rule.of(channel.config().policy()),
                        Collectors.mapping(RegisteredChannel::id, Collectors.toList())));
        List<ChannelId> except = special.values().stream().flatMap(List::stream).toList();
        List<WaitingRow> rows = new ArrayList<>(session.held().orphans(after, end, except));
        special.forEach((rule, ids) ->
                rows.addAll(session.held().orphansOf(after, end, ids, rule.strict(), rule.parkedHolds())));
        return rows;
    }

    /** What holds back in a channel where it is more than a waiting row of the same event. */
    private record Rule(boolean strict, boolean parkedHolds) {
        static Rule of(ChannelPolicy policy) {
            return new Rule(
                    policy.order().by() == Order.By.STRICT, policy.parking().laterMessagesWait());
        }
    }

    /**
     * The next page of each walk.
     *
     * @param begin false to go on only with walks that have begun and are not through
     */
    void step(boolean begin) {
        for (Walk walk : List.of(missed, suspended)) {
            if (begin || walk.begun) {
                List<WaitingRow> rows = transactions.call(walk::step);
                transactions.call(session -> session.due()
                        .openUnlocked(rows.stream().map(WaitingRow::id).toList()));
                rows.forEach(row -> lanes.offer(row.lane()));
            }
        }
        if (begin || messages.hasBegun()) {
            messages();
        }
        if (begin || orphans.begun) {
            transactions.call(orphans::step).forEach(row -> lanes.offer(row.lane()));
        }
    }

    /**
     * From the other end: a row does not say which value of which variable it waits for, so that it is the receivers that are
     * walked over.
     */
    private void messages() {
        Set<String> variables = channels.correlationVariables();
        Set<Awaiting> page = variables.isEmpty() ? null : messages.nextPage(variables);
        if (page != null) {
            page.forEach(awaiting -> {
                List<WaitingRow> rows = transactions.call(
                        session -> session.due().waitingFor(awaiting.messageName(), awaiting.configuration(), 0, PAGE));
                transactions.call(session -> session.due()
                        .openUnlocked(rows.stream().map(WaitingRow::id).toList()));
                rows.forEach(row -> lanes.offer(row.lane()));
            });
        }
    }
}
