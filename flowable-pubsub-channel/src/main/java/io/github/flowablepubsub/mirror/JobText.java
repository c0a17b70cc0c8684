package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.inbox.Advice;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MirrorMapper.Facts;
import io.github.flowablepubsub.inbox.Payload;
import io.github.flowablepubsub.inbox.Reason;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a job shows of a message: a line for lists, and a record in place of the stack trace. Values are foreign: they can
 * neither break the job's columns nor forge lines of the record.
 */
final class JobText {

    /** Characters of a body that a record shows. */
    static final int MAX_BODY = 100_000;

    private static final Pattern EXCEPTION = Pattern.compile("(?:^|caused by )([\\w.$]+(?:Exception|Error))\\b");

    private static final Pattern LINE = Pattern.compile("(.{1,92})(?:\\s+|$)");

    private final Facts row;
    private final boolean showPayload;

    JobText(Facts row, boolean showPayload) {
        this.row = row;
        this.showPayload = showPayload;
    }

    /** The reason code first. */
    String message() {
        String reason = row.reason() == null ? "PARKED" : row.reason();
        return plane(Keys.printable(reason) + ": " + error().replaceAll("\\s+", " "));
    }

    /** Everything that is known of a parked message, readable. */
    String parked() {
        return record(
                "A Pub/Sub message reached no process. It is kept in FLW_PUBSUB_INBOX until someone decides.",
                Advice.of(row.reason())
                        + "\nThen move this job: the message is tried again. Or delete it: the message is discarded.");
    }

    /** The same of one that waits for long. */
    String waiting() {
        return record(
                "A Pub/Sub message waits in FLW_PUBSUB_INBOX for longer than policy.buffer.alarmAfter, and goes on waiting.",
                "Nobody waits for this message yet. See whether its instance ended, never started, or has another key. It is"
                        + " delivered by itself as soon as one waits for it."
                        + "\nMove this job to have it looked up now. Or delete it: the message is discarded.");
    }

    private String record(String what, String toDo) {
        String rows = List.of(
                        line("Row", row.id()),
                        line(
                                "Channel",
                                new ChannelId(
                                        row.channelKey(), row.channelTenantId().strip())),
                        line("Message id", row.messageId()),
                        line("Event", row.eventKey()),
                        line("Correlation key", row.correlationKey()),
                        line("Order key", row.orderKey()),
                        line("Ordering key", row.orderingKey()),
                        line("Tenant", row.tenantId().strip()),
                        line("Published", row.publishedAt()),
                        line("Received", row.receivedAt()),
                        line("Reason", row.reason()),
                        line("Attempts", row.attempts()),
                        line("Waiting since", row.waitingSince()),
                        line("Expires", row.expiresAt()),
                        line("Failing since", row.failedSince()),
                        line("Redeliveries", row.duplicates()))
                .stream()
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
        return """
                %s

                What happened
                %s

                What to do
                %s

                The message
                %s

                Attributes
                %s

                Payload
                %s
                """
                .formatted(what, wrapped(error()), wrapped(toDo), rows, indented(Keys.text(row.attributes())), body());
    }

    /** Lines that fit into the Admin UI's page, one for each of several candidates. */
    private static String wrapped(String text) {
        return indented(text.replace("; ", ";\n")
                .lines()
                .map(line -> LINE.matcher(line).replaceAll("$1\n").stripTrailing())
                .collect(Collectors.joining("\n")));
    }

    private static String line(String name, @Nullable Object value) {
        String text = value == null ? "" : value.toString();
        return text.isEmpty() ? "" : "  %-16s %s".formatted(name, Keys.printable(text));
    }

    /** What parsers and processes say can quote the body: without it only the kinds of exceptions are told. */
    private String error() {
        String error = Objects.requireNonNullElse(row.error(), "no error is known");
        if (showPayload || row.error() == null || !Reason.errorMayQuote(row.reason())) {
            return Keys.text(error);
        }
        String kinds = EXCEPTION
                .matcher(error)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .collect(Collectors.joining(", caused by "));
        return kinds + (kinds.isEmpty() ? "" : ". ") + "The rest may quote the message: see LAST_ERROR_ of row "
                + row.id() + ", or set flowable.pubsub.admin.show-payload";
    }

    private String body() {
        if (row.cleared()) {
            return "  cleared after policy.retention.payload";
        }
        if (!showPayload) {
            return "  not shown, as flowable.pubsub.admin.show-payload is false; see PAYLOAD_ or PAYLOAD_BYTES_ of row "
                    + row.id();
        }
        Payload body = new Payload(row.payload(), row.payloadBytes());
        String text = body.text();
        if (text == null) {
            return "  %d bytes that are not text; see PAYLOAD_BYTES_ of row %d"
                    .formatted(body.toBytes().length, row.id());
        }
        return text.length() <= MAX_BODY
                ? text
                : text.substring(0, MAX_BODY)
                        + "\n  cut after %d of %d characters; all of it is in PAYLOAD_ of row %d"
                                .formatted(MAX_BODY, text.length(), row.id());
    }

    private static String indented(String text) {
        return "  " + text.replaceAll("\\R", "\n  ");
    }

    /** Flowable's tables on MySQL hold the basic plane of Unicode only. */
    static String plane(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        Keys.text(text)
                .codePoints()
                .map(c -> Character.isBmpCodePoint(c) ? c : 0xFFFD)
                .forEach(safe::appendCodePoint);
        return safe.toString();
    }
}
