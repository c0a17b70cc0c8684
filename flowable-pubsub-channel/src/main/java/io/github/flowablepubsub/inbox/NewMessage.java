package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message to store. Its keys are frozen from here on; null where they can't be read.
 *
 * @param channelKey key of the channel definition
 * @param channelTenantId tenant of the channel definition, empty when there is none
 * @param tenantId tenant of the event, empty when there is none
 * @param messageId Pub/Sub's message id, unique per channel and tenant
 * @param eventKey key of the event definition
 * @param correlationKey readable correlation key
 * @param orderKey what is serialised
 * @param payload the body
 * @param bodyHash SHA-256 of the body
 * @param attributes Pub/Sub attributes as JSON
 * @param orderingKey Pub/Sub's ordering key
 * @param publishedAt Pub/Sub's publish time
 * @param dedupKey business key, by which it is the same as another message; null when it has none
 * @param conflict how it contradicts the message that has the same business key; null when it does not
 */
public record NewMessage(
        String channelKey,
        String channelTenantId,
        String tenantId,
        String messageId,
        @Nullable String eventKey,
        @Nullable String correlationKey,
        String orderKey,
        Payload payload,
        String bodyHash,
        String attributes,
        @Nullable String orderingKey,
        OffsetDateTime publishedAt,
        @Nullable String dedupKey,
        @Nullable String conflict) {

    /** A message without a business key. */
    public NewMessage(
            String channelKey,
            String channelTenantId,
            String tenantId,
            String messageId,
            @Nullable String eventKey,
            @Nullable String correlationKey,
            String orderKey,
            Payload payload,
            String bodyHash,
            String attributes,
            @Nullable String orderingKey,
            OffsetDateTime publishedAt) {
        this(
                channelKey,
                channelTenantId,
                tenantId,
                messageId,
                eventKey,
                correlationKey,
                orderKey,
                payload,
                bodyHash,
                attributes,
                orderingKey,
                publishedAt,
                null,
                null);
    }

    /** The same message with a business key. */
    public NewMessage withDedupKey(String key) {
        return with(messageId, key, null);
    }

    /** The same message, which contradicts another one. */
    NewMessage conflicting(String key, String detail) {
        return with(messageId, key, detail);
    }

    /** The same message under another id. */
    NewMessage withMessageId(String other) {
        return with(other, dedupKey, conflict);
    }

    private NewMessage with(String id, @Nullable String key, @Nullable String detail) {
        return new NewMessage(
                channelKey,
                channelTenantId,
                tenantId,
                id,
                eventKey,
                correlationKey,
                orderKey,
                payload,
                bodyHash,
                attributes,
                orderingKey,
                publishedAt,
                key,
                detail);
    }

    /** Pub/Sub attributes. */
    public Map<String, String> attributeMap() {
        return Attributes.fromJson(attributes);
    }

    /** State that it is stored in. */
    public MessageState state() {
        return conflict == null ? MessageState.OPEN : MessageState.PARKED;
    }

    /** Why it is stored in this state. */
    public @Nullable Reason reason() {
        return conflict == null ? null : Reason.DUPLICATE_CONFLICT;
    }

    /** Whether it shares its lane with no other message. */
    public boolean isAlone() {
        return orderKey.equals(Keys.ownLane(messageId));
    }

    /** The lane that this message queues in. */
    public Lane lane() {
        return new Lane(channelKey, channelTenantId, orderKey);
    }
}
