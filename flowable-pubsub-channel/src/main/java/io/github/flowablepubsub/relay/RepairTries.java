package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.correlation.NotReceivingException;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.FailureKind;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.InboxMessage.Seen;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.relay.RepairResult.Busy;
import io.github.flowablepubsub.relay.RepairResult.Done;
import io.github.flowablepubsub.relay.RepairResult.NotAsSeen;
import io.github.flowablepubsub.relay.RepairResult.Refused;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.flowable.common.engine.api.FlowableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries to change one row as an operator saw it, again and again while others stand in the way. Thread safe. */
final class RepairTries {

    private static final Logger log = LoggerFactory.getLogger(Repair.class);

    /** As the relay has: a process whose own step violates a key is not run over and over. */
    private static final int MAX_TRIES = 3;

    private static final long PAUSE_MILLIS = 25;

    /** What is to be done within the transaction; nothing was changed unless it returns {@link Done}. */
    @FunctionalInterface
    interface Work {
        RepairResult run(InboxSession session, InboxMessage row);
    }

    private record Step(RepairResult result, InboxMessage row) {}

    /** Takes back what a transaction has changed, though nothing has failed. */
    private static final class TakenBackException extends FlowableException {
        private static final long serialVersionUID = 1L;
        private final transient RepairResult result;

        TakenBackException(RepairResult result) {
            super("Taken back: " + result);
            this.result = result;
            setLogged(false);
        }
    }

    private final InboxTransactions transactions;
    private final FailureJudge judge;

    RepairTries(InboxTransactions transactions, FailureJudge judge) {
        this.transactions = transactions;
        this.judge = judge;
    }

    /**
     * Does it.
     *
     * @param patience how long to wait for the lane
     * @param inLane only under the lock of the row's lane
     * @param after runs with the row as it was read, after the commit
     * @throws RuntimeException when the database failed; nothing was done then
     */
    RepairResult run(Seen seen, Duration patience, boolean inLane, Work work, Consumer<InboxMessage> after) {
        long deadline = System.nanoTime() + patience.toNanos();
        for (int races = 0; ; ) {
            RepairResult result = null;
            AtomicBoolean begun = new AtomicBoolean();
            try {
                Step step = transactions.call(session -> step(session, seen, inLane, begun, work));
                if (step != null) {
                    after.accept(step.row());
                    return step.result();
                }
            } catch (TakenBackException e) {
                return e.result;
            } catch (NotReceivingException e) {
                return new Refused(seen.id(), String.valueOf(e.getMessage()));
            } catch (RuntimeException | Error failure) {
                // Before that another node can make the lane's lock row at the same moment.
                boolean race = judge.isRace(failure) || (!begun.get() && DatabaseFailures.isDuplicateKey(failure));
                result = race && ++races < MAX_TRIES ? null : failed(seen, failure);
            }
            if (result != null) {
                return result;
            }
            if (System.nanoTime() >= deadline || !pause()) {
                return new Busy(
                        seen.id(),
                        "Messages of its key are in work, or others changed it at the same time; tried for "
                                + patience.toMillis() + " ms");
            }
        }
    }

    /** Null when the lane is locked. */
    private static @Nullable Step step(
            InboxSession session, Seen seen, boolean inLane, AtomicBoolean begun, Work work) {
        InboxMessage found = session.looks().message(seen.id());
        if (found != null && inLane && !lock(session, found.lane())) {
            return null;
        }
        InboxMessage row = inLane ? session.looks().message(seen.id()) : found;
        if (row == null || !row.seen().equals(seen)) {
            throw new TakenBackException(new NotAsSeen(seen.id(), row == null ? null : row.state()));
        }
        begun.set(true);
        RepairResult result = work.run(session, row);
        if (result instanceof Done) {
            return new Step(result, row);
        }
        if (result instanceof NotAsSeen) {
            InboxMessage now = session.looks().message(seen.id());
            result = new NotAsSeen(seen.id(), now == null ? null : now.state());
        }
        throw new TakenBackException(result);
    }

    private static boolean lock(InboxSession session, Lane lane) {
        if (!session.lanes().lock(lane).isEmpty()) {
            return true;
        }
        List<String> key = List.of(lane.orderKey());
        if (session.lanes().existing(lane.channel(), key).isEmpty()) {
            session.lanes().create(lane.channel(), key); // uncommitted, it is as good as locked
            return true;
        }
        return false;
    }

    private RepairResult failed(Seen seen, Throwable failure) {
        if (judge.kind(failure) != FailureKind.PROCESS) {
            log.debug("An operator's change of row {} failed", seen.id(), failure);
            return new Busy(
                    seen.id(),
                    "The database gave way (" + failure.getClass().getSimpleName()
                            + "); if that was at the commit, it may be done all the same: look again");
        }
        log.debug("The process failed at what an operator delivered, row {}", seen.id(), failure);
        return new Refused(
                seen.id(),
                "The process failed, and everything was rolled back: " + kinds(failure)
                        + ". Mend it; the whole failure is logged at DEBUG by " + Repair.class.getName());
    }

    /** Not the messages: they may quote the body. */
    private static String kinds(Throwable failure) {
        StringBuilder kinds = new StringBuilder(failure.getClass().getName());
        int depth = 0;
        for (Throwable cause = failure.getCause(); cause != null && depth < 10; cause = cause.getCause(), depth++) {
            kinds.append(", caused by ").append(cause.getClass().getName());
        }
        return kinds.toString();
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
