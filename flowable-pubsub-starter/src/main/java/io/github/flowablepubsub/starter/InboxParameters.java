package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.InboxMessage.Seen;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/**
 * Parameters of the endpoint, refused in words.
 *
 * @param showPayload whether errors that may quote bodies are shown, and so may be searched
 */
record InboxParameters(boolean showPayload) {

    private static final Duration MAX_AGE = Duration.ofDays(36_500);
    private static final int MAX_MANY = 10_000;

    /** How many messages a request may go through: it holds a thread so long. */
    static int max(@Nullable Integer max, int otherwise) {
        int many = Objects.requireNonNullElse(max, otherwise);
        if (many < 1 || many > MAX_MANY) {
            throw new IllegalArgumentException("max is " + many + ", allowed: 1 to " + MAX_MANY);
        }
        return many;
    }

    InboxFilter filter(
            @Nullable String state,
            @Nullable String channel,
            @Nullable String channelTenant,
            @Nullable String reason,
            @Nullable String event,
            @Nullable String correlationKey,
            @Nullable String messageId,
            @Nullable Duration olderThan,
            @Nullable String errorText) {
        if (errorText != null && !showPayload) {
            throw new IllegalArgumentException(
                    "errorText looks into errors that may quote bodies, which are not shown here:"
                            + " see flowable.pubsub.admin.show-payload");
        }
        for (String value : Arrays.asList(channel, channelTenant, event, correlationKey, messageId, errorText)) {
            if (value != null && value.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("A parameter has a NUL character, which no message has");
            }
        }
        if (olderThan != null && olderThan.compareTo(MAX_AGE) > 0) {
            throw new IllegalArgumentException("olderThan is " + olderThan + ", allowed: up to " + MAX_AGE);
        }
        List<MessageState> states = state == null
                ? InboxFilter.UNFINISHED.states()
                : Arrays.stream(state.split(",", -1))
                        .map(name -> constant("state", MessageState.class, name))
                        .toList();
        return new InboxFilter(
                states,
                channel,
                channelTenant,
                reason == null ? null : constant("reason", Reason.class, reason),
                event,
                correlationKey,
                messageId,
                olderThan,
                errorText);
    }

    static long id(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw unknown(text, List.of("groups", "the id of a row"));
        }
    }

    /** As it was seen, or as it is now. */
    static Seen seen(
            InboxMessage now, @Nullable String state, @Nullable Integer attempts, @Nullable String nextAttempt) {
        return new Seen(
                now.id(),
                state == null ? now.state() : constant("state", MessageState.class, state),
                Objects.requireNonNullElse(attempts, now.attempts()),
                nextAttempt == null ? now.nextAttempt() : time("nextAttempt", nextAttempt));
    }

    private static OffsetDateTime time(String what, String text) {
        try {
            return OffsetDateTime.parse(text.strip()).withOffsetSameInstant(ZoneOffset.UTC);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "The " + what + " is " + text + ", which is no time as the answers have it: 2026-01-31T12:00:00Z",
                    e);
        }
    }

    static InvalidEndpointRequestException unknown(String value, List<String> allowed) {
        String words = "There is no " + value + ", allowed: " + String.join(", ", allowed);
        return new InvalidEndpointRequestException(words, words);
    }

    private static <E extends Enum<E>> E constant(String what, Class<E> type, String name) {
        String wanted = name.strip().toUpperCase(Locale.ROOT);
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "The " + what + " is " + name + ", allowed: " + Arrays.toString(type.getEnumConstants())));
    }
}
