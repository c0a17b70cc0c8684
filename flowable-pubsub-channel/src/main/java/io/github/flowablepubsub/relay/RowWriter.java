package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.DueMapper;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.outcome.Decision;
import io.github.flowablepubsub.outcome.Outcome;
import io.github.flowablepubsub.outcome.RowFacts;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Writes what was decided about a row, under its lane's lock and in the transaction of the correlation. */
final class RowWriter {

    private RowWriter() {}

    /**
     * Decides and writes.
     *
     * @param hold what the row held back when it was read
     * @param taken the row is {@code DONE} already, see {@link ReadAhead}: there is nothing to write if that is what it is
     * @throws RowChangedException when the row is not as it was read
     */
    static RowChange write(
            InboxSession session, InboxRow row, Outcome outcome, RegisteredChannel channel, Hold hold, boolean taken) {
        return write(session, row, outcome, decide(row, outcome, channel), hold, taken);
    }

    /** What becomes of the row. */
    static RowChange decide(InboxRow row, Outcome outcome, RegisteredChannel channel) {
        RowFacts facts = new RowFacts(
                row.attempts(),
                row.expiresAt(),
                row.failedSince(),
                row.now(),
                ThreadLocalRandom.current().nextDouble());
        return Decision.decide(outcome, facts, channel.config().policy(row.eventKey()));
    }

    /** Writes what was decided, see {@link #write(InboxSession, InboxRow, Outcome, RegisteredChannel, Hold, boolean)}. */
    static RowChange write(
            InboxSession session, InboxRow row, Outcome outcome, RowChange change, Hold hold, boolean taken) {
        MessageState.OPEN.requireSuccessor(change.state(), row.id());
        if (outcome instanceof Outcome.NoMatch noMatch && change.state() == MessageState.WAITING) {
            session.due().removeMatchKeys(row.id());
            session.due().addMatchKeys(row.id(), Keys.column(noMatch.eventKey()), noMatch.configurations());
        } else if (outcome instanceof Outcome.UnknownEvent unknown && change.state() == MessageState.WAITING) {
            session.due().removeMatchKeys(row.id());
            session.due()
                    .addMatchKeys(row.id(), Keys.column(unknown.eventKey()), Set.of(DueMapper.ANY_CONFIGURATION));
        } else if (row.expiresAt() != null) {
            session.due().removeMatchKeys(row.id());
        }
        hold.release(row, change);
        if (taken && outcome instanceof Outcome.Correlated) {
            return change;
        }
        // Last, so that the row is locked no longer than needed.
        int changed = taken
                ? session.lanes().changeTaken(row.id(), row.attempts(), change)
                : session.lanes().change(row.id(), row.attempts(), change);
        if (changed != 1) {
            throw new RowChangedException(row);
        }
        return change;
    }

    /** When to look at the lane again after this change. */
    static Next next(InboxRow row, RowChange change, Hold hold) {
        if (change.state() == MessageState.OPEN && change.nextAttempt() != null) {
            return Next.in(Duration.between(row.now(), change.nextAttempt()));
        }
        return Next.again(row.more() || hold.goesOn(row, change));
    }
}
