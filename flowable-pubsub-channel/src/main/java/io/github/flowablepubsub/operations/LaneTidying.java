package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.RetentionMapper.LockRow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Removes lock rows of lanes that have no message to correlate and are a day old, page by page in key order. It removes only
 * what it has locked, so nobody is working on the lane; whoever finds no lock row makes one, commits, and locks then. Thread
 * safe.
 */
public final class LaneTidying {

    private static final int PAGE = 500;
    private static final Duration AGE = Duration.ofDays(1);

    private final InboxTransactions transactions;

    /** On the engine's database. */
    public LaneTidying(InboxTransactions transactions) {
        this.transactions = transactions;
    }

    /**
     * One page.
     *
     * @param after key to begin behind, empty for the first page
     * @return where the next page begins, empty when this was the last one
     */
    public String step(ChannelId channel, String after) {
        List<LockRow> page = transactions.call(session ->
                session.retention().lockRows(channel, after, TimeUnit.NANOSECONDS.toMicros(AGE.toNanos()), PAGE));
        List<String> idle =
                page.stream().filter(LockRow::idle).map(LockRow::orderKey).toList();
        if (!idle.isEmpty()) {
            transactions.call(session -> {
                List<String> locked = session.retention().lockLanes(channel, idle);
                return locked.isEmpty() ? 0 : session.retention().removeLanes(channel, locked);
            });
        }
        return page.size() < PAGE ? "" : page.get(PAGE - 1).orderKey();
    }
}
