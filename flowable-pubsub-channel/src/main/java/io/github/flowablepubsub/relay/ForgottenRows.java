package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Reason;
import java.util.List;

/**
 * Walks over the waiting rows, a page at a time, for those that nobody will wake: a crash swallowed the wake-up, or what held
 * them back was finished or deleted by SQL. Confined to the sweeping thread.
 */
final class ForgottenRows {

    /** Waiting rows that one step looks at. */
    static final int PAGE = 5000;

    private final InboxTransactions transactions;
    private final LaneQueue lanes;
    private final Walk missed = new Walk(Reason.NO_MATCH);
    private final Walk orphans = new Walk(Reason.HELD_BACK);

    ForgottenRows(InboxTransactions transactions, LaneQueue lanes) {
        this.transactions = transactions;
        this.lanes = lanes;
    }

    private static final class Walk {
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
            return reason == Reason.NO_MATCH
                    ? session.due().missedWakeUps(from, end)
                    : session.due().orphans(from, end);
        }
    }

    /**
     * The next page of each walk.
     *
     * @param begin false to go on only with walks that have begun and are not through
     */
    void step(boolean begin) {
        if (begin || missed.begun) {
            List<WaitingRow> rows = transactions.call(missed::step);
            transactions.call(session ->
                    session.due().openUnlocked(rows.stream().map(WaitingRow::id).toList()));
            rows.forEach(row -> lanes.offer(row.lane()));
        }
        if (begin || orphans.begun) {
            transactions.call(orphans::step).forEach(row -> lanes.offer(row.lane()));
        }
    }
}
