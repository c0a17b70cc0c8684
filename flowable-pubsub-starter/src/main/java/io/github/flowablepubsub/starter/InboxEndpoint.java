package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.InboxMessage.Seen;
import io.github.flowablepubsub.operations.InboxPage;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.relay.RepairResult;
import java.security.Principal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/**
 * {@code PubSubInboxService} over HTTP and JMX, as far as the app exposes it. Whoever is logged in is the actor of what is done;
 * without a login the request has to name one. Spring's own annotation for parameters that may be left out, as Spring Boot 3
 * knows no other.
 */
@Endpoint(id = "pubsubinbox")
@SuppressWarnings("deprecation") // of the annotation, in Spring 7
public class InboxEndpoint {

    private static final int DEFAULT_LIMIT = 100;
    private static final int DEFAULT_MAX = 1000;

    private final PubSubInboxService service;
    private final InboxParameters parameters;
    private final InboxViews views;

    /**
     * @param service of this app
     * @param showPayload whether bodies, and errors that may quote them, are shown
     */
    public InboxEndpoint(PubSubInboxService service, boolean showPayload) {
        this.service = service;
        this.parameters = new InboxParameters(showPayload);
        this.views = new InboxViews(showPayload);
    }

    /**
     * A page of messages; with {@code more}, and if there are, as {@code nextPage} the parameters of the next page.
     *
     * @param state one or several with commas between; default: those that are not finished
     * @param after {@code next} of the page before
     * @param limit 1 to 1000, default 100
     * @param newest the newest first; default the oldest
     */
    @ReadOperation
    public Map<String, Object> find(
            @Nullable String state,
            @Nullable String channel,
            @Nullable String channelTenant,
            @Nullable String reason,
            @Nullable String event,
            @Nullable String correlationKey,
            @Nullable String messageId,
            @Nullable Duration olderThan,
            @Nullable String errorText,
            @Nullable Long after,
            @Nullable Integer limit,
            @Nullable Boolean newest) {
        return checked(() -> {
            InboxFilter filter = parameters.filter(
                    state, channel, channelTenant, reason, event, correlationKey, messageId, olderThan, errorText);
            int most = Objects.requireNonNullElse(limit, DEFAULT_LIMIT);
            InboxPage page = Boolean.TRUE.equals(newest)
                    ? service.findNewest(filter, Objects.requireNonNullElse(after, Long.MAX_VALUE), most)
                    : service.find(filter, Objects.requireNonNullElse(after, 0L), most);
            Map<String, Object> asked = InboxViews.given(
                    "state",
                    state,
                    "channel",
                    channel,
                    "channelTenant",
                    channelTenant,
                    "reason",
                    reason,
                    "event",
                    event,
                    "correlationKey",
                    correlationKey,
                    "messageId",
                    messageId,
                    "olderThan",
                    olderThan,
                    "errorText",
                    errorText,
                    "limit",
                    limit,
                    "newest",
                    newest);
            return views.page(page, asked);
        });
    }

    /**
     * One message with its explanation, and its body if bodies are shown; or counts by channel, state and reason.
     *
     * @param what id of the row, or {@code groups}
     */
    @ReadOperation
    public WebEndpointResponse<Map<String, Object>> look(@Selector String what) {
        if (what.equals("groups")) {
            return new WebEndpointResponse<>(views.groups(service.groups()));
        }
        long id = InboxParameters.id(what);
        InboxMessage message = service.get(id).orElse(null);
        if (message == null) {
            return InboxViews.missing(id);
        }
        Map<String, Object> view = new LinkedHashMap<>(views.message(message));
        view.put("explanation", service.explain(id));
        if (views.showPayload()) {
            service.content(id).ifPresent(content -> view.putAll(InboxViews.content(content)));
        }
        return new WebEndpointResponse<>(view);
    }

    /**
     * Does the same to many messages, in the order of their receipt.
     *
     * @param action {@code retry} or {@code discard}
     * @param max go through no more than so many; default 1000. The answer's {@code next} is what to go on with, as {@code after}
     * @param why of a discard
     * @param actor who does it, unless somebody is logged in
     */
    @WriteOperation
    public Map<String, Object> many(
            SecurityContext login,
            @Selector String action,
            @Nullable String state,
            @Nullable String channel,
            @Nullable String channelTenant,
            @Nullable String reason,
            @Nullable String event,
            @Nullable String correlationKey,
            @Nullable String messageId,
            @Nullable Duration olderThan,
            @Nullable String errorText,
            @Nullable Long after,
            @Nullable Integer max,
            @Nullable String why,
            @Nullable String actor) {
        return checked(() -> {
            InboxFilter filter = parameters.filter(
                    state, channel, channelTenant, reason, event, correlationKey, messageId, olderThan, errorText);
            // A parameter whose name is mistyped is not seen at all: it must not end in all messages.
            if (state == null && filter.equals(InboxFilter.UNFINISHED)) {
                throw new IllegalArgumentException(
                        "The request names no messages: give one or several of state, channel,"
                                + " reason, event, correlationKey, messageId, olderThan; state=OPEN,WAITING,PARKED for all");
            }
            long from = Objects.requireNonNullElse(after, 0L);
            int most = InboxParameters.max(max, DEFAULT_MAX);
            String who = actor(login, actor);
            return InboxViews.bulk(
                    switch (action) {
                        case "retry" -> service.retryAll(filter, from, most, who);
                        case "discard" -> service.discardAll(filter, from, most, who, given(why));
                        default -> throw InboxParameters.unknown(action, List.of("retry", "discard"));
                    });
        });
    }

    /**
     * Does something to one message: as it was seen, as far as state, attempts and nextAttempt say how that was, else as it is.
     *
     * @param id of the row
     * @param action {@code retry}, {@code discard}, {@code park} or {@code deliver}
     * @param state as it was seen
     * @param attempts as they were seen
     * @param nextAttempt as it was seen: tells one that was tried again and has failed in the same way
     * @param why of a discard, or of parking
     * @param receiver of {@code deliver}: id of its execution or process instance
     * @param actor who does it, unless somebody is logged in
     * @return with status 409 when it was not done
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, Object>> one(
            SecurityContext login,
            @Selector long id,
            @Selector String action,
            @Nullable String state,
            @Nullable Integer attempts,
            @Nullable String nextAttempt,
            @Nullable String why,
            @Nullable String receiver,
            @Nullable String actor) {
        return checked(() -> {
            String who = actor(login, actor);
            Function<Seen, RepairResult> change =
                    switch (action) {
                        case "retry" -> seen -> service.retry(seen, who);
                        case "discard" -> seen -> service.discard(seen, who, given(why));
                        case "park" -> seen -> service.park(seen, who, given(why));
                        case "deliver" -> seen -> service.deliver(seen, given(receiver), who);
                        default ->
                            throw InboxParameters.unknown(action, List.of("retry", "discard", "park", "deliver"));
                    };
            InboxMessage message = service.get(id).orElse(null);
            return message == null
                    ? InboxViews.missing(id)
                    : InboxViews.result(change.apply(InboxParameters.seen(message, state, attempts, nextAttempt)));
        });
    }

    private static String actor(SecurityContext login, @Nullable String actor) {
        Principal principal = login.getPrincipal();
        return principal == null ? given(actor) : principal.getName();
    }

    /** The service refuses what is blank, in words. */
    private static String given(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** What the request is to blame for is its own failure, not the server's. */
    private static <T> T checked(Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            String words = String.valueOf(e.getMessage());
            throw new InvalidEndpointRequestException(words, words);
        }
    }
}
