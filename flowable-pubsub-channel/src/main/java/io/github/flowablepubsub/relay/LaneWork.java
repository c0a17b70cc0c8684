package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.correlation.Readiness;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.mirror.Mirrors;
import io.github.flowablepubsub.outcome.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * Works on the oldest messages of a lane: lock, read, correlate and mark in one transaction (rules R2, R4). A pass without
 * threads; tests call it. Thread safe.
 */
final class LaneWork {

    /** Races with the process's own steps are tried again at once, this often. */
    static final int MAX_TRIES = 3;

    /**
     * Messages that move nothing (nobody waits, filtered, expired) share a transaction, so many and so long: what they cost
     * is the commit. One that is delivered is the last of its transaction: the engine works on what the database has.
     */
    private static final int MAX_ROWS = 20;

    private static final Duration MAX_TIME = Duration.ofMillis(500);

    private static final int MAX_LOOKS = 25;
    private static final Duration LOOK_PAUSE = Duration.ofMillis(200);

    private static final Duration LOCKED_ELSEWHERE = Duration.ofMillis(50);

    private final InboxTransactions transactions;
    private final ChannelRegistry channels;
    private final Correlator correlator;
    private final FailureRecord failureRecord;
    private final Changes changes;
    private final Woken woken;
    private final ReadAhead ahead;
    private final FailureJudge judge;
    private final KnownOfKey known;
    private final Mirrors mirrors;

    LaneWork(
            InboxTransactions transactions,
            ChannelRegistry channels,
            Correlator correlator,
            Changes changes,
            Woken woken,
            ReadAhead ahead,
            FailureJudge judge,
            Mirrors mirrors) {
        this.judge = judge;
        this.known = new KnownOfKey(correlator);
        this.woken = woken;
        this.ahead = ahead;
        this.transactions = transactions;
        this.channels = channels;
        this.correlator = correlator;
        this.changes = changes;
        this.mirrors = mirrors;
        this.failureRecord = new FailureRecord(transactions, correlator, judge, mirrors);
    }

    /**
     * The oldest messages of a lane in one transaction: one that is delivered, and before it such as move nothing.
     *
     * @return when to look at this lane again
     * @throws RuntimeException when the database failed; nothing is changed then
     */
    Next run(Lane lane) {
        RegisteredChannel channel = channels.find(lane.channel()).orElse(null);
        if (channel == null) {
            ahead.forget(lane);
            return Next.IDLE; // rule R10: leave it to a node that knows the channel
        }
        Attempt attempt = new Attempt(channel, woken.take(lane));
        Next next;
        try {
            next = write(lane, attempt);
        } catch (RuntimeException | Error failure) {
            attempt.begin(); // rolled back
            throw failure;
        } finally {
            woken.add(lane, attempt.stillToOpen());
        }
        return afterCommit(attempt, next);
    }

    /** Commits changes of the lane's oldest rows, or finds nothing to change. */
    private Next write(Lane lane, Attempt attempt) {
        int rows = MAX_ROWS;
        for (int attempts = 1; ; attempts++) {
            try {
                int limit = rows;
                return transactions.call(session -> step(session, lane, attempt, limit));
            } catch (RuntimeException | Error failure) {
                ahead.forget(lane);
                InboxRow row = attempt.row();
                if (row == null && DatabaseFailures.isDuplicateKey(failure)) {
                    return Next.AGAIN; // another node made the lane's lock row at the same moment
                }
                if (row == null) {
                    throw failure;
                }
                if (judge.isRace(failure) && attempts < MAX_TRIES) {
                    continue;
                }
                if (attempt.written().isEmpty() || rows == 1) {
                    return failureRecord.write(attempt, row, failure);
                }
                // Those before it are good, unless it was the commit that failed; then it stands alone.
                rows = Math.min(attempt.written().size(), rows - 1);
            }
        }
    }

    private Next step(InboxSession session, Lane lane, Attempt attempt, int rows) {
        attempt.begin();
        long end = System.nanoTime() + MAX_TIME.toNanos();
        Next next;
        int count = 0;
        boolean locked = false;
        do {
            InboxRow follower = attempt.follower();
            attempt.next();
            if (follower != null) {
                next = correlate(session, follower, attempt, new EventHold(session, lane), false);
            } else {
                ahead.keep(lane, attempt.drainBehind());
                InboxRow taken = attempt.stillToOpen().isEmpty() ? ahead.take(session, lane) : null;
                if (taken == null && !locked) {
                    if (session.lanes().lock(lane).isEmpty()) {
                        return lockedElsewhere(session, lane);
                    }
                    ahead.forget(lane);
                    attempt.open(session);
                    locked = true;
                }
                next = taken == null
                        ? oldest(session, lane, attempt)
                        : correlate(session, taken, attempt, new EventHold(session, lane), true);
            }
            count++;
        } while (next.equals(Next.AGAIN) && !attempt.inDelivery() && count < rows && System.nanoTime() < end);
        ahead.keep(lane, attempt.drainBehind());
        return next;
    }

    private Next oldest(InboxSession session, Lane lane, Attempt attempt) {
        Hold hold = Hold.read(session, lane, attempt.channel());
        InboxRow row = session.lanes().oldestOpen(lane);
        Next instead = hold.instead(row);
        if (instead != null || row == null) {
            return instead == null ? Next.IDLE : instead;
        }
        if (!row.due()) {
            return Next.in(row.untilDue());
        }
        attempt.head(row, ahead.behind(session, row));
        return correlate(session, row, attempt, hold, false);
    }

    private Next correlate(InboxSession session, InboxRow row, Attempt attempt, Hold hold, boolean taken) {
        attempt.row(row);
        Outcome outcome = attempt.outcome(outcome(attempt, row));
        RowChange change = RowWriter.write(
                session,
                row,
                outcome,
                attempt.channel(),
                () -> known.of(session, row, attempt.channel()),
                hold,
                taken,
                mirrors);
        attempt.written(row, change);
        return RowWriter.next(row, change, hold);
    }

    private Outcome outcome(Attempt attempt, InboxRow row) {
        if (row.expired()) {
            return new Outcome.Expired(Objects.requireNonNull(row.reason()), row.eventKey());
        }
        if (row.cleared()) {
            return new Outcome.Unreadable(
                    "The message was finished, and its body cleared after policy.retention.payload;"
                            + " to have it delivered, publish it again");
        }
        return correlator.correlate(attempt.channel(), row.incoming(), attempt::matched);
    }

    private static Next lockedElsewhere(InboxSession session, Lane lane) {
        List<String> orderKey = List.of(lane.orderKey());
        if (session.lanes().existing(lane.channel(), orderKey).isEmpty()) {
            session.lanes().create(lane.channel(), orderKey);
            return Next.AGAIN;
        }
        return Next.in(LOCKED_ELSEWHERE);
    }

    private Next afterCommit(Attempt attempt, Next next) {
        Next after = next;
        Duration took = attempt.took();
        for (Attempt.Written written : attempt.written()) {
            changes.changed(written.row(), written.change(), took);
            if (written.change().state() == MessageState.WAITING && lookOnceMore(attempt, written)) {
                after = Next.AGAIN;
            }
        }
        return after;
    }

    /**
     * The relay's half of rule R6: a subscription, or an activation, that committed after our look-up and before our commit saw no waiting
     * row to wake. So look again now that the row can be seen; a subscription that commits later sees it. A database that
     * fails right now is asked again for a while; after that it is up to the sweep.
     */
    private boolean lookOnceMore(Attempt attempt, Attempt.Written written) {
        InboxRow row = written.row();
        for (int tries = 1; ; tries++) {
            try {
                Readiness readiness = transactions.call(session -> correlator.look(attempt.channel(), row.incoming()));
                boolean changed = readiness == Readiness.READY
                        || (readiness == Readiness.SUSPENDED && written.change().reason() != Reason.SUSPENDED);
                return changed && transactions.call(session -> session.due().open(row.id()));
            } catch (RuntimeException e) {
                if (tries >= MAX_LOOKS || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(LOOK_PAUSE.toNanos());
            }
        }
    }
}
