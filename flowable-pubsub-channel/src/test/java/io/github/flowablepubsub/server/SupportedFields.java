package io.github.flowablepubsub.server;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.pubsub.v1.PushConfig;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import java.util.Set;

/** Which settings of topics and subscriptions are served; all others are refused rather than ignored. */
final class SupportedFields {

    private static final Set<String> TOPIC = Set.of("name", "labels");
    private static final Set<String> SUBSCRIPTION = Set.of(
            "name",
            "topic",
            "ack_deadline_seconds",
            "labels",
            "enable_message_ordering",
            "dead_letter_policy",
            "retry_policy",
            "enable_exactly_once_delivery",
            "retain_acked_messages",
            "message_retention_duration");
    private static final Set<String> UPDATABLE = Set.of(
            "ack_deadline_seconds",
            "labels",
            "dead_letter_policy",
            "retry_policy",
            "enable_exactly_once_delivery",
            "retain_acked_messages",
            "message_retention_duration");

    private SupportedFields() {}

    static void require(Topic topic) {
        require(topic, "topic", TOPIC);
    }

    static void require(Subscription subscription) {
        Subscription.Builder rest = subscription.toBuilder();
        // Clients send the explicit default of it, which asks for nothing.
        if (rest.getPushConfig().equals(PushConfig.getDefaultInstance())) {
            rest.clearPushConfig();
        }
        require(rest.build(), "subscription", SUBSCRIPTION);
    }

    static void requireUpdatable(String path) {
        FieldDescriptor field = Subscription.getDescriptor().findFieldByName(path);
        if (field == null || (SUBSCRIPTION.contains(path) && !UPDATABLE.contains(path))) {
            throw Errors.invalid("subscription." + path + " cannot be updated");
        }
        if (!UPDATABLE.contains(path)) {
            throw Errors.unsupported("subscription." + path);
        }
    }

    private static void require(Message message, String kind, Set<String> supported) {
        for (FieldDescriptor field : message.getAllFields().keySet()) {
            if (!supported.contains(field.getName())) {
                throw Errors.unsupported(kind + "." + field.getName());
            }
        }
    }
}
