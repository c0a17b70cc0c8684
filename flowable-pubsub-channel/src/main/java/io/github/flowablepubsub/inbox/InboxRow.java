package io.github.flowablepubsub.inbox;

import java.time.Duration;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The oldest open row of a lane, read under the lane's lock. The component order is the column order of
 * {@link LaneMapper#oldestOpen}.
 *
 * @param id row id
 * @param channelKey key of the channel definition
 * @param channelTenantId tenant of the channel definition, empty when there is none
 * @param orderKey what is serialised
 * @param messageId Pub/Sub's message id
 * @param eventKey key of the event definition, null when it could not be read
 * @param correlationKey readable correlation key, null when there is none
 * @param reason why it waited, null unless it waited for a subscription; others may have been written by hand
 * @param attempts look-ups so far; 0 means new, or repaired by hand
 * @param publishedAt Pub/Sub's publish time
 * @param nextAttempt when it is due, null means now
 * @param expiresAt end of its time to live, null while it has not waited
 * @param failedSince first process failure of this series, null when there is none
 * @param payload body as text, see {@link Payload}
 * @param payloadBytes body as bytes, see {@link Payload}
 * @param attributes Pub/Sub attributes as JSON
 * @param orderingKey Pub/Sub's ordering key, null when there is none
 * @param cleared the body is gone, as the retention of a finished row was over
 * @param jobId the job that mirrors it, left from when it was parked or waited; null when there is none
 * @param waitingSince first look-up that could not deliver it, null while it has not waited
 * @param alarmedAt when it raised the alarm for having waited long, null while it has not
 * @param blocked an older message of the same event waits in this lane
 * @param holdsBack younger messages of the same event are held back in this lane
 * @param more the lane has another open row
 * @param now the database's clock
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record InboxRow(
        Long id,
        String channelKey,
        String channelTenantId,
        String orderKey,
        String messageId,
        @Nullable String eventKey,
        @Nullable String correlationKey,
        @Nullable Reason reason,
        Integer attempts,
        OffsetDateTime publishedAt,
        @Nullable OffsetDateTime nextAttempt,
        @Nullable OffsetDateTime expiresAt,
        @Nullable OffsetDateTime failedSince,
        @Nullable String payload,
        byte @Nullable [] payloadBytes,
        String attributes,
        @Nullable String orderingKey,
        Boolean cleared,
        @Nullable String jobId,
        @Nullable OffsetDateTime waitingSince,
        @Nullable OffsetDateTime alarmedAt,
        Boolean blocked,
        Boolean holdsBack,
        Boolean more,
        OffsetDateTime now) {

    /** The lane that this row queues in. */
    public Lane lane() {
        return new Lane(channelKey, channelTenantId, orderKey);
    }

    /** The body as it is stored. */
    public Payload body() {
        return new Payload(payload, payloadBytes);
    }

    /** The message, to read it. */
    public Incoming incoming() {
        return new Incoming(body().toBytes(), Attributes.fromJson(attributes), messageId, orderingKey, publishedAt);
    }

    /** The same row when it is taken. */
    public InboxRow taken(AheadMapper.Taken taken) {
        return readAt(taken.now(), taken.more());
    }

    /** The same row, read with the head of its lane. Whether there is more, only a look tells. */
    public InboxRow behind(InboxRow head) {
        return readAt(head.now, true);
    }

    private InboxRow readAt(OffsetDateTime time, boolean hasMore) {
        return new InboxRow(
                id,
                channelKey,
                channelTenantId,
                orderKey,
                messageId,
                eventKey,
                correlationKey,
                reason,
                attempts,
                publishedAt,
                nextAttempt,
                expiresAt,
                failedSince,
                payload,
                payloadBytes,
                attributes,
                orderingKey,
                cleared,
                jobId,
                waitingSince,
                alarmedAt,
                blocked,
                holdsBack,
                hasMore,
                time);
    }

    /** Whether it may have match keys, see {@link DueMapper#addMatchKeys}: it has waited, or was repaired while it did. */
    public boolean hasWaited() {
        return attempts > 0 || expiresAt != null || reason == Reason.SUSPENDED;
    }

    /** Since when it waits; null while it has not, or was repaired by hand. */
    public @Nullable Waiting waiting() {
        return attempts == 0 || waitingSince == null ? null : new Waiting(waitingSince, alarmedAt);
    }

    /** Whether its time has come, by the database's clock. */
    public boolean due() {
        return nextAttempt == null || !nextAttempt.isAfter(now);
    }

    /** How long until it is due; zero or less when it is. */
    public Duration untilDue() {
        return nextAttempt == null ? Duration.ZERO : Duration.between(now, nextAttempt);
    }

    /** Its time to live was over when it was opened; repaired by hand it is looked up again all the same. */
    public boolean expired() {
        return attempts > 0
                && (reason == Reason.NO_MATCH || reason == Reason.NO_EVENT_DEFINITION)
                && expiresAt != null
                && !expiresAt.isAfter(now);
    }

    /** How operators find it: channel, row and message. */
    public String describe() {
        return "channel " + lane().channel() + ", row " + id + ", message " + messageId;
    }
}
