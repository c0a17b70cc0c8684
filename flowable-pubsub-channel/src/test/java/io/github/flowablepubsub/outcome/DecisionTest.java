package io.github.flowablepubsub.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.channel.Cardinality;
import io.github.flowablepubsub.channel.ChannelDefaults;
import io.github.flowablepubsub.channel.ChannelPolicy;
import io.github.flowablepubsub.channel.Order;
import io.github.flowablepubsub.channel.ParkingPolicy;
import io.github.flowablepubsub.channel.RetryPolicy;
import io.github.flowablepubsub.channel.TimeToLive;
import io.github.flowablepubsub.inbox.Awaited;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.inbox.Waiting;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionTest {

    private static final OffsetDateTime NOW = OffsetDateTime.parse("2026-12-01T12:00:00Z");
    private static final RetryPolicy RETRY =
            new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), Duration.ofDays(1));
    private static final ChannelPolicy POLICY = new ChannelPolicy(
            Cardinality.ONE_PER_DEFINITION,
            Order.CORRELATION_KEY,
            ChannelDefaults.POLICY.deduplication(),
            ChannelDefaults.POLICY.buffer(),
            new ParkingPolicy(false, false, false, true),
            RETRY,
            ChannelDefaults.POLICY.retention());
    private static final Outcome NO_MATCH = new Outcome.NoMatch(new Awaited("event e", "e", Set.of()));

    private static RowFacts facts(
            int attempts, @Nullable OffsetDateTime expiresAt, @Nullable OffsetDateTime failedSince) {
        return facts(attempts, expiresAt, failedSince, new TimeToLive(Duration.ofDays(7), null));
    }

    private static RowFacts facts(
            int attempts,
            @Nullable OffsetDateTime expiresAt,
            @Nullable OffsetDateTime failedSince,
            TimeToLive timeToLive) {
        return new RowFacts(attempts, expiresAt, null, failedSince, NOW, 1, timeToLive, () -> "KNOWN");
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                Arguments.of(new Outcome.Correlated(), MessageState.DONE, null),
                Arguments.of(new Outcome.UniqueInstanceExists(), MessageState.DONE, Reason.UNIQUE_INSTANCE_EXISTS),
                Arguments.of(new Outcome.Filtered(), MessageState.DISCARDED, Reason.FILTERED),
                Arguments.of(new Outcome.Ambiguous("two"), MessageState.PARKED, Reason.AMBIGUOUS),
                Arguments.of(new Outcome.SubscriptionGone("gone"), MessageState.PARKED, Reason.SUBSCRIPTION_GONE),
                Arguments.of(new Outcome.Unreadable("bad"), MessageState.PARKED, Reason.UNREADABLE),
                Arguments.of(new Outcome.NoCorrelationValue("a"), MessageState.PARKED, Reason.NO_CORRELATION_VALUE),
                Arguments.of(new Outcome.Expired(Reason.NO_MATCH, "e"), MessageState.PARKED, Reason.NO_MATCH));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void endsAtOnce(Outcome outcome, MessageState state, @Nullable Reason reason) {
        RowChange change = Decision.decide(outcome, facts(0, null, null), POLICY);
        assertThat(change.state()).isEqualTo(state);
        assertThat(change.reason()).isEqualTo(reason);
        assertThat(change.expiresAt()).isNull();
        assertThat(change.failedSince()).isNull();
    }

    @Test
    void whatHadNoDefinitionOrNoSubscriptionSaysSo() {
        RowFacts facts = facts(1, NOW, null);
        assertThat(Decision.decide(new Outcome.Expired(Reason.NO_MATCH, "e"), facts, POLICY)
                        .error())
                .startsWith("No subscription for event e that matches; its time to live");
        assertThat(Decision.decide(new Outcome.Expired(Reason.NO_EVENT_DEFINITION, "e"), facts, POLICY)
                        .error())
                .startsWith("The event registry has no event definition with key e; its time to live")
                .doesNotContain("KNOWN");
    }

    @Test
    void theFirstLookUpWithoutAMatchStartsTheTimeToLive() {
        RowChange change = Decision.decide(NO_MATCH, facts(0, null, null), POLICY);
        assertThat(change)
                .isEqualTo(new RowChange(
                        MessageState.WAITING,
                        Reason.NO_MATCH,
                        NOW.plusHours(1),
                        NOW.plusDays(7),
                        null,
                        "No subscription for event e that matches",
                        new Waiting(NOW, null),
                        false,
                        null));
    }

    @Test
    void aLaterLookUpKeepsIt() {
        RowChange change = Decision.decide(NO_MATCH, facts(3, NOW.plusSeconds(1), null), POLICY);
        assertThat(change.state()).isEqualTo(MessageState.WAITING);
        assertThat(change.expiresAt()).isEqualTo(NOW.plusSeconds(1));
    }

    @Test
    void aRepairedRowGetsAFreshTimeToLive() {
        RowChange change = Decision.decide(NO_MATCH, facts(0, NOW.minusDays(30), null), POLICY);
        assertThat(change.expiresAt()).isEqualTo(NOW.plusDays(7));
    }

    @Test
    void parksWhenTheTimeToLiveIsOver() {
        RowChange change = Decision.decide(NO_MATCH, facts(1, NOW, null), POLICY);
        assertThat(change.state()).isEqualTo(MessageState.PARKED);
        assertThat(change.reason()).isEqualTo(Reason.NO_MATCH);
        assertThat(change.error()).contains("PT168H");
    }

    @Test
    void withoutBufferingNothingWaits() {
        RowFacts none = facts(0, null, null, new TimeToLive(Duration.ZERO, null));
        assertThat(Decision.decide(NO_MATCH, none, POLICY).state()).isEqualTo(MessageState.PARKED);
    }

    /** Why a message's own does not count stays to be read, while it waits and when it was parked. */
    @Test
    void theNoteOnTheTimeToLiveIsKept() {
        TimeToLive channels = new TimeToLive(Duration.ofDays(1), "its attribute does not count");
        RowChange waits = Decision.decide(NO_MATCH, facts(0, null, null, channels), POLICY);
        assertThat(waits.expiresAt()).isEqualTo(NOW.plusDays(1));
        assertThat(waits.error()).endsWith("that matches; its attribute does not count");
        RowChange parked =
                Decision.decide(new Outcome.Expired(Reason.NO_MATCH, "e"), facts(1, NOW, null, channels), POLICY);
        assertThat(parked.error()).endsWith("; its attribute does not count. KNOWN");
    }

    /** Each of the two is discarded by its own setting alone. */
    @ParameterizedTest
    @CsvSource({"true, false, DISCARDED, PARKED", "false, true, PARKED, DISCARDED", "true, true, DISCARDED, DISCARDED"})
    void whatNobodyTookIsDiscardedOnRequest(
            boolean noMatch, boolean unknownEvent, MessageState afterNoMatch, MessageState afterUnknownEvent) {
        ChannelPolicy policy = new ChannelPolicy(
                POLICY.cardinality(),
                POLICY.order(),
                POLICY.deduplication(),
                POLICY.buffer(),
                new ParkingPolicy(noMatch, unknownEvent, false, true),
                POLICY.retry(),
                POLICY.retention());
        RowFacts over = facts(1, NOW, null);
        RowChange change = Decision.decide(NO_MATCH, over, policy);
        assertThat(change.state()).isEqualTo(afterNoMatch);
        assertThat(change.reason()).isEqualTo(Reason.NO_MATCH);
        assertThat(change.error()).contains("PT168H");
        assertThat(Decision.decide(new Outcome.Expired(Reason.NO_MATCH, "e"), over, policy)
                        .state())
                .isEqualTo(afterNoMatch);
        assertThat(Decision.decide(new Outcome.UnknownEvent("e"), over, policy).state())
                .isEqualTo(afterUnknownEvent);
        assertThat(Decision.decide(new Outcome.Expired(Reason.NO_EVENT_DEFINITION, "e"), over, policy)
                        .state())
                .isEqualTo(afterUnknownEvent);
        assertThat(Decision.decide(new Outcome.Ambiguous("two"), over, policy).state())
                .as("never discarded")
                .isEqualTo(MessageState.PARKED);
    }

    @Test
    void anUnknownEventIsLookedAtAgainSoonAndNotAfterItsTimeToLive() {
        Outcome unknown = new Outcome.UnknownEvent("e");
        assertThat(Decision.decide(unknown, facts(0, null, null), POLICY).nextAttempt())
                .isEqualTo(NOW.plus(Decision.UNKNOWN_EVENT_INTERVAL));
        assertThat(Decision.decide(unknown, facts(2, NOW.plusSeconds(2), null), POLICY)
                        .nextAttempt())
                .isEqualTo(NOW.plusSeconds(2));
    }

    @Test
    void aProcessFailureIsRetriedWithBackOffAndGivenUpSomeTimeAfterTheFirst() {
        Outcome failed = new Outcome.ProcessFailed("boom");
        RowChange first = Decision.decide(failed, facts(0, null, null), POLICY);
        assertThat(first.state()).isEqualTo(MessageState.OPEN);
        assertThat(first.failedSince()).isEqualTo(NOW);
        assertThat(first.nextAttempt()).isEqualTo(NOW.plusSeconds(1));
        RowChange last = Decision.decide(failed, facts(500, null, NOW.minusDays(1)), POLICY);
        assertThat(last.state()).isEqualTo(MessageState.PARKED);
        assertThat(last.reason()).isEqualTo(Reason.PROCESS_FAILED);
        RowChange repaired = Decision.decide(failed, facts(0, null, NOW.minusDays(1)), POLICY);
        assertThat(repaired.state()).isEqualTo(MessageState.OPEN);
        assertThat(repaired.failedSince()).isEqualTo(NOW);
    }

    /** Not even one whose time to live was over: it has found its receiver. */
    @Test
    void aSuspendedReceiverIsWaitedForWithoutATimeToLive() {
        Outcome suspended = new Outcome.Suspended(new Awaited("event e", "e", Set.of("c")), "instance 1 is suspended");
        for (RowFacts facts : Set.of(facts(0, null, null), facts(9, NOW.minusDays(1), NOW.minusDays(2)))) {
            assertThat(Decision.decide(suspended, facts, POLICY))
                    .isEqualTo(new RowChange(
                            MessageState.WAITING,
                            Reason.SUSPENDED,
                            NOW.plusHours(1),
                            null,
                            null,
                            "instance 1 is suspended",
                            new Waiting(NOW, null),
                            false,
                            null));
        }
    }

    @Test
    void anInfrastructureFailureIsNeverGivenUp() {
        Outcome failed = new Outcome.InfrastructureFailed("down");
        RowChange change = Decision.decide(failed, facts(100_000, NOW.minusDays(9), NOW.minusDays(9)), POLICY);
        assertThat(change.state()).isEqualTo(MessageState.OPEN);
        assertThat(change.nextAttempt()).isEqualTo(NOW.plusMinutes(5));
        assertThat(change.failedSince()).isEqualTo(NOW.minusDays(9));
    }

    @Test
    void backOffGrowsIsCappedAndSpread() {
        assertThat(Decision.backOff(RETRY, 3, 1)).isEqualTo(Duration.ofSeconds(8));
        assertThat(Decision.backOff(RETRY, 3, 0)).isEqualTo(Duration.ofSeconds(4));
        assertThat(Decision.backOff(RETRY, Integer.MAX_VALUE, 1)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void errorsFitTheirColumn() {
        String long3000 = "x".repeat(3000);
        assertThat(Decision.decide(new Outcome.Ambiguous(long3000), facts(0, null, null), POLICY)
                        .error())
                .hasSize(2000);
    }
}
