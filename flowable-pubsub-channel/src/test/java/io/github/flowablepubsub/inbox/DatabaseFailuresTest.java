package io.github.flowablepubsub.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.flowable.common.engine.api.FlowableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseFailuresTest {

    private static Throwable wrapped(SQLException failure) {
        return new FlowableException("x", new RuntimeException(failure));
    }

    /** Of a statement of our own even a missing table is the database's fault; of a process's it is the process's. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "null, true",
                "'', true",
                "X, true",
                "42, true",
                "42P01, true",
                "3D000, true",
                "3F000, true",
                "28P01, true",
                "08006, true",
                "40P01, true",
                "22001, false",
                "23505, false",
                "XX000, false"
            })
    void whetherItIsTheDatabase(String state, boolean away) {
        assertThat(DatabaseFailures.isDatabaseAway(wrapped(new SQLException("x", state))))
                .isEqualTo(away);
    }

    @Test
    void whatIsNoDatabaseFailureIsNot() {
        assertThat(DatabaseFailures.isDatabaseAway(new IllegalStateException())).isFalse();
        assertThat(DatabaseFailures.isDuplicateKey(new IllegalStateException())).isFalse();
        assertThat(DatabaseFailures.isTransient(new IllegalStateException())).isFalse();
    }

    @Test
    void onlyAViolatedUniqueKeyIsADuplicateKey() {
        assertThat(DatabaseFailures.isDuplicateKey(wrapped(new SQLException("x", "23505"))))
                .isTrue();
        assertThat(DatabaseFailures.isDuplicateKey(wrapped(new SQLException("x", "23000"))))
                .isTrue();
        assertThat(DatabaseFailures.isDuplicateKey(wrapped(new SQLException("x", "23502"))))
                .isFalse();
        assertThat(DatabaseFailures.isDuplicateKey(wrapped(new SQLException("x"))))
                .isFalse();
    }

    @Test
    void transientAndRace() {
        assertThat(DatabaseFailures.isTransient(wrapped(new SQLException("x", "40P01"))))
                .isTrue();
        assertThat(DatabaseFailures.isTransient(wrapped(new SQLException("x", "08006"))))
                .isTrue();
        assertThat(DatabaseFailures.isTransient(wrapped(new SQLException("x", "22001"))))
                .isFalse();
        assertThat(DatabaseFailures.isRace(wrapped(new SQLException("x", "40P01"))))
                .isTrue();
        assertThat(DatabaseFailures.isRace(wrapped(new SQLException("x", "08006"))))
                .isFalse();
    }

    /** Values of the message stand in later lines. */
    @Test
    void theSummaryIsTheFirstLineOfTheInnermost() {
        assertThat(DatabaseFailures.summary(wrapped(new SQLException("first\nDetail: (4711)", "23505"))))
                .isEqualTo("SQLException [23505]: first");
        assertThat(DatabaseFailures.summary(new IllegalStateException("only")))
                .isEqualTo("IllegalStateException: only");
        assertThat(DatabaseFailures.summary(new IllegalStateException("l".repeat(1000))))
                .hasSizeLessThan(350);
    }

    @Test
    void aChainWithoutAnEndIsFollowedToItsHundredthLink() {
        Exception outermost = new SQLException("at the end", "08006");
        for (int links = 1; links < 100; links++) {
            outermost = new RuntimeException(outermost);
        }
        assertThat(CauseChain.of(outermost)).hasSize(100);
        assertThat(DatabaseFailures.isTransient(outermost)).isTrue();
        assertThat(CauseChain.of(new RuntimeException(outermost))).hasSize(100);
        assertThat(DatabaseFailures.isTransient(new RuntimeException(outermost)))
                .isFalse();
    }
}
