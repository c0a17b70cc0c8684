package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A message as its row stands, without body and attributes, for people who look after it. The component order is the column
 * order of {@link LookMapper}.
 *
 * @param id row id
 * @param channelKey key of the channel definition
 * @param channelTenantId tenant of the channel definition, empty when there is none
 * @param tenantId tenant of the event, empty when there is none
 * @param messageId Pub/Sub's message id
 * @param eventKey key of the event definition, null when it could not be read
 * @param correlationKey readable correlation key, null when there is none
 * @param orderKey what is serialised
 * @param orderingKey Pub/Sub's ordering key, null when there is none
 * @param state where it stands
 * @param reason why; the name of a {@link Reason}, or whatever a person has written there
 * @param attempts look-ups so far; 0 means new, or repaired
 * @param duplicates redeliveries and repetitions that were counted
 * @param publishedAt Pub/Sub's publish time
 * @param receivedAt when it was stored
 * @param nextAttempt when it is looked at again, null for now or not by itself
 * @param expiresAt end of its time to live, null while it has none
 * @param failedSince first process failure of this series, null when there is none
 * @param waitingSince first look-up of this wait, null when it does not wait
 * @param alarmedAt when it raised the alarm of {@code policy.buffer.alarmAfter}, null while it has not
 * @param finishedAt when it was delivered or discarded
 * @param finishedBy who repaired, parked or discarded it by hand, null when nobody did
 * @param error what happened last; see {@link Reason#errorMayQuote(String)}
 * @param cleared the body is gone, as the retention of a finished row was over
 * @param jobId the dead-letter job, or after the alarm timer job, that mirrors it, null when none does
 * @param now the database's clock at the look
 */
public record InboxMessage(
        Long id,
        String channelKey,
        String channelTenantId,
        String tenantId,
        String messageId,
        @Nullable String eventKey,
        @Nullable String correlationKey,
        String orderKey,
        @Nullable String orderingKey,
        MessageState state,
        @Nullable String reason,
        Integer attempts,
        Integer duplicates,
        OffsetDateTime publishedAt,
        OffsetDateTime receivedAt,
        @Nullable OffsetDateTime nextAttempt,
        @Nullable OffsetDateTime expiresAt,
        @Nullable OffsetDateTime failedSince,
        @Nullable OffsetDateTime waitingSince,
        @Nullable OffsetDateTime alarmedAt,
        @Nullable OffsetDateTime finishedAt,
        @Nullable String finishedBy,
        @Nullable String error,
        Boolean cleared,
        @Nullable String jobId,
        OffsetDateTime now) {

    /** Its channel. */
    public ChannelId channel() {
        return lane().channel();
    }

    /** The lane that it queues in. */
    public Lane lane() {
        return new Lane(channelKey, channelTenantId, orderKey);
    }

    /** What a change of it is guarded by. */
    public Seen seen() {
        return new Seen(id, state, attempts, nextAttempt);
    }

    /** Whether it waits only for what is before it. */
    public boolean heldBack() {
        return state == MessageState.WAITING && Reason.HELD_BACK.name().equals(reason);
    }

    /** How operators find it: channel, row and message. */
    public String describe() {
        return "channel " + channel() + ", row " + id + ", message " + messageId;
    }

    /**
     * A row as somebody saw it. What changed since then is not overwritten.
     *
     * @param id row id
     * @param state that was seen
     * @param attempts that were seen
     * @param nextAttempt that was seen: a repair sets it anew, so one that was repaired and has failed again is another. Only a
     *     repair by SQL that leaves {@code NEXT_ATTEMPT_} as it was, unlike the README's, can't be told
     */
    public record Seen(long id, MessageState state, int attempts, @Nullable OffsetDateTime nextAttempt) {

        private static final long NONE = -1;

        /** The next attempt for statements: microseconds since 1970, or a number that is no time. */
        public long micros() {
            return nextAttempt == null ? NONE : MicrosTypeHandler.micros(nextAttempt);
        }
    }
}
