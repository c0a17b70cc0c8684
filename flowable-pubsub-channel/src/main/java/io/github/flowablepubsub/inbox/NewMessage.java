package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
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
        OffsetDateTime publishedAt) {

    /** The same message under another id. */
    NewMessage withMessageId(String other) {
        return new NewMessage(
                channelKey,
                channelTenantId,
                tenantId,
                other,
                eventKey,
                correlationKey,
                orderKey,
                payload,
                bodyHash,
                attributes,
                orderingKey,
                publishedAt);
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
