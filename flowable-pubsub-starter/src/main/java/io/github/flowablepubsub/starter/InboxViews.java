package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.inbox.InboxGroup;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.operations.InboxBulk;
import io.github.flowablepubsub.operations.InboxContent;
import io.github.flowablepubsub.operations.InboxGroups;
import io.github.flowablepubsub.operations.InboxPage;
import io.github.flowablepubsub.relay.RepairResult;
import io.github.flowablepubsub.relay.RepairResult.Busy;
import io.github.flowablepubsub.relay.RepairResult.Done;
import io.github.flowablepubsub.relay.RepairResult.NotAsSeen;
import io.github.flowablepubsub.relay.RepairResult.Refused;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * What the endpoint shows, as plain maps: whichever generation of JSON mapper writes them. What is null is left out.
 *
 * @param showPayload whether bodies, attributes, and errors that may quote them, are shown
 */
record InboxViews(boolean showPayload) {

    private static final int CONFLICT = 409;

    /**
     * @param asked the parameters that the page was asked for with, {@code after} apart
     */
    Map<String, Object> page(InboxPage page, Map<String, Object> asked) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("messages", page.messages().stream().map(this::message).toList());
        view.put("more", page.next() != null);
        put(view, "next", page.next());
        if (page.next() != null) {
            Map<String, Object> nextPage = new LinkedHashMap<>(asked);
            nextPage.put("after", page.next());
            view.put("nextPage", nextPage);
        }
        return view;
    }

    /** Names and values by turns, without those that are null. */
    static Map<String, Object> given(@Nullable Object... namesAndValues) {
        Map<String, Object> given = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            put(given, String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return given;
    }

    Map<String, Object> message(InboxMessage message) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", message.id());
        view.put("channel", message.channelKey());
        put(view, "channelTenant", text(message.channelTenantId()));
        put(view, "tenant", text(message.tenantId()));
        view.put("messageId", message.messageId());
        put(view, "event", message.eventKey());
        put(view, "correlationKey", message.correlationKey());
        view.put("orderKey", message.orderKey());
        put(view, "orderingKey", message.orderingKey());
        view.put("state", message.state().name());
        put(view, "reason", message.reason());
        view.put("attempts", message.attempts());
        view.put("duplicates", message.duplicates());
        view.put("publishedAt", message.publishedAt().toString());
        view.put("receivedAt", message.receivedAt().toString());
        put(view, "nextAttempt", message.nextAttempt());
        put(view, "expiresAt", message.expiresAt());
        put(view, "failedSince", message.failedSince());
        put(view, "waitingSince", message.waitingSince());
        put(view, "alarmedAt", message.alarmedAt());
        put(view, "finishedAt", message.finishedAt());
        put(view, "by", message.finishedBy());
        put(view, "job", message.jobId());
        boolean hidden = !showPayload && message.error() != null && Reason.errorMayQuote(message.reason());
        put(view, "error", hidden ? "may quote the body; see flowable.pubsub.admin.show-payload" : message.error());
        return view;
    }

    /** Of those who may see bodies. */
    static Map<String, Object> content(InboxContent content) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("attributes", content.attributes());
        String text = content.body().text();
        view.put(
                "payload",
                text == null ? Base64.getEncoder().encodeToString(content.body().toBytes()) : text);
        view.put("payloadIsBase64", text == null);
        return view;
    }

    Map<String, Object> groups(InboxGroups groups) {
        return Map.of(
                "groups", groups.groups().stream().map(InboxViews::group).toList(), "complete", groups.complete());
    }

    private static Map<String, Object> group(InboxGroup group) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("channel", group.channel().key());
        put(view, "channelTenant", text(group.channel().tenantId()));
        view.put("state", group.state().name());
        put(view, "reason", group.reason());
        view.put("messages", group.messages());
        view.put("oldest", group.oldest().toString());
        return view;
    }

    static WebEndpointResponse<Map<String, Object>> missing(long id) {
        return new WebEndpointResponse<>(
                Map.of("why", "There is no row with id " + id), WebEndpointResponse.STATUS_NOT_FOUND);
    }

    static WebEndpointResponse<Map<String, Object>> result(RepairResult result) {
        return new WebEndpointResponse<>(
                view(result), result instanceof Done ? WebEndpointResponse.STATUS_OK : CONFLICT);
    }

    static Map<String, Object> bulk(InboxBulk bulk) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("done", bulk.done());
        view.put("others", bulk.others());
        view.put("examples", bulk.examples().stream().map(InboxViews::view).toList());
        view.put("stalled", bulk.stalled());
        put(view, "next", bulk.next());
        return view;
    }

    private static Map<String, Object> view(RepairResult result) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", result.id());
        if (result instanceof Done done) {
            view.put("result", "done");
            view.put("state", done.state().name());
        } else if (result instanceof NotAsSeen changed) {
            view.put("result", "notAsSeen");
            put(view, "state", changed.state());
        } else if (result instanceof Refused refused) {
            view.put("result", "refused");
            view.put("why", refused.why());
        } else if (result instanceof Busy busy) {
            view.put("result", "busy");
            view.put("why", busy.why());
        }
        return view;
    }

    private static void put(Map<String, Object> view, String name, @Nullable Object value) {
        if (value != null) {
            view.put(name, value instanceof Number ? value : value.toString());
        }
    }

    /** Some databases keep an empty text as a blank. */
    private static @Nullable String text(String value) {
        return value.isBlank() ? null : value.strip();
    }
}
