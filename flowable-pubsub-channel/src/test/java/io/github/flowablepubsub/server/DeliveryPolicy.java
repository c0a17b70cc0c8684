package io.github.flowablepubsub.server;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import com.google.pubsub.v1.RetryPolicy;
import com.google.pubsub.v1.Subscription;

/**
 * What the settings of a subscription mean for its messages. Immutable; replaced when the settings change.
 *
 * @param deadLetterTopic full name, empty without a dead-letter policy
 * @param maxAttempts after how many delivery attempts a message is dead, 0 without a dead-letter policy
 * @param minBackOff after how many nanoseconds a message is delivered again whose first delivery failed, 0 for at once
 * @param maxBackOff upper bound in nanoseconds when the delay doubles with every further failure
 * @param exactlyOnce whether acks are checked, and the client is told what became of them
 * @param retainAcked whether acked messages stay, to be replayed by a seek
 * @param retention how long messages stay at all
 */
record DeliveryPolicy(
        String deadLetterTopic,
        int maxAttempts,
        long minBackOff,
        long maxBackOff,
        boolean exactlyOnce,
        boolean retainAcked,
        Duration retention) {

    static DeliveryPolicy of(Subscription config) {
        RetryPolicy retry = config.getRetryPolicy();
        return new DeliveryPolicy(
                config.getDeadLetterPolicy().getDeadLetterTopic(),
                config.getDeadLetterPolicy().getMaxDeliveryAttempts(),
                Durations.toNanos(retry.getMinimumBackoff()),
                Durations.toNanos(retry.getMaximumBackoff()),
                config.getEnableExactlyOnceDelivery(),
                config.getRetainAckedMessages(),
                config.getMessageRetentionDuration());
    }

    /** Messages published before then are gone. */
    Timestamp retainedFrom(Timestamp now) {
        return Timestamps.subtract(now, retention);
    }

    /** Attempts are counted, and shown to clients, only where there is a dead-letter policy. */
    boolean countsAttempts() {
        return maxAttempts > 0;
    }

    /** Nanoseconds until the next delivery after so many failed ones, of which there is at least one. */
    long backOff(int failures) {
        long delay = minBackOff;
        for (int i = 1; i < failures && delay < maxBackOff; i++) {
            delay *= 2;
        }
        return Math.min(delay, maxBackOff);
    }

    boolean isDead(QueuedMessage message) {
        return countsAttempts() && message.failedAttempts() >= maxAttempts;
    }
}
