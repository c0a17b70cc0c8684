package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message to read, from Pub/Sub or from its row: the same both times.
 *
 * @param body as it came
 * @param attributes Pub/Sub attributes, among them what the client library puts there
 * @param messageId Pub/Sub's message id
 * @param orderingKey Pub/Sub's ordering key, null when there is none
 * @param publishedAt Pub/Sub's publish time, in microseconds
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Incoming(
        byte[] body,
        Map<String, String> attributes,
        String messageId,
        @Nullable String orderingKey,
        OffsetDateTime publishedAt) {}
