package io.github.flowablepubsub.outcome;

import io.github.flowablepubsub.channel.ChannelPolicy;
import io.github.flowablepubsub.channel.RetryPolicy;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.inbox.Waiting;
import java.time.Duration;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** The pure policy: outcome and facts in, change of the row out (section 5 of the contract). */
public final class Decision {

    /** A deployment that brings a missing event definition tells nobody: look again this often. */
    static final Duration UNKNOWN_EVENT_INTERVAL = Duration.ofSeconds(30);

    /** A suspended receiver is looked at again at least this often, though its activation wakes the row. */
    static final Duration SUSPENDED_INTERVAL = Duration.ofHours(1);

    /** Fits the column on every database. */
    private static final int MAX_ERROR = 2000;

    private Decision() {}

    /** Grows, so that a topic full of events that nobody has modelled does not keep the node busy. */
    private static Duration unknownEventInterval(int attempts) {
        return UNKNOWN_EVENT_INTERVAL.multipliedBy(1 + Math.min(attempts, 9));
    }

    /** Decides what becomes of a row. */
    public static RowChange decide(Outcome outcome, RowFacts facts, ChannelPolicy policy) {
        if (outcome instanceof Outcome.Correlated) {
            return end(MessageState.DONE, null);
        } else if (outcome instanceof Outcome.UniqueInstanceExists) {
            return end(MessageState.DONE, Reason.UNIQUE_INSTANCE_EXISTS);
        } else if (outcome instanceof Outcome.Filtered) {
            return end(MessageState.DISCARDED, Reason.FILTERED);
        } else if (outcome instanceof Outcome.NoMatch noMatch) {
            return waiting(
                    facts,
                    policy,
                    Reason.NO_MATCH,
                    null,
                    noSubscription(noMatch.awaited().description()));
        } else if (outcome instanceof Outcome.Suspended suspended) {
            return suspended(facts, policy, suspended.detail());
        } else if (outcome instanceof Outcome.Expired expired) {
            String error = expired.reason() == Reason.NO_MATCH
                    ? noSubscription("event " + expired.eventKey())
                    : noDefinition(expired.eventKey());
            return unclaimed(expired.reason(), error + "; " + waited(facts.expiresAt(), facts), facts, policy);
        } else if (outcome instanceof Outcome.UnknownEvent unknown) {
            return waiting(
                    facts,
                    policy,
                    Reason.NO_EVENT_DEFINITION,
                    unknownEventInterval(facts.attempts()),
                    noDefinition(unknown.eventKey()));
        } else if (outcome instanceof Outcome.Ambiguous ambiguous) {
            return park(Reason.AMBIGUOUS, ambiguous.detail());
        } else if (outcome instanceof Outcome.SubscriptionGone gone) {
            return park(Reason.SUBSCRIPTION_GONE, gone.detail());
        } else if (outcome instanceof Outcome.Unreadable unreadable) {
            return park(Reason.UNREADABLE, unreadable.error());
        } else if (outcome instanceof Outcome.NoCorrelationValue missing) {
            return park(Reason.NO_CORRELATION_VALUE, missing.detail());
        } else if (outcome instanceof Outcome.ProcessFailed failed) {
            return processFailed(facts, policy.retry(), failed.error());
        } else if (outcome instanceof Outcome.InfrastructureFailed failed) {
            return retry(
                            facts,
                            policy.retry(),
                            Reason.INFRASTRUCTURE_FAILED,
                            facts.currentExpiry(),
                            facts.currentFailure(),
                            failed.error())
                    .waiting(facts.currentWaiting(), false);
        }
        throw new IllegalStateException("No decision for " + outcome.getClass());
    }

    private static RowChange waiting(
            RowFacts facts, ChannelPolicy policy, Reason reason, @Nullable Duration interval, String error) {
        OffsetDateTime running = facts.currentExpiry();
        OffsetDateTime expires =
                running == null ? facts.now().plus(facts.timeToLive().duration()) : running;
        if (!expires.isAfter(facts.now())) {
            return unclaimed(reason, error + "; " + waited(expires, facts), facts, policy);
        }
        OffsetDateTime again = interval == null ? expires : facts.now().plus(interval);
        OffsetDateTime next = again.isBefore(expires) ? again : expires;
        return alarm(
                new RowChange(MessageState.WAITING, reason, next, expires, null, text(error + note(facts))),
                next,
                facts,
                policy);
    }

    /** Looked at again in time for the alarm, which is raised by the first look that comes to it in vain. */
    private static RowChange alarm(RowChange change, OffsetDateTime next, RowFacts facts, ChannelPolicy policy) {
        Waiting running = facts.currentWaiting();
        Waiting waiting = running == null ? new Waiting(facts.now(), null) : running;
        Duration after = policy.buffer().alarmAfter();
        OffsetDateTime at = waiting.since().plus(after);
        if (after.isZero() || waiting.alarmedAt() != null) {
            return change.waiting(waiting, false);
        } else if (!at.isAfter(facts.now())) {
            return change.waiting(new Waiting(waiting.since(), facts.now()), true);
        }
        return change.at(at.isBefore(next) ? at : next).waiting(waiting, false);
    }

    /**
     * Without a time to live: it has found its receiver, and how long that is suspended is the operator's decision. The look
     * about every hour is for what tells nobody.
     */
    private static RowChange suspended(RowFacts facts, ChannelPolicy policy, String detail) {
        long millis = SUSPENDED_INTERVAL.toMillis();
        OffsetDateTime next = facts.now().plus(Duration.ofMillis((long) (millis * (1 + facts.jitter()) / 2)));
        RowChange change = new RowChange(MessageState.WAITING, Reason.SUSPENDED, next, null, null, text(detail));
        return alarm(change, next, facts, policy);
    }

    private static String waited(@Nullable OffsetDateTime expires, RowFacts facts) {
        return "its time to live of " + facts.timeToLive().duration() + " ended at " + expires + note(facts);
    }

    private static String note(RowFacts facts) {
        String note = facts.timeToLive().note();
        return note == null ? "" : "; " + note;
    }

    private static String noSubscription(String awaited) {
        return "No subscription for " + awaited + " that matches";
    }

    private static String noDefinition(@Nullable String eventKey) {
        return "The event registry has no event definition with key " + eventKey;
    }

    private static RowChange processFailed(RowFacts facts, RetryPolicy retry, String error) {
        OffsetDateTime since = facts.failingSince();
        if (!since.plus(retry.giveUpAfter()).isAfter(facts.now())) {
            String detail = error + "; given up after " + retry.giveUpAfter() + ", failing since " + since;
            return new RowChange(MessageState.PARKED, Reason.PROCESS_FAILED, null, null, since, text(detail));
        }
        return retry(facts, retry, Reason.PROCESS_FAILED, null, since, error);
    }

    /** A process failure has found its subscription: it waits no longer, so its time to live is over with it. */
    private static RowChange retry(
            RowFacts facts,
            RetryPolicy retry,
            Reason reason,
            @Nullable OffsetDateTime expires,
            @Nullable OffsetDateTime since,
            String error) {
        OffsetDateTime next = facts.now().plus(backOff(retry, facts.attempts(), facts.jitter()));
        return new RowChange(MessageState.OPEN, reason, next, expires, since, text(error));
    }

    /** Exponential, capped, spread over the upper half so that rows that failed together do not come back together. */
    static Duration backOff(RetryPolicy retry, int attempts, double jitter) {
        double grown = (double) retry.initialDelay().toMillis() * Math.pow(retry.multiplier(), Math.min(attempts, 60));
        double capped = Math.min(grown, (double) retry.maxDelay().toMillis());
        return Duration.ofMillis((long) (capped / 2 + capped / 2 * jitter));
    }

    private static RowChange park(Reason reason, String error) {
        return new RowChange(MessageState.PARKED, reason, null, null, null, text(error));
    }

    /** Nobody took it within its time to live. */
    private static RowChange unclaimed(Reason reason, String error, RowFacts facts, ChannelPolicy policy) {
        String detail = reason == Reason.NO_MATCH ? error + ". " + facts.known().get() : error;
        boolean discard = reason == Reason.NO_EVENT_DEFINITION
                ? policy.parking().discardUnknownEvent()
                : policy.parking().discardNoMatch();
        return discard
                ? new RowChange(MessageState.DISCARDED, reason, null, null, null, text(detail))
                : park(reason, detail);
    }

    private static RowChange end(MessageState state, @Nullable Reason reason) {
        return new RowChange(state, reason, null, null, null, null);
    }

    private static String text(String error) {
        return Keys.text(error, MAX_ERROR);
    }
}
