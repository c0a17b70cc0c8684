package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.Attributes;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.Payload;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every column gives back what was put in, to the byte and to the microsecond. */
interface ColumnContract {

    InboxBench bench();

    /**
     * Times that a session in Newfoundland or a JVM in New Zealand could take for others: hours that come twice and hours
     * that are left out there, first and last digits.
     */
    static List<OffsetDateTime> trickyTimes() {
        return Stream.of(
                        "1970-01-01T00:00:01Z",
                        "2026-03-08T02:30:00.000001Z",
                        "2026-03-08T06:00:00Z",
                        "2026-04-04T13:30:00.999999Z",
                        "2026-04-04T14:30:00.999998Z",
                        "2026-09-26T14:30:00.1Z",
                        "2026-09-27T02:30:00.1Z",
                        "2026-11-01T01:40:00.123456Z",
                        "2026-11-01T04:10:00.123457Z",
                        "2026-11-01T05:10:00.123456Z",
                        "2038-01-19T03:14:05.999999Z")
                .map(OffsetDateTime::parse)
                .toList();
    }

    /** A body and what is special about it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Body(String name, byte[] bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Body> bodies() {
        byte[] random = new byte[10_000_000];
        new Random(1).nextBytes(random);
        return List.of(
                text("empty", ""),
                text("blanks", "  \t\r\n "),
                text("emoji", "😀👩‍👩‍👧 \uD83C\uDFF4\uDB40\uDC67 \uDBFF\uDFFF"),
                text("quotes and backslashes", "\\ \\\\ \\n \\0 \\u0000 ' '' \" ` % _ ; -- /* ? :x #{x} ${prefix} \\'"),
                text("NUL", "a\0b"),
                text("byte order mark and not-a-character", "\uFEFF\uFFFF\uFFFE\u2028"),
                text("combining", "e\u0301 \u00E9 \u1E9E ß ı İ"),
                new Body("lone surrogate", new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}),
                new Body("all bytes", allBytes()),
                text("10 MB of two-byte characters", "ü".repeat(5_000_000)),
                text("10 MB of quotes and backslashes", "'\\".repeat(5_000_000)),
                new Body("10 MB of anything", random));
    }

    private static byte[] allBytes() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    private static Body text(String name, String text) {
        return new Body(name, text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("io.github.flowablepubsub.it.ColumnContract#bodies")
    default void aBodyComesBackToTheByte(Body body) {
        ChannelId channel = bench().newChannel();
        bench().store
                .store(
                        channel,
                        List.of(InboxBench.message(channel, "1", "key", "event", InboxBench.NOON, body.bytes())));
        assertThat(bench().head(channel, "key").body().toBytes()).isEqualTo(body.bytes());
    }

    @Test
    default void everyColumnOfAMessageComesBack() {
        String any = "Grüße '😀' \"\\\" %_ #{x} ${prefix} 漢字";
        ChannelId channel = new ChannelId(any, "tenant " + any);
        String attributes = Attributes.toJson(Map.of("a\0b", any, "leer", "", "einsam\ud800", "\\u0000"));
        bench().store
                .store(
                        channel,
                        List.of(new NewMessage(
                                channel.key(),
                                channel.tenantId(),
                                "event's tenant",
                                "id " + any,
                                "event " + any,
                                "correlation " + any,
                                "order " + any,
                                Payload.of(any.getBytes(StandardCharsets.UTF_8)),
                                Keys.sha256(any.getBytes(StandardCharsets.UTF_8)),
                                attributes,
                                "o".repeat(1024),
                                InboxBench.NOON)));
        InboxRow row = bench().head(channel, "order " + any);
        assertThat(row.channelKey()).isEqualTo(channel.key());
        assertThat(row.channelTenantId()).isEqualTo(channel.tenantId());
        assertThat(row.orderKey()).isEqualTo("order " + any);
        assertThat(row.messageId()).isEqualTo("id " + any);
        assertThat(row.eventKey()).isEqualTo("event " + any);
        assertThat(row.correlationKey()).isEqualTo("correlation " + any);
        assertThat(row.body().text()).isEqualTo(any);
        assertThat(row.attributes()).isEqualTo(attributes);
        assertThat(row.attempts()).isZero();
        assertThat(row.reason()).isNull();
        assertThat(row.expiresAt()).isNull();
        assertThat(row.failedSince()).isNull();
        assertThat(row.blocked() || row.holdsBack() || row.more()).isFalse();
        assertThat(bench().database
                        .strings("select TENANT_ID_ from FLW_PUBSUB_INBOX where ORDERING_KEY_ = '" + "o".repeat(1024)
                                + "'"))
                .containsExactly("event's tenant");
    }

    @Test
    default void publishTimesComeBackToTheMicrosecondAndInTheirOrder() {
        ChannelId channel = bench().newChannel();
        List<OffsetDateTime> times = new ArrayList<>(trickyTimes());
        Collections.shuffle(times, new Random(1));
        List<NewMessage> messages = new ArrayList<>();
        for (OffsetDateTime time : times) {
            // the same moment as another zone writes it
            OffsetDateTime written = time.withOffsetSameInstant(ZoneOffset.ofHours(messages.size() % 12));
            messages.add(InboxBench.message(channel, time.toString(), "key", "event", written));
        }
        bench().store.store(channel, messages);
        for (OffsetDateTime expected : trickyTimes()) {
            InboxRow head = bench().head(channel, "key");
            assertThat(head.messageId()).isEqualTo(expected.toString());
            assertThat(bench().moment("PUBLISHED_AT_", head.id())).isEqualTo(expected.toInstant());
            finish(head);
        }
    }

    private void finish(InboxRow row) {
        RowChange done = new RowChange(MessageState.DONE, null, null, null, null, null);
        assertThat((int) bench().call(session -> session.lanes().change(row.id(), row.attempts(), done)))
                .isEqualTo(1);
    }

    @Test
    default void timesOfAChangeComeBackToTheMicrosecond() {
        ChannelId channel = bench().newChannel();
        bench().store.store(channel, List.of(InboxBench.message(channel, "1", "key")));
        List<OffsetDateTime> times = trickyTimes();
        for (int i = 0; i < times.size(); i++) {
            InboxRow row = bench().head(channel, "key");
            RowChange change = new RowChange(
                    MessageState.OPEN,
                    Reason.NO_MATCH,
                    times.get(i),
                    times.get((i + 1) % times.size()),
                    times.get((i + 2) % times.size()),
                    null);
            assertThat((int) bench().call(session -> session.lanes().change(row.id(), row.attempts(), change)))
                    .isEqualTo(1);
            InboxRow changed = bench().head(channel, "key");
            assertThat(Stream.of(changed.nextAttempt(), changed.expiresAt(), changed.failedSince()))
                    .as("with %s", times.get(i))
                    .usingElementComparator(OffsetDateTime.timeLineOrder())
                    .containsExactly(change.nextAttempt(), change.expiresAt(), change.failedSince());
        }
    }

    /** A time to live of a thousand years must not fail a message. */
    @Test
    default void aTimeThatAColumnCannotHoldIsItsLast() {
        ChannelId channel = bench().newChannel();
        bench().store.store(channel, List.of(InboxBench.message(channel, "1", "key")));
        for (String far : List.of("2038-01-19T03:14:08Z", "2300-01-01T00:00:00Z", "9999-01-01T00:00:00Z")) {
            InboxRow row = bench().head(channel, "key");
            OffsetDateTime time = OffsetDateTime.parse(far);
            OffsetDateTime end = bench().endOfTime();
            RowChange change = new RowChange(MessageState.OPEN, Reason.NO_MATCH, time, time, null, null);
            bench().call(session -> session.lanes().change(row.id(), row.attempts(), change));
            InboxRow changed = bench().head(channel, "key");
            assertThat(changed.nextAttempt()).isEqualTo(time.isAfter(end) ? end : time);
            assertThat(changed.expiresAt()).isEqualTo(time.isAfter(end) ? end : time);
        }
    }

    @Test
    default void aChangeWritesItsColumnsAndKeepsTheOthers() {
        ChannelId channel = bench().newChannel();
        bench().store.store(channel, List.of(InboxBench.message(channel, "1", "key")));
        InboxRow row = bench().head(channel, "key");
        String error = "😀\\'".repeat(1000);
        RowChange failed = new RowChange(
                MessageState.OPEN, Reason.INFRASTRUCTURE_FAILED, InboxBench.NOON, null, InboxBench.NOON, error);
        bench().call(session -> session.lanes().change(row.id(), 0, failed));
        RowChange waiting = new RowChange(MessageState.WAITING, Reason.NO_MATCH, null, InboxBench.NOON, null, null);
        bench().call(session -> session.lanes().change(row.id(), 1, waiting));
        InboxTable.Row changed = bench().row(row.id());
        assertThat(changed.state()).isEqualTo("WAITING");
        assertThat(changed.reason()).isEqualTo("NO_MATCH");
        assertThat(changed.attempts()).isEqualTo(2);
        assertThat(changed.error()).isEqualTo(error);
        assertThat(bench().moment("NEXT_ATTEMPT_", row.id())).isEqualTo(InboxBench.NOON.toInstant());
        assertThat(bench().database.count("FLW_PUBSUB_INBOX", "FAILED_SINCE_ is null and ID_ = " + row.id()))
                .isEqualTo(1);
    }

    /** With the collation of a careless database they would be the same key. */
    @Test
    default void keysThatOnlyLookAlikeStayDifferent() {
        ChannelId channel = bench().newChannel();
        List<String> alike = Stream.of(
                        "a", "A", "á", "ä", "a ", " a", "ａ", "a\0", "ss", "ß", "SS", "i", "İ", "ı", "1", "01")
                .map(Keys::column)
                .toList();
        List<NewMessage> messages = alike.stream()
                .map(key -> InboxBench.message(channel, key, key, key, InboxBench.NOON))
                .toList();
        assertThat(bench().store.store(channel, messages).stored()).hasSameSizeAs(alike);
        for (String key : alike) {
            InboxRow head = bench().head(channel, key);
            assertThat(head.messageId()).isEqualTo(key);
            assertThat(head.eventKey()).isEqualTo(key);
            assertThat(head.more()).as("another row in the lane of " + key).isFalse();
        }
        List<String> walked = new ArrayList<>();
        for (String key = next(channel, ""); key != null; key = next(channel, key)) {
            walked.add(key);
        }
        assertThat(walked).containsExactlyInAnyOrderElementsOf(alike);
    }

    private @Nullable String next(ChannelId channel, String after) {
        return bench().call(session -> session.due().nextOrderKey(channel, after));
    }
}
