package io.github.flowablepubsub.server;

import com.google.pubsub.v1.Subscription;

/**
 * What the settings of a subscription mean for its messages. Immutable; replaced when the settings change.
 *
 * @param deadLetterTopic full name, empty without a dead-letter policy
 * @param maxAttempts after how many delivery attempts a message is dead, 0 without a dead-letter policy
 */
record DeliveryPolicy(String deadLetterTopic, int maxAttempts) {

    static DeliveryPolicy of(Subscription config) {
        return new DeliveryPolicy(
                config.getDeadLetterPolicy().getDeadLetterTopic(),
                config.getDeadLetterPolicy().getMaxDeliveryAttempts());
    }

    /** Attempts are counted, and shown to clients, only where there is a dead-letter policy. */
    boolean countsAttempts() {
        return maxAttempts > 0;
    }

    boolean isDead(QueuedMessage message) {
        return countsAttempts() && message.failedAttempts() >= maxAttempts;
    }
}
