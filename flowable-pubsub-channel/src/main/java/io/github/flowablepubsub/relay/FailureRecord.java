package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.correlation.Readiness;
import io.github.flowablepubsub.correlation.SubscriptionGoneException;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.FailureKind;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.mirror.Mirrors;
import io.github.flowablepubsub.outcome.Outcome;
import java.time.Duration;

/** Records a failure after everything of it was rolled back, in a transaction of its own. */
final class FailureRecord {

    private final InboxTransactions transactions;
    private final Correlator correlator;
    private final FailureJudge judge;
    private final Mirrors mirrors;

    FailureRecord(InboxTransactions transactions, Correlator correlator, FailureJudge judge, Mirrors mirrors) {
        this.judge = judge;
        this.mirrors = mirrors;
        this.transactions = transactions;
        this.correlator = correlator;
    }

    /**
     * Judges and writes. A row that changed meanwhile, or whose lane another node holds by now, is left to whoever did.
     *
     * @throws RuntimeException when the database failed
     */
    Next write(Attempt attempt, InboxRow row, Throwable failure) {
        Outcome outcome = judge(attempt, row, failure);
        attempt.begin();
        return transactions.call(session -> {
            if (session.lanes().lock(row.lane()).isEmpty()) {
                return Next.in(Duration.ofMillis(25));
            }
            attempt.open(session);
            Hold hold = Hold.read(session, row.lane(), attempt.channel());
            InboxRow current = session.lanes().oldestOpen(row.lane());
            if (current == null
                    || !current.id().equals(row.id())
                    || !current.attempts().equals(row.attempts())) {
                return Next.AGAIN;
            }
            RowChange change = RowWriter.write(
                    session, current, outcome, attempt.channel(), KnownOfKey.NOT_ASKED, hold, false, mirrors);
            attempt.written(current, change);
            return RowWriter.next(current, change, hold);
        });
    }

    /**
     * What a failure was. Everything of the attempt is rolled back.
     *
     * @throws RuntimeException when the database failed
     */
    Outcome judge(Attempt attempt, InboxRow row, Throwable failure) {
        String error = describe(failure);
        if (attempt.outcome() instanceof Outcome.Unreadable unreadable) {
            return unreadable; // what made it unreadable also broke the transaction
        }
        if (failure instanceof SubscriptionGoneException) {
            return new Outcome.SubscriptionGone(error);
        }
        if (judge.kind(failure) != FailureKind.PROCESS) {
            return new Outcome.InfrastructureFailed(error);
        }
        if (!attempt.inDelivery() && DatabaseFailures.isDatabaseAway(failure)) {
            return new Outcome.InfrastructureFailed(error);
        }
        if (!attempt.inDelivery()) {
            return new Outcome.Unreadable("The look-up failed, and not for a reason that time heals: " + error);
        }
        boolean stillThere =
                transactions.call(session -> correlator.look(attempt.channel(), row.incoming())) != Readiness.NONE;
        return stillThere
                ? new Outcome.ProcessFailed(error)
                : new Outcome.SubscriptionGone("The receiver was gone when delivery failed with a "
                        + failure.getClass().getName()); // without its words, which may quote the message
    }

    private static String describe(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        int depth = 0;
        for (Throwable cause = failure.getCause(); cause != null && depth < 10; cause = cause.getCause(), depth++) {
            text.append(", caused by ").append(cause);
        }
        return text.toString();
    }
}
