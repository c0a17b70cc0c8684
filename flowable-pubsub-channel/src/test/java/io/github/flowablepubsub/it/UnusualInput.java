package io.github.flowablepubsub.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message that nobody expects.
 *
 * @param name what is unusual
 * @param topic channel that it comes by
 * @param body as published
 * @param attributes as published
 * @param state where it ends
 * @param reason and why
 */
record UnusualInput(
        String name,
        String topic,
        ByteString body,
        Map<String, String> attributes,
        String state,
        @Nullable String reason) {

    /** A channel that takes every message as the completion of an order. */
    static final String FIXED = "fest";

    /** A channel that reads the event key from the field {@code typ}. */
    static final String FIELD = "feld";

    private static final String NUL = "\0";

    @Override
    public String toString() {
        return name;
    }

    private static UnusualInput fixed(String name, String body, String state, @Nullable String reason) {
        return new UnusualInput(name, FIXED, ByteString.copyFromUtf8(body), Map.of(), state, reason);
    }

    private static UnusualInput field(String name, String body, String state, @Nullable String reason) {
        return new UnusualInput(name, FIELD, ByteString.copyFromUtf8(body), Map.of(), state, reason);
    }

    private static UnusualInput unreadable(String name, String body) {
        return fixed(name, body, "PARKED", "UNREADABLE");
    }

    private static UnusualInput waits(String name, String body) {
        return fixed(name, body, "WAITING", "NO_MATCH");
    }

    private static UnusualInput withoutKey(String name, String body) {
        return fixed(name, body, "PARKED", "NO_CORRELATION_VALUE");
    }

    private static String order(String auftragId) {
        return "{\"auftragId\": \"" + auftragId + "\"}";
    }

    static List<UnusualInput> all() {
        return List.of(
                unreadable("not JSON", "hallo"),
                unreadable("half an object", "{\"auftragId\": \"4711\""),
                unreadable("NUL character in the body", "{\"auftragId\": \"47" + NUL + "11\"}"),
                new UnusualInput(
                        "invalid UTF-8",
                        FIXED,
                        ByteString.copyFrom(new byte[] {'{', (byte) 0xC3, (byte) 0x28, '}', (byte) 0xFF, 0}),
                        Map.of("quelle", "binär"),
                        "PARKED",
                        "UNREADABLE"),
                unreadable("deep nesting", "[".repeat(100_000)),
                unreadable("deep nesting in a field", "{\"a\":".repeat(100_000)),
                unreadable("byte order mark", "\uFEFF" + order("bom")),
                new UnusualInput(
                        "no body but attributes",
                        FIXED,
                        ByteString.EMPTY,
                        Map.of("ereignisTyp", "x", "leer", ""),
                        "PARKED",
                        "NO_CORRELATION_VALUE"),
                new UnusualInput(
                        "attributes with NUL, quotes, emoji, newline",
                        FIXED,
                        ByteString.copyFromUtf8(order("attribute")),
                        Map.of("a" + NUL + "b", "c" + NUL, "\"'\\", "😀\r\n</x>", "ü", "\u2028"),
                        "WAITING",
                        "NO_MATCH"),
                withoutKey("JSON array", "[1, 2]"),
                withoutKey("JSON number", "42"),
                withoutKey("JSON string", "\"4711\""),
                withoutKey("JSON null", "null"),
                withoutKey("missing field", "{\"andere\": 1}"),
                withoutKey("null field", "{\"auftragId\": null}"),
                withoutKey("empty field", order("")),
                withoutKey("blank field", order(" \\t\u2003")),
                waits("NUL escape in the key", order("nul\\u0000nul")),
                waits("lone surrogate escape in the key", order("einsam\\ud800")),
                waits("another lone surrogate", order("einsam\\udc00")),
                waits("10 MB body", "{\"auftragId\": \"gross\", \"fuell\": \"" + "ü".repeat(4_900_000) + "\"}"),
                waits("1 MB key", order("lang".repeat(250_000))),
                waits("emoji", order("😀👩‍👩‍👧")),
                waits("CRLF", "{\r\n\"auftragId\":\r\n\"crlf\"\r\n}\r\n"),
                waits("duplicate keys", "{\"auftragId\": \"eins\", \"auftragId\": \"zwei\"}"),
                waits("leading blank", order(" 4711")),
                waits("trailing blank", order("4711 ")),
                waits("other case", order("fall-a")),
                waits("SQL metacharacters", order("'; drop table FLW_PUBSUB_INBOX; -- %_\\\\\\\" ${prefix} #{x}")),
                waits("expression", order("${runtimeService.deleteProcessInstance()}")),
                waits("key is a number", "{\"auftragId\": 1234567890123456789012345678901234567890}"),
                field("unknown event", "{\"typ\": \"gibtEsNicht\"}", "WAITING", "NO_EVENT_DEFINITION"),
                field("1 MB event key", "{\"typ\": \"" + "lang".repeat(250_000) + "\"}", "PARKED", "UNREADABLE"),
                field("NUL in event key", "{\"typ\": \"a\\u0000b\"}", "PARKED", "UNREADABLE"),
                field("lone surrogate in event key", "{\"typ\": \"a\\ud800b\"}", "PARKED", "UNREADABLE"),
                field("no event key", "{\"auftragId\": \"4711\"}", "PARKED", "UNREADABLE"),
                field("null event key", "{\"typ\": null}", "PARKED", "UNREADABLE"),
                field("empty event key", "{\"typ\": \"\"}", "PARKED", "UNREADABLE"),
                field("event key is an object", "{\"typ\": {\"a\": 1}}", "PARKED", "UNREADABLE"),
                new UnusualInput(
                        "no body where the event key should be",
                        FIELD,
                        ByteString.EMPTY,
                        Map.of("a", "b"),
                        "PARKED",
                        "UNREADABLE"));
    }

    /** Inputs that may be read or not, as the JSON library likes; kept they must be. */
    static List<UnusualInput> allowedEitherWay() {
        return List.of(
                fixed("key is an object", "{\"auftragId\": {\"a\": 1}}", "?", null),
                fixed("key is an array", "{\"auftragId\": [1]}", "?", null),
                fixed("trailing garbage", order("muell") + " garbage", "?", null),
                fixed("two documents", order("doppelt") + order("doppelt"), "?", null),
                fixed("number is a text", "{\"auftragId\": \"t1\", \"erledigtePositionen\": \"viele\"}", "?", null),
                fixed("number is an object", "{\"auftragId\": \"t2\", \"erledigtePositionen\": {}}", "?", null),
                fixed(
                        "huge number",
                        "{\"auftragId\": \"t3\", \"erledigtePositionen\": " + "9".repeat(900_000) + "}",
                        "?",
                        null),
                fixed("huge exponent", "{\"auftragId\": \"t4\", \"erledigtePositionen\": 1e999999999}", "?", null),
                fixed("tiny exponent", "{\"auftragId\": \"t5\", \"erledigtePositionen\": 1e-999999999}", "?", null),
                fixed(
                        "too large for an integer",
                        "{\"auftragId\": \"t6\", \"erledigtePositionen\": 99999999999}",
                        "?",
                        null),
                fixed("fraction", "{\"auftragId\": \"t7\", \"erledigtePositionen\": 1.5}", "?", null),
                new UnusualInput("blanks only", FIXED, ByteString.copyFrom("  \n", UTF_8), Map.of(), "?", null));
    }
}
