package io.github.flowablepubsub.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.Advice;
import io.github.flowablepubsub.inbox.MirrorMapper.Facts;
import io.github.flowablepubsub.inbox.Reason;
import java.time.OffsetDateTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobTextTest {

    private static final OffsetDateTime NOON = OffsetDateTime.parse("2026-06-01T12:00:00Z");

    private static final String QUOTING =
            "java.lang.IllegalStateException: geheim, caused by a.b.ParseException: geheim";

    private static Facts facts(
            @Nullable String reason, @Nullable String error, @Nullable String payload, byte @Nullable [] bytes) {
        return new Facts(
                4711L, "t", "c", "", "m1", "e", "A-1", "A-1", null, reason, 3, 2, NOON, NOON, null, null, NOON, error,
                "{}", false, payload, bytes);
    }

    @Test
    void theMessageLeadsWithTheReason() {
        assertThat(new JobText(facts("AMBIGUOUS", "two\n tokens", null, null), false).message())
                .isEqualTo("AMBIGUOUS: two tokens");
        assertThat(new JobText(facts(null, null, null, null), false).message()).isEqualTo("PARKED: no error is known");
    }

    @Test
    void aRecordHasEveryFact() {
        assertThat(new JobText(facts("PROCESS_FAILED", "x", "{\"a\": 1}", null), true).parked())
                .contains("4711", "c", "m1", "A-1", "PROCESS_FAILED", "2026-06-01T12:00Z", "{\"a\": 1}")
                .containsPattern("Attempts +3")
                .containsPattern("Redeliveries +2")
                .containsPattern("Tenant +t\n")
                .doesNotContain("Ordering key");
    }

    @Test
    void aRecordSaysWhatToDoInLinesThatFitOnAPage() {
        String two =
                "2 tokens of one instance: process instance " + "1".repeat(36) + " activity wait execution a since t"
                        + "; process instance " + "1".repeat(36) + " activity wait execution b since t";
        assertThat(new JobText(facts("AMBIGUOUS", two, "{}", null), true)
                        .parked()
                        .lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(102))
                .anyMatch(line -> line.startsWith("  process instance") && line.endsWith("execution b since t"))
                .anyMatch(line -> line.contains("Remove all but one"))
                .anyMatch(line -> line.contains("move this job"));
        assertThat(Arrays.stream(Reason.values()).map(Reason::name).map(Advice::of))
                .doesNotContainNull();
        assertThat(Advice.of("by hand")).contains("by hand");
        assertThat(Advice.of(null)).isNotBlank();
    }

    @Test
    void withoutPayloadNothingQuotesIt() {
        JobText hidden = new JobText(facts("PROCESS_FAILED", QUOTING, "geheim", null), false);
        assertThat(hidden.message() + hidden.parked())
                .doesNotContain("geheim")
                .contains(
                        "java.lang.IllegalStateException, caused by a.b.ParseException",
                        "LAST_ERROR_ of row 4711",
                        "flowable.pubsub.admin.show-payload");
        JobText shown = new JobText(facts("PROCESS_FAILED", QUOTING, "geheim", null), true);
        assertThat(shown.message()).contains(QUOTING);
        assertThat(new JobText(facts("NO_MATCH", "no subscription", null, null), false).parked())
                .contains("no subscription");
    }

    @Test
    void largeAndBinaryBodiesAreToldOf() {
        assertThat(new JobText(facts("NO_MATCH", "x", "y".repeat(JobText.MAX_BODY + 1), null), true).parked())
                .hasSizeLessThan(JobText.MAX_BODY + 2000)
                .contains("cut after 100000 of 100001 characters");
        assertThat(new JobText(facts("NO_MATCH", "x", null, new byte[7]), true).parked())
                .contains("7 bytes that are not text");
    }

    @Test
    void foreignValuesForgeNoLinesAndFitIntoEveryTable() {
        Facts forged = new Facts(
                1L,
                "",
                "c",
                "",
                "m\n  Reason           DONE",
                null,
                null,
                "k",
                null,
                "🚀",
                0,
                0,
                NOON,
                NOON,
                null,
                null,
                null,
                "a\n\nPayload\nb",
                "{}",
                false,
                "x",
                null);
        assertThat(new JobText(forged, true).parked().lines())
                .doesNotContain("  Reason           DONE")
                .containsOnlyOnce("Payload");
        assertThat(new JobText(forged, true).message()).isEqualTo("\uFFFD: a Payload b");
    }

    @Test
    void correlationIdsAreOfOneLength() {
        assertThat(JobIds.correlationId(4711)).isEqualTo("flwpubsub0000000000000004711");
        assertThat(JobIds.correlationId(1)).isGreaterThan(JobIds.FIRST).isLessThan(JobIds.LAST);
    }
}
