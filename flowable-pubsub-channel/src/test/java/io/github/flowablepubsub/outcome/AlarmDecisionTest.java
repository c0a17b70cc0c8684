package io.github.flowablepubsub.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.channel.BufferPolicy;
import io.github.flowablepubsub.channel.ChannelDefaults;
import io.github.flowablepubsub.channel.ChannelPolicy;
import io.github.flowablepubsub.channel.TimeToLive;
import io.github.flowablepubsub.inbox.Awaited;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.inbox.Waiting;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a message that waits for long raises the alarm. */
class AlarmDecisionTest {

    private static final OffsetDateTime NOW = OffsetDateTime.parse("2026-12-01T12:00:00Z");
    private static final OffsetDateTime EXPIRES = NOW.plusDays(3);
    private static final Outcome NO_MATCH = new Outcome.NoMatch(new Awaited("event e", "e", Set.of()));
    private static final Outcome UNKNOWN = new Outcome.UnknownEvent("e");
    private static final Outcome SUSPENDED = new Outcome.Suspended(new Awaited("event e", "e", Set.of()), "suspended");

    private static RowChange decide(Outcome outcome, int attempts, @Nullable Waiting waiting, Duration alarmAfter) {
        ChannelPolicy defaults = ChannelDefaults.POLICY;
        ChannelPolicy policy = new ChannelPolicy(
                defaults.cardinality(),
                defaults.order(),
                defaults.deduplication(),
                new BufferPolicy(Duration.ofDays(7), null, alarmAfter),
                defaults.parking(),
                defaults.retry(),
                defaults.retention());
        TimeToLive timeToLive = new TimeToLive(Duration.ofDays(7), null);
        RowFacts facts =
                new RowFacts(attempts, attempts == 0 ? null : EXPIRES, waiting, null, NOW, 1, timeToLive, () -> "");
        return Decision.decide(outcome, facts, policy);
    }

    private static RowChange decide(Outcome outcome, @Nullable Waiting waiting) {
        return decide(outcome, 2, waiting, Duration.ofMinutes(10));
    }

    @Test
    void theFirstLookBeginsToCountAndTheNextIsInTime() {
        RowChange change = decide(NO_MATCH, 0, null, Duration.ofMinutes(10));
        assertThat(change.waiting()).isEqualTo(new Waiting(NOW, null));
        assertThat(change.alarm()).isFalse();
        assertThat(change.nextAttempt()).isEqualTo(NOW.plusMinutes(10));
        assertThat(change.expiresAt()).isEqualTo(NOW.plusDays(7));
    }

    @Test
    void aLookBeforeThatKeepsTheBeginning() {
        Waiting since = new Waiting(NOW.minusMinutes(9), null);
        RowChange change = decide(NO_MATCH, since);
        assertThat(change.waiting()).isEqualTo(since);
        assertThat(change.alarm()).isFalse();
        assertThat(change.nextAttempt()).isEqualTo(NOW.plusMinutes(1));
    }

    @Test
    void itIsRaisedOnceAndTheMessageGoesOnWaiting() {
        Waiting since = new Waiting(NOW.minusMinutes(10), null);
        for (Outcome outcome : Set.of(NO_MATCH, UNKNOWN, SUSPENDED)) {
            RowChange raised = decide(outcome, since);
            assertThat(raised.alarm()).isTrue();
            assertThat(raised.state()).isEqualTo(MessageState.WAITING);
            assertThat(raised.waiting()).isEqualTo(new Waiting(since.since(), NOW));
            RowChange after = decide(outcome, new Waiting(since.since(), NOW.minusSeconds(1)));
            assertThat(after.alarm()).isFalse();
            assertThat(after.waiting()).isEqualTo(new Waiting(since.since(), NOW.minusSeconds(1)));
            assertThat(after.nextAttempt()).isEqualTo(raised.nextAttempt());
        }
        assertThat(decide(NO_MATCH, since).nextAttempt()).isEqualTo(EXPIRES);
    }

    @Test
    void withoutItNothingIsLookedAtEarlier() {
        RowChange change = decide(NO_MATCH, 2, new Waiting(NOW.minusDays(2), null), Duration.ZERO);
        assertThat(change.alarm()).isFalse();
        assertThat(change.nextAttempt()).isEqualTo(EXPIRES);
    }

    @Test
    void onlyTheInfrastructureDoesNotEndTheWaiting() {
        Waiting since = new Waiting(NOW.minusMinutes(9), null);
        assertThat(decide(new Outcome.InfrastructureFailed("down"), since).waiting())
                .isEqualTo(since);
        assertThat(decide(new Outcome.ProcessFailed("boom"), since).waiting()).isNull();
        assertThat(decide(new Outcome.Correlated(), since).waiting()).isNull();
        assertThat(decide(NO_MATCH, 0, since, Duration.ofMinutes(10)).waiting())
                .as("repaired")
                .isEqualTo(new Waiting(NOW, null));
    }
}
