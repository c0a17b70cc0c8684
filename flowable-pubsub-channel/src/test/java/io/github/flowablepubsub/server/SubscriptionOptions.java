package io.github.flowablepubsub.server;

import com.google.pubsub.v1.Subscription;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a subscription of {@link PubSubServer} is created. Immutable.
 *
 * @param ordering whether messages of one ordering key are delivered in the order of their publication
 * @param ackDeadline how long a message may stay unacked before it is redelivered, 10 to 600 whole seconds. It counts
 *     for unary pull; a stream brings its own
 * @param minimumBackoff shortest pause before a redelivery, up to 600 seconds; null for no retry policy: at once
 * @param deadLetterTopic where messages go after their last attempt; null for no dead-letter policy
 * @param maxDeliveryAttempts 5 to 100; counts only with a dead-letter topic
 */
public record SubscriptionOptions(
        boolean ordering,
        Duration ackDeadline,
        @Nullable Duration minimumBackoff,
        @Nullable String deadLetterTopic,
        int maxDeliveryAttempts) {

    /** No ordering, ack deadline 10 seconds. */
    public static final SubscriptionOptions DEFAULT =
            new SubscriptionOptions(false, Duration.ofSeconds(10), null, null, 5);

    /**
     * Checks that the service could express the deadline.
     *
     * @throws IllegalArgumentException if it is not in whole seconds
     */
    public SubscriptionOptions {
        if (!ackDeadline.equals(Duration.ofSeconds(ackDeadline.toSeconds()))) {
            throw new IllegalArgumentException("Ack deadline must be whole seconds: " + ackDeadline);
        }
    }

    /** As {@link #DEFAULT}, with ordering by key. */
    public static SubscriptionOptions ordered() {
        return new SubscriptionOptions(true, DEFAULT.ackDeadline, null, null, DEFAULT.maxDeliveryAttempts);
    }

    /** The same with another ack deadline. */
    public SubscriptionOptions withAckDeadline(Duration deadline) {
        return new SubscriptionOptions(ordering, deadline, minimumBackoff, deadLetterTopic, maxDeliveryAttempts);
    }

    /** The same with a retry policy, whose longest pause is ten times its shortest one. */
    public SubscriptionOptions withRetryPolicy(Duration backoff) {
        return new SubscriptionOptions(ordering, ackDeadline, backoff, deadLetterTopic, maxDeliveryAttempts);
    }

    /** The same with a dead-letter policy; the topic must exist. */
    public SubscriptionOptions withDeadLetterTopic(String topic, int attempts) {
        return new SubscriptionOptions(ordering, ackDeadline, minimumBackoff, topic, attempts);
    }

    Subscription apply(String name, String topic) {
        Subscription.Builder subscription = Subscription.newBuilder()
                .setName(name)
                .setTopic(topic)
                .setEnableMessageOrdering(ordering)
                .setAckDeadlineSeconds(Math.toIntExact(ackDeadline.toSeconds()));
        if (minimumBackoff != null) {
            subscription
                    .getRetryPolicyBuilder()
                    .setMinimumBackoff(proto(minimumBackoff))
                    .setMaximumBackoff(proto(minimumBackoff.multipliedBy(10)));
        }
        if (deadLetterTopic != null) {
            subscription
                    .getDeadLetterPolicyBuilder()
                    .setDeadLetterTopic(ResourceNames.topic(deadLetterTopic))
                    .setMaxDeliveryAttempts(maxDeliveryAttempts);
        }
        return subscription.build();
    }

    private static com.google.protobuf.Duration proto(Duration duration) {
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(duration.getSeconds())
                .setNanos(duration.getNano())
                .build();
    }
}
