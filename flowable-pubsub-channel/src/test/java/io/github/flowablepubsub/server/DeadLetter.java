package io.github.flowablepubsub.server;

import com.google.protobuf.util.Timestamps;
import com.google.pubsub.v1.PubsubMessage;

/**
 * A message that has used up its delivery attempts. Its lane is held until it is known whether it could be forwarded.
 *
 * @param topic full name of the dead-letter topic
 * @param attempts how often it was delivered
 */
record DeadLetter(Lane lane, QueuedMessage message, String topic, int attempts) {

    private static final String PREFIX = "CloudPubSubDeadLetterSource";

    /** What is published to the dead-letter topic: the message with attributes that say where it comes from. */
    PubsubMessage wrapped(String subscription) {
        PubsubMessage original = message.message();
        return original.toBuilder()
                .putAttributes(PREFIX + "DeliveryCount", Integer.toString(attempts))
                .putAttributes(PREFIX + "Subscription", ResourceNames.id(subscription))
                .putAttributes(PREFIX + "SubscriptionProject", ResourceNames.project(subscription))
                .putAttributes(PREFIX + "TopicPublishTime", Timestamps.toString(original.getPublishTime()))
                .build();
    }
}
