package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.outcome.Decision;
import io.github.flowablepubsub.outcome.Outcome;
import io.github.flowablepubsub.outcome.RowFacts;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Writes what was decided about a row, under its lane's lock and in the transaction of the correlation. */
final class RowWriter {

    private RowWriter() {}

    /**
     * Decides and writes.
     *
     * @param taken the row is {@code DONE} already, see {@link ReadAhead}: there is nothing to write if that is what it is
     * @throws RowChangedException when the row is not as it was read
     */
    static RowChange write(
            InboxSession session, InboxRow row, Outcome outcome, RegisteredChannel channel, boolean taken) {
        return write(session, row, outcome, decide(row, outcome, channel), taken);
    }

    /** What becomes of the row. */
    static RowChange decide(InboxRow row, Outcome outcome, RegisteredChannel channel) {
        RowFacts facts = new RowFacts(
                row.attempts(),
                row.expiresAt(),
                row.failedSince(),
                row.now(),
                ThreadLocalRandom.current().nextDouble());
        return Decision.decide(outcome, facts, channel.config().policy());
    }

    /** Writes what was decided, see {@link #write(InboxSession, InboxRow, Outcome, RegisteredChannel, boolean)}. */
    static RowChange write(InboxSession session, InboxRow row, Outcome outcome, RowChange change, boolean taken) {
        MessageState.OPEN.requireSuccessor(change.state(), row.id());
        if (outcome instanceof Outcome.NoMatch noMatch && change.state() == MessageState.WAITING) {
            session.due().removeMatchKeys(row.id());
            session.due().addMatchKeys(row.id(), Keys.column(noMatch.eventKey()), noMatch.configurations());
        } else if (row.expiresAt() != null) {
            session.due().removeMatchKeys(row.id());
        }
        if (row.holdsBack() && leaves(change.state()) && row.eventKey() != null) {
            release(session, row.lane(), row.eventKey());
        }
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

    /** Opens the oldest held-back row of an event. */
    static boolean release(InboxSession session, Lane lane, String eventKey) {
        Long next = session.lanes().oldestHeldBack(lane, eventKey);
        return next != null && session.lanes().open(next) == 1;
    }

    /** When to look at the lane again after this change. */
    static Next next(InboxRow row, RowChange change) {
        if (change.state() == MessageState.OPEN && change.nextAttempt() != null) {
            return Next.in(Duration.between(row.now(), change.nextAttempt()));
        }
        return Next.again(row.more() || (row.holdsBack() && leaves(change.state())));
    }

    private static boolean leaves(MessageState state) {
        return state == MessageState.DONE || state == MessageState.DISCARDED || state == MessageState.PARKED;
    }
}
