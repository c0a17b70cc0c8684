package io.github.flowablepubsub.subscriber;

import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import io.github.flowablepubsub.channel.ChannelPolicy;
import io.github.flowablepubsub.channel.MessageKeys;
import io.github.flowablepubsub.channel.MessageReader;
import io.github.flowablepubsub.channel.Reading;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.Attributes;
import io.github.flowablepubsub.inbox.Incoming;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.Payload;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** From Pub/Sub's message to the row: reads the keys; a message that can't be read is kept raw (rules R1, R8). */
final class MessageConverter {

    private final MessageReader reader;

    MessageConverter(MessageReader reader) {
        this.reader = reader;
    }

    /** Before a batch: keys are frozen with the definitions that are deployed now. */
    void begin() {
        reader.refresh();
    }

    /**
     * Converts.
     *
     * @throws RuntimeException when the database failed while the keys were read
     */
    NewMessage convert(RegisteredChannel channel, PubsubMessage message) {
        byte[] body = message.getData().toByteArray();
        Reading reading = reader.read(
                channel,
                new Incoming(
                        body,
                        message.getAttributesMap(),
                        message.getMessageId(),
                        orderingKey(message),
                        time(message.getPublishTime()).truncatedTo(ChronoUnit.MICROS)));
        ChannelPolicy policy = channel.config().policy();
        NewMessage row = row(
                channel,
                message,
                Payload.of(body),
                MessageKeys.of(reading, message.getMessageId(), policy.order(), message.getOrderingKey()));
        String dedupKey = policy.deduplication().key(reading, message.getAttributesMap());
        return dedupKey == null ? row : row.withDedupKey(dedupKey);
    }

    /** The last resort for a message that the table refuses: no keys, the body as bytes. */
    NewMessage raw(RegisteredChannel channel, PubsubMessage message) {
        MessageKeys none = new MessageKeys(null, "", null, Keys.ownLane(message.getMessageId()));
        return row(channel, message, new Payload(null, message.getData().toByteArray()), none);
    }

    private static NewMessage row(RegisteredChannel channel, PubsubMessage message, Payload payload, MessageKeys keys) {
        return new NewMessage(
                channel.id().key(),
                channel.id().tenantId(),
                keys.tenantId(),
                message.getMessageId(),
                keys.eventKey(),
                keys.correlationKey(),
                keys.orderKey(),
                payload,
                Keys.sha256(message.getData().toByteArray()),
                Attributes.toJson(message.getAttributesMap()),
                orderingKey(message),
                time(message.getPublishTime()));
    }

    private static @Nullable String orderingKey(PubsubMessage message) {
        return message.getOrderingKey().isEmpty() ? null : Keys.text(message.getOrderingKey(), 1024);
    }

    private static OffsetDateTime time(Timestamp time) {
        Instant instant = Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
