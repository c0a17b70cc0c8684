package io.github.flowablepubsub.inbox;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which messages. What is null does not count; all others have to fit. A filter of states, of a correlation key, or of channel
 * and message id is found by an index; the rest is compared row by row, among those of the states.
 *
 * @param states at least one; default: those that are not finished
 * @param channelKey key of the channel definition
 * @param channelTenantId tenant of the channel definition, empty for channels without one
 * @param reason a {@link Reason}
 * @param eventKey key of the event definition
 * @param correlationKey as {@code CORRELATION_KEY_} has it: the value, or {@code a=1,b=2}
 * @param messageId Pub/Sub's message id
 * @param olderThan received at least so long ago, by the database's clock
 * @param errorText a part of {@code LAST_ERROR_}, in upper or lower case
 */
public record InboxFilter(
        List<MessageState> states,
        @Nullable String channelKey,
        @Nullable String channelTenantId,
        @Nullable Reason reason,
        @Nullable String eventKey,
        @Nullable String correlationKey,
        @Nullable String messageId,
        @Nullable Duration olderThan,
        @Nullable String errorText) {

    /** Messages that are open, wait or are parked. */
    public static final InboxFilter UNFINISHED = new InboxFilter(
            List.of(MessageState.OPEN, MessageState.WAITING, MessageState.PARKED),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);

    /** Messages that need a human. */
    public static final InboxFilter PARKED = UNFINISHED.withStates(MessageState.PARKED);

    /**
     * Takes a copy.
     *
     * @throws IllegalArgumentException without a state, or when the age is negative
     */
    public InboxFilter {
        if (states.isEmpty()) {
            throw new IllegalArgumentException("A filter of inbox messages names no state; allowed: one or more of "
                    + EnumSet.allOf(MessageState.class));
        }
        if (olderThan != null && olderThan.isNegative()) {
            throw new IllegalArgumentException(
                    "A filter's age (olderThan) is " + olderThan + ", allowed: PT0S or longer");
        }
        states = List.copyOf(EnumSet.copyOf(states));
    }

    /** The same, of these states. */
    public InboxFilter withStates(MessageState... others) {
        return withStates(Set.of(others));
    }

    /** The same, of these states. */
    public InboxFilter withStates(Collection<MessageState> others) {
        return new InboxFilter(
                List.copyOf(others),
                channelKey,
                channelTenantId,
                reason,
                eventKey,
                correlationKey,
                messageId,
                olderThan,
                errorText);
    }

    /** The same, of channels with this key, of any tenant. */
    public InboxFilter withChannel(@Nullable String key) {
        return withChannel(key, null);
    }

    /** The same, of this channel. */
    public InboxFilter withChannel(@Nullable String key, @Nullable String tenantId) {
        return new InboxFilter(
                states, key, tenantId, reason, eventKey, correlationKey, messageId, olderThan, errorText);
    }

    /** The same, with this reason. */
    public InboxFilter withReason(@Nullable Reason other) {
        return new InboxFilter(
                states, channelKey, channelTenantId, other, eventKey, correlationKey, messageId, olderThan, errorText);
    }

    /** The same, with these keys. */
    public InboxFilter withKeys(@Nullable String event, @Nullable String correlation, @Nullable String message) {
        return new InboxFilter(
                states, channelKey, channelTenantId, reason, event, correlation, message, olderThan, errorText);
    }

    /** The same, received at least so long ago. */
    public InboxFilter withOlderThan(@Nullable Duration age) {
        return new InboxFilter(
                states, channelKey, channelTenantId, reason, eventKey, correlationKey, messageId, age, errorText);
    }

    /** The same, with this text in the error. */
    public InboxFilter withErrorText(@Nullable String text) {
        return new InboxFilter(
                states, channelKey, channelTenantId, reason, eventKey, correlationKey, messageId, olderThan, text);
    }

    @Nullable
    Long olderThanMicros() {
        return olderThan == null ? null : TimeUnit.MILLISECONDS.toMicros(olderThan.toMillis());
    }

    /** As a pattern in which only its own ends stand for anything. */
    @Nullable
    String errorPattern() {
        return errorText == null
                ? null
                : "%" + errorText.toLowerCase(Locale.ROOT).replaceAll("([!%_])", "!$1") + "%";
    }
}
