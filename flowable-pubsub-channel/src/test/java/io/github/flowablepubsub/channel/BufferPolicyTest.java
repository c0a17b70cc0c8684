package io.github.flowablepubsub.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BufferPolicyTest {

    private static final Duration CHANNELS = Duration.ofDays(2);
    private static final BufferPolicy POLICY = new BufferPolicy(CHANNELS, "ttl", Duration.ZERO);

    @ParameterizedTest
    @CsvSource({"PT30S, PT30S", "P1W, P7D", "PT0S, PT0S", "P3650D, P3650D", "pt1.5s, PT1.5S"})
    void aMessageHasItsOwn(String value, Duration expected) {
        assertThat(POLICY.of(Map.of("ttl", value))).isEqualTo(new TimeToLive(expected, null));
    }

    @Test
    void withoutTheAttributeItIsTheChannels() {
        assertThat(POLICY.of(Map.of("TTL", "PT1S"))).isEqualTo(new TimeToLive(CHANNELS, null));
        assertThat(new BufferPolicy(CHANNELS, null, Duration.ZERO).of(Map.of("ttl", "PT1S")))
                .isEqualTo(new TimeToLive(CHANNELS, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "7 days", "30", "-PT1S", "PT-1S", "P3651D", "PT9223372036854775807S", "PT0.0001S"})
    void whatIsNoUsefulDurationDoesNotCount_andIsTold(String value) {
        TimeToLive timeToLive = POLICY.of(Map.of("ttl", value));
        assertThat(timeToLive.duration()).isEqualTo(CHANNELS);
        assertThat(timeToLive.note())
                .startsWith("its attribute ttl = \"" + value + "\" does not count, it must be an ISO 8601 duration")
                .endsWith("from PT0S to P3650D");
    }

    @Test
    void hostileValuesAreCutAndEscaped() {
        String value = "\n\u0000\ud800" + "x".repeat(1_000_000);
        assertThat(POLICY.of(Map.of("ttl", value)).note())
                .hasSizeLessThan(300)
                .doesNotContain("\n", "\u0000")
                .startsWith("its attribute ttl = \"\\u000a\\u0000");
    }
}
