package io.github.flowablepubsub.server;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import com.google.pubsub.v1.PubsubMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The documented limits of the service, and the checks against them. */
final class Limits {

    static final int DEFAULT_ACK_DEADLINE_SECONDS = 10;

    static final int DEFAULT_DELIVERY_ATTEMPTS = 5;

    static final Duration DEFAULT_MINIMUM_BACKOFF = Durations.fromSeconds(10);
    static final Duration MAX_BACKOFF = Durations.fromSeconds(600);

    static final Duration DEFAULT_RETENTION = Durations.fromDays(7);

    private static final Duration MIN_RETENTION = Durations.fromMinutes(10);
    private static final Duration MAX_RETENTION = Durations.fromDays(31);
    private static final int MIN_DELIVERY_ATTEMPTS = 5;
    private static final int MAX_DELIVERY_ATTEMPTS = 100;
    private static final int MIN_ACK_DEADLINE_SECONDS = 10;
    private static final int MAX_ACK_DEADLINE_SECONDS = 600;
    // Documented as "10 MB" without saying which; the larger reading never refuses what the service takes.
    private static final int MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
    private static final int MAX_MESSAGES_PER_PUBLISH = 1000;
    private static final int MAX_ATTRIBUTES = 100;
    private static final int MAX_ATTRIBUTE_KEY_BYTES = 256;
    private static final int MAX_ATTRIBUTE_VALUE_BYTES = 1024;
    private static final int MAX_ORDERING_KEY_BYTES = 1024;

    private Limits() {}

    static void requireAckDeadline(int seconds) {
        requireRange("ack_deadline_seconds", seconds, MIN_ACK_DEADLINE_SECONDS, MAX_ACK_DEADLINE_SECONDS);
    }

    static void requireExtension(int seconds) {
        requireRange("ack deadline extension", seconds, 0, MAX_ACK_DEADLINE_SECONDS);
    }

    static void requireDeliveryAttempts(int attempts) {
        if (attempts < MIN_DELIVERY_ATTEMPTS || attempts > MAX_DELIVERY_ATTEMPTS) {
            throw Errors.outOfRange("Invalid max_delivery_attempts: " + attempts + ", allowed are "
                    + MIN_DELIVERY_ATTEMPTS + " to " + MAX_DELIVERY_ATTEMPTS);
        }
    }

    static void requireRetention(Duration retention) {
        if (Durations.compare(retention, MIN_RETENTION) < 0 || Durations.compare(retention, MAX_RETENTION) > 0) {
            throw Errors.invalid("Invalid message_retention_duration: " + Durations.toString(retention)
                    + ", allowed are 10 minutes to 31 days");
        }
    }

    static void requireBackoff(Duration minimum, Duration maximum) {
        if (Durations.isNegative(minimum)
                || Durations.compare(minimum, maximum) > 0
                || Durations.compare(maximum, MAX_BACKOFF) > 0) {
            throw Errors.invalid("Invalid retry policy: minimum_backoff " + Durations.toString(minimum)
                    + " and maximum_backoff " + Durations.toString(maximum)
                    + " must be between 0s and 600s, and the minimum not above the maximum");
        }
    }

    static void requirePublishable(List<PubsubMessage> messages) {
        requireRange("number of messages", messages.size(), 1, MAX_MESSAGES_PER_PUBLISH);
        messages.forEach(Limits::requirePublishable);
    }

    private static void requirePublishable(PubsubMessage message) {
        Map<String, String> attributes = message.getAttributesMap();
        if (message.getData().isEmpty() && attributes.isEmpty()) {
            throw Errors.invalid("A message must have data or at least one attribute");
        }
        requireRange("message size", message.getData().size(), 0, MAX_MESSAGE_BYTES);
        requireRange("number of attributes", attributes.size(), 0, MAX_ATTRIBUTES);
        requireRange("ordering key size", bytes(message.getOrderingKey()), 0, MAX_ORDERING_KEY_BYTES);
        attributes.forEach((key, value) -> {
            requireRange("attribute key size", bytes(key), 1, MAX_ATTRIBUTE_KEY_BYTES);
            requireRange("attribute value size", bytes(value), 0, MAX_ATTRIBUTE_VALUE_BYTES);
        });
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void requireRange(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw Errors.invalid("Invalid " + what + ": " + value + ", allowed are " + min + " to " + max);
        }
    }
}
