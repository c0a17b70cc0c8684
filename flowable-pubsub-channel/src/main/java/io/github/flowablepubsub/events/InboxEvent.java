package io.github.flowablepubsub.events;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.MirrorMapper.Standing;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that an app may want to know. What is told of a message was committed before. Never has a payload, nor a text that
 * can quote one. What plain SQL does to a row is not told.
 */
public sealed interface InboxEvent {

    /**
     * Which message.
     *
     * @param channel key and tenant of the channel
     * @param row id of its row; null where it was stored a moment ago, or has none
     * @param messageId Pub/Sub's message id
     * @param eventKey key of the event definition; null where it could not be read, or is not at hand
     * @param correlationKey readable correlation key; null where there is none, or it is not at hand
     */
    record Message(
            ChannelId channel,
            @Nullable Long row,
            String messageId,
            @Nullable String eventKey,
            @Nullable String correlationKey) {

        /** Of a row that the relay has read. */
        public static Message of(InboxRow row) {
            return new Message(row.lane().channel(), row.id(), row.messageId(), row.eventKey(), row.correlationKey());
        }

        /** Of a row that an operator has changed. */
        public static Message of(InboxMessage row) {
            return new Message(row.channel(), row.id(), row.messageId(), row.eventKey(), row.correlationKey());
        }

        /** Of a row that a person has moved or discarded. */
        public static Message of(Standing row) {
            return new Message(row.lane().channel(), row.id(), row.messageId(), null, null);
        }

        /** Of a message that was stored. */
        public static Message of(NewMessage message) {
            return new Message(
                    message.lane().channel(), null, message.messageId(), message.eventKey(), message.correlationKey());
        }
    }

    /**
     * A message has reached its receivers.
     *
     * @param reason {@code UNIQUE_INSTANCE_EXISTS} when there was nothing to do; else null
     */
    record Delivered(Message message, @Nullable Reason reason) implements InboxEvent {}

    /**
     * A delivery failed and is tried again.
     *
     * @param reason {@code PROCESS_FAILED} or {@code INFRASTRUCTURE_FAILED}
     * @param attempts how many there have been
     * @param nextAttempt when, by the database's clock; null is at once
     */
    record DeliveryFailed(Message message, Reason reason, int attempts, @Nullable OffsetDateTime nextAttempt)
            implements InboxEvent {}

    /**
     * A message has waited for longer than {@code policy.buffer.alarmAfter}, and goes on waiting. Told once.
     *
     * @param reason {@code NO_MATCH}, {@code NO_EVENT_DEFINITION} or {@code SUSPENDED}
     * @param waitingSince its first look-up in vain, by the database's clock
     * @param expiresAt end of its time to live; null while its receiver is suspended
     */
    record Alarmed(Message message, Reason reason, OffsetDateTime waitingSince, @Nullable OffsetDateTime expiresAt)
            implements InboxEvent {}

    /**
     * A message needs a person.
     *
     * @param by who took it out of the way; null when the plugin parked it
     */
    record Parked(Message message, Reason reason, @Nullable String by) implements InboxEvent {

        /** By the plugin. */
        public Parked(Message message, Reason reason) {
            this(message, reason, null);
        }
    }

    /**
     * A message is tried again as if it were new: through {@code PubSubInboxService}, or as its dead-letter job was moved.
     *
     * @param by who did it; null where that is not known, as of a job
     */
    record Repaired(Message message, @Nullable String by) implements InboxEvent {

        /** By nobody who is known. */
        public Repaired(Message message) {
            this(message, null);
        }
    }

    /**
     * A message was dropped on purpose; its row stays for the deduplication window.
     *
     * @param reason why the policy dropped it; null when a person did
     * @param by who did; null when the plugin did, or that is not known
     */
    record Discarded(Message message, @Nullable Reason reason, @Nullable String by) implements InboxEvent {}

    /**
     * Who waits for an event.
     *
     * @param definition key of the process definition; of a case the definition's id
     * @param instance id of the process or case instance; null for a start
     * @param execution id of the execution or plan item instance; null for a start
     * @param since when its subscription was made, by the engine's clock
     */
    record Receiver(
            String definition,
            String tenantId,
            @Nullable String instance,
            @Nullable String execution,
            @Nullable String activity,
            @Nullable String businessKey,
            @Nullable Instant since) {}

    /**
     * A subscription was committed whose event and correlation another one has, too, and channels allow one receiver: the
     * next message will be ambiguous, unless all but one are removed before it comes. Told once by each node that committed one.
     *
     * @param configuration what the engine keeps of the correlation: a hash of its parameters' values
     * @param receivers two or more; of very many a part
     */
    record DoubleSubscription(String eventKey, String configuration, List<Receiver> receivers) implements InboxEvent {
        /** Takes a copy. */
        public DoubleSubscription {
            receivers = List.copyOf(receivers);
        }
    }

    /**
     * The subscriber of a channel died, or the database takes no messages; it is started again.
     *
     * @param subscription full name
     * @param error what the client library or the database said
     * @param failures how often in a row
     * @param restartIn pause until then
     */
    record ConsumerFailed(ChannelId channel, String subscription, String error, int failures, Duration restartIn)
            implements InboxEvent {}

    /**
     * The subscriber of a channel runs again.
     *
     * @param subscription full name
     */
    record ConsumerRecovered(ChannelId channel, String subscription) implements InboxEvent {}
}
