package io.github.flowablepubsub.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {

    @Test
    void plainKeysStayAsTheyAre() {
        assertThat(Keys.column("A-4711 äöü €")).isEqualTo("A-4711 äöü €");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0", "\ud800", "\udc00", " a", "a ", "", " ", "a\u00a0\0"})
    void unusualKeysFitAndDifferFromEachOther(String key) {
        String column = Keys.column(key);
        assertThat(column)
                .hasSizeBetween(1, Keys.MAX_LENGTH)
                .doesNotContain("\0")
                .isNotEqualTo(key);
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(column)).isTrue();
        for (String other : new String[] {"a\0", "\ud800", "\udc00", " a", "a ", "", " ", "a", "\ufffd"}) {
            if (!other.equals(key)) {
                assertThat(Keys.column(other)).isNotEqualTo(column);
            }
        }
    }

    @Test
    void longKeysKeepTheirBeginningAndDifferByTheirEnd() {
        String a = "x".repeat(1_000_000) + "a";
        String b = "x".repeat(1_000_000) + "b";
        assertThat(Keys.column(a)).hasSizeLessThanOrEqualTo(Keys.MAX_LENGTH).startsWith("xxx");
        assertThat(Keys.column(a)).isNotEqualTo(Keys.column(b));
    }

    @Test
    void correlationKeyIsReadable() {
        assertThat(Keys.correlationKey(Map.of())).isNull();
        assertThat(Keys.correlationKey(Map.of("auftragId", 4711))).isEqualTo("4711");
        assertThat(Keys.correlationKey(Map.of("b", 2, "a", 1))).isEqualTo("a=1,b=2");
    }

    @Test
    void payloadsKeepEveryByte() {
        for (byte[] body : new byte[][] {{}, {0}, {(byte) 0xff, 1}, "ä\r\n".getBytes(StandardCharsets.UTF_8)}) {
            assertThat(Payload.of(body).toBytes()).isEqualTo(body);
        }
        assertThat(Payload.of("ä".getBytes(StandardCharsets.UTF_8)).text()).isEqualTo("ä");
        assertThat(Payload.of(new byte[] {'a', 0}).text()).isNull();
    }

    @Test
    void attributesSurvive() {
        Map<String, String> attributes = Map.of("a\"", "\0<ü>\ud800", "b", "");
        assertThat(Attributes.fromJson(Attributes.toJson(attributes))).isEqualTo(attributes);
        assertThat(Attributes.toJson(attributes)).doesNotContain("\0");
    }
}
