package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Lane;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds due lanes in the table: what other nodes stored, retries, repairs by SQL, expired and forgotten rows. The oldest
 * due rows first; when they fill the page, a walk over the keys from where the last one ended as well, so that neither the
 * backlog of one key nor many keys that can't go on hide the others. The cost of a pass is bounded (rule R9).
 */
final class Sweep {

    /** Rows that one pass reads per channel and kind. */
    static final int PAGE = 200;

    private static final int WALK = 50;

    private final InboxTransactions transactions;
    private final LaneQueue lanes;
    private final Map<ChannelId, String> cursors = new ConcurrentHashMap<>();
    private long missedAfter;
    private long orphansAfter;

    Sweep(InboxTransactions transactions, LaneQueue lanes) {
        this.transactions = transactions;
        this.lanes = lanes;
    }

    /**
     * One pass over a channel.
     *
     * @return whether there may be more than one page
     */
    boolean due(ChannelId channel) {
        Set<String> keys = new LinkedHashSet<>();
        boolean more = transactions.call(session -> {
            List<String> due = session.due().dueOrderKeys(channel, PAGE);
            keys.addAll(due);
            return due.size() == PAGE;
        });
        if (more) {
            keys.addAll(transactions.call(session -> {
                Set<String> walked = new LinkedHashSet<>();
                String cursor = cursors.getOrDefault(channel, "");
                for (int step = 0; step < WALK; step++) {
                    String next = session.due().nextOrderKey(channel, cursor);
                    cursor = next == null ? "" : next;
                    if (next == null) {
                        break;
                    }
                    walked.add(next);
                }
                cursors.put(channel, cursor);
                return walked;
            }));
        }
        keys.forEach(key -> lanes.offer(Lane.of(channel, key)));
        return more;
    }

    /**
     * Opens waiting rows whose time has come: the relay looks once more and parks them if their time to live is over.
     *
     * @return whether there may be more than one page
     */
    boolean expired(ChannelId channel) {
        List<WaitingRow> rows =
                transactions.call(session -> WakeUps.open(session, session.due().dueWaiting(channel, PAGE)));
        rows.forEach(row -> lanes.offer(row.lane())); // after the commit: before it a look would find nothing
        return rows.size() == PAGE;
    }

    /**
     * Opens waiting rows whose subscription stands in the engine's table, as a crash swallowed the wake-up, and offers the
     * lanes of held-back rows that nothing holds back any more.
     */
    void forgotten() {
        List<WaitingRow> missed =
                transactions.call(session -> WakeUps.open(session, session.due().missedWakeUps(missedAfter, PAGE)));
        missedAfter = next(missed);
        missed.forEach(row -> lanes.offer(row.lane()));
        List<WaitingRow> orphans = transactions.call(session -> session.due().orphans(orphansAfter, PAGE));
        orphansAfter = next(orphans);
        orphans.forEach(row -> lanes.offer(row.lane()));
    }

    /** Rows that can't be helped must not hide others: the next round goes on behind them, and wraps at the end. */
    private static long next(List<WaitingRow> page) {
        return page.size() < PAGE ? 0 : page.get(page.size() - 1).id();
    }
}
