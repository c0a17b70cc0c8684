package io.github.flowablepubsub.server;

import com.google.pubsub.v1.Subscription;
import java.time.Duration;

/**
 * How a subscription of {@link PubSubServer} is created. Immutable.
 *
 * @param ordering whether messages of one ordering key are delivered in the order of their publication
 * @param ackDeadline how long a message may stay unacked before it is redelivered, 10 to 600 whole seconds. It counts
 *     for unary pull; a stream brings its own
 */
public record SubscriptionOptions(boolean ordering, Duration ackDeadline) {

    /** No ordering, ack deadline 10 seconds. */
    public static final SubscriptionOptions DEFAULT = new SubscriptionOptions(false, Duration.ofSeconds(10));

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
        return new SubscriptionOptions(true, DEFAULT.ackDeadline);
    }

    /** The same with another ack deadline. */
    public SubscriptionOptions withAckDeadline(Duration deadline) {
        return new SubscriptionOptions(ordering, deadline);
    }

    Subscription apply(String name, String topic) {
        return Subscription.newBuilder()
                .setName(name)
                .setTopic(topic)
                .setEnableMessageOrdering(ordering)
                .setAckDeadlineSeconds(Math.toIntExact(ackDeadline.toSeconds()))
                .build();
    }
}
