package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.Incoming;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What Pub/Sub says about a message besides body and attributes, and that a channel can map to a payload field of its events, as
 * Flowable's Kafka channel maps topic, partition and offset.
 */
public enum Metadata {
    /** Message id. */
    MESSAGE_ID("messageId") {
        @Override
        String text(Incoming message) {
            return message.messageId();
        }
    },
    /** Publish time, in ISO 8601; in a field of type long as milliseconds since 1970. */
    PUBLISH_TIME("publishTime") {
        @Override
        String text(Incoming message) {
            return message.publishedAt().toInstant().toString();
        }

        @Override
        @Nullable
        Object value(Incoming message, String type) {
            return type.equals("long")
                    ? (Object) message.publishedAt().toInstant().toEpochMilli()
                    : super.value(message, type);
        }
    },
    /** Ordering key; the field is left out when there is none. */
    ORDERING_KEY("orderingKey") {
        @Override
        @Nullable
        String text(Incoming message) {
            return message.orderingKey();
        }
    },
    /** Which delivery of the message was stored; Pub/Sub counts only with a dead-letter topic. */
    DELIVERY_ATTEMPT("deliveryAttempt", "googclient_deliveryattempt"),
    /** With a channel on a dead-letter topic: how often the message was delivered before. */
    SOURCE_DELIVERY_COUNT("deadLetterSourceDeliveryCount", "CloudPubSubDeadLetterSourceDeliveryCount"),
    /** The subscription that it comes from. */
    SOURCE_SUBSCRIPTION("deadLetterSourceSubscription", "CloudPubSubDeadLetterSourceSubscription"),
    /** The project of that subscription. */
    SOURCE_PROJECT("deadLetterSourceSubscriptionProject", "CloudPubSubDeadLetterSourceSubscriptionProject"),
    /** When it was published first. */
    SOURCE_PUBLISH_TIME("deadLetterSourceTopicPublishTime", "CloudPubSubDeadLetterSourceTopicPublishTime");

    private static final Map<String, Metadata> BY_PROPERTY =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Metadata::property, one -> one));

    private final String property;
    private final @Nullable String attribute;

    Metadata(String name) {
        this.property = name + "OutputName";
        this.attribute = null;
    }

    /** Pub/Sub, or its client library, has it among the attributes; publishers can't set such names. */
    Metadata(String name, String attribute) {
        this.property = name + "OutputName";
        this.attribute = attribute;
    }

    /** The property of the channel file that names the payload field. */
    String property() {
        return property;
    }

    /** All of {@link #property}. */
    static Set<String> properties() {
        return BY_PROPERTY.keySet();
    }

    @Nullable
    String text(Incoming message) {
        return attribute == null ? null : message.attributes().get(attribute);
    }

    /**
     * The value for a payload field.
     *
     * @param type of the field
     * @return null when the message has none, or none of that type
     */
    @Nullable
    Object value(Incoming message, String type) {
        String text = text(message);
        if (text == null) {
            return null;
        }
        try {
            return switch (type) {
                case "integer" -> Integer.valueOf(text);
                case "long" -> Long.valueOf(text);
                case "double" -> Double.valueOf(text);
                case "string" -> text;
                default -> null;
            };
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
