package io.github.flowablepubsub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.correlation.StartLockedException;
import io.github.flowablepubsub.correlation.SubscriptionGoneException;
import io.github.flowablepubsub.inbox.FailureKind;
import java.sql.SQLException;
import org.flowable.common.engine.api.FlowableException;
import org.flowable.common.engine.api.FlowableObjectNotFoundException;
import org.junit.jupiter.api.Test;

class FailureJudgeTest {

    private final Exception process = new IllegalStateException("of the process");
    private final Exception deadlock = new FlowableException("x", new SQLException("deadlock", "40P01"));

    private final FailureJudge standard = new FailureJudge(FailureClassifier.standard());

    @Test
    void theTableJudgesWhereTheAppHasNoOpinion() {
        FailureJudge without = new FailureJudge(failure -> null);
        assertThat(without.kind(process)).isEqualTo(FailureKind.PROCESS);
        assertThat(without.kind(deadlock)).isEqualTo(FailureKind.RACE);
        assertThat(standard.kind(new SQLException("gone", "08006"))).isEqualTo(FailureKind.INFRASTRUCTURE);
    }

    @Test
    void theAppsOpinionCounts() {
        FailureJudge own = new FailureJudge(failure -> FailureKind.INFRASTRUCTURE);
        assertThat(own.kind(process)).isEqualTo(FailureKind.INFRASTRUCTURE);
        assertThat(own.isRace(deadlock)).isFalse();
    }

    @Test
    void aClassifierThatFailsLeavesItToTheTable() {
        FailureJudge broken = new FailureJudge(failure -> {
            throw new StackOverflowError();
        });
        assertThat(broken.kind(deadlock)).isEqualTo(FailureKind.RACE);
    }

    /** Nobody can redefine what the plugin itself says. */
    @Test
    void thePluginsOwnSignalsComeFirst() {
        FailureJudge own = new FailureJudge(failure -> FailureKind.PROCESS);
        assertThat(own.kind(new StartLockedException("locked"))).isEqualTo(FailureKind.INFRASTRUCTURE);
        assertThat(own.isRace(new SubscriptionGoneException("gone"))).isTrue();
        assertThat(own.isRace(new FlowableObjectNotFoundException("gone"))).isTrue();
        assertThat(own.isRace(process)).isFalse();
        assertThat(standard.isRace(deadlock)).isTrue();
    }
}
