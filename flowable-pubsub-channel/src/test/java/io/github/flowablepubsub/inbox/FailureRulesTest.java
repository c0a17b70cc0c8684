package io.github.flowablepubsub.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flowable.common.engine.api.FlowableException;
import org.flowable.common.engine.api.FlowableOptimisticLockingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of failures, with what the databases and drivers really give. */
class FailureRulesTest {

    @ParameterizedTest
    @CsvSource({
        "40P01, 0, RACE",
        "40001, 1213, RACE",
        "40001, 0, RACE",
        "40002, 0, PROCESS",
        "40003, 0, INFRASTRUCTURE",
        "08006, 0, INFRASTRUCTURE",
        "08S01, 1053, INFRASTRUCTURE",
        "53300, 0, INFRASTRUCTURE",
        "53100, 0, INFRASTRUCTURE",
        "55P03, 0, INFRASTRUCTURE",
        "55000, 0, PROCESS",
        "57P01, 0, INFRASTRUCTURE",
        "57014, 0, INFRASTRUCTURE",
        "58030, 0, INFRASTRUCTURE",
        "25006, 0, INFRASTRUCTURE",
        "25P02, 0, PROCESS",
        "25P03, 0, INFRASTRUCTURE",
        "28P01, 0, INFRASTRUCTURE",
        "22001, 0, PROCESS",
        "22P02, 0, PROCESS",
        "23505, 0, PROCESS",
        "23000, 1062, PROCESS",
        "42P01, 0, PROCESS",
        "42000, 1064, PROCESS",
        "XX000, 0, PROCESS",
        "XX001, 0, INFRASTRUCTURE",
        "HYT00, 50200, INFRASTRUCTURE",
        "90131, 90131, RACE",
        "90098, 90098, INFRASTRUCTURE",
        "90108, 0, INFRASTRUCTURE",
        "HY000, 1205, INFRASTRUCTURE",
        "HY000, 1020, RACE",
        "HY000, 1290, INFRASTRUCTURE",
        "HY000, 1364, PROCESS",
        "HY000, 1366, PROCESS",
        "70100, 1317, INFRASTRUCTURE",
        "42000, 1226, INFRASTRUCTURE",
        "HY000, 3572, INFRASTRUCTURE",
        "61000, 60, RACE",
        "61000, 54, INFRASTRUCTURE",
        "72000, 8177, RACE",
        "72000, 1400, PROCESS",
        "S0051, 1222, INFRASTRUCTURE",
        "S0001, 208, PROCESS",
        "22000, 1205, PROCESS"
    })
    void anSqlStateOrCodeIsJudgedHoweverItIsWrapped(String state, int code, FailureKind kind) {
        SQLException failure = new SQLException("what the database says", state, code);
        assertThat(DatabaseFailures.kind(new FlowableException("x", new RuntimeException(failure))))
                .isEqualTo(kind);
        BatchUpdateException batch = new BatchUpdateException();
        batch.setNextException(failure);
        assertThat(DatabaseFailures.kind(new FlowableException("x", batch))).isEqualTo(kind);
    }

    static Stream<Arguments> types() {
        return Stream.of(
                Arguments.of(new FlowableOptimisticLockingException("jemand war schneller"), FailureKind.RACE),
                Arguments.of(new SQLTransactionRollbackException(), FailureKind.RACE),
                Arguments.of(new SQLTransientConnectionException("pool"), FailureKind.INFRASTRUCTURE),
                Arguments.of(new SQLTimeoutException(), FailureKind.INFRASTRUCTURE),
                Arguments.of(new SQLRecoverableException(), FailureKind.INFRASTRUCTURE),
                Arguments.of(new SQLNonTransientConnectionException(), FailureKind.INFRASTRUCTURE),
                Arguments.of(new InterruptedException(), FailureKind.INFRASTRUCTURE),
                Arguments.of(new SQLDataException("too long", "22001"), FailureKind.PROCESS),
                Arguments.of(new SQLIntegrityConstraintViolationException(), FailureKind.PROCESS),
                Arguments.of(new SQLException("of the process's own making"), FailureKind.PROCESS),
                Arguments.of(new IllegalStateException(), FailureKind.PROCESS),
                Arguments.of(new StackOverflowError(), FailureKind.PROCESS));
    }

    @ParameterizedTest
    @MethodSource("types")
    void aTypeIsJudged(Throwable failure, FailureKind kind) {
        assertThat(DatabaseFailures.kind(failure)).isEqualTo(kind);
        assertThat(DatabaseFailures.kind(new FlowableException("x", failure))).isEqualTo(kind);
    }

    /** Types that are not on our class path are known by name, and so are those that extend them. */
    @Test
    void aTypeIsJudgedByNameWithWhatExtendsIt() {
        FailureRule rule = FailureRule.named("java.lang.IllegalStateException", FailureKind.RACE, "x");
        assertThat(rule.test().test(new IllegalStateException())).isTrue();
        assertThat(rule.test().test(new java.util.concurrent.CancellationException()))
                .isTrue();
        assertThat(rule.test().test(new IllegalArgumentException())).isFalse();
    }

    @Test
    void aSignThatIsAClassOfStatesIsPrintedAsOne() {
        assertThat(FailureRule.state("08", FailureKind.RACE, "x").sign()).isEqualTo("SQLState 08…");
        assertThat(FailureRule.state("08006", FailureKind.RACE, "x").sign()).isEqualTo("SQLState 08006");
    }

    /** What a pool says that ran empty has no SQLState. */
    @Test
    void aPoolThatHasNoConnectionIsInfrastructure() {
        assertThat(DatabaseFailures.kind(new RuntimeException(getConnection()))).isEqualTo(FailureKind.INFRASTRUCTURE);
    }

    private static SQLException getConnection() {
        return new SQLException("Timeout: Pool empty");
    }

    @Test
    void theInnermostSignCounts() {
        SQLException deadlock = new SQLException("deadlock", "40P01");
        assertThat(DatabaseFailures.kind(new SQLException("connection", "08006", deadlock)))
                .isEqualTo(FailureKind.RACE);
        assertThat(DatabaseFailures.kind(new SQLException("aborted", "25P02", deadlock)))
                .isEqualTo(FailureKind.RACE);
    }

    @Test
    void causesThatGoRoundInCirclesEnd() {
        IllegalStateException one = new IllegalStateException("one");
        IllegalStateException two = new IllegalStateException("two", one);
        one.initCause(two);
        assertThat(DatabaseFailures.kind(one)).isEqualTo(FailureKind.PROCESS);
    }

    @Test
    void theDocumentHasEveryRule() throws IOException {
        String table = FailureRules.ALL.stream()
                .map(rule -> "| " + rule.database() + " | " + rule.sign() + " | `" + rule.kind() + "` | "
                        + rule.meaning() + " |\n")
                .collect(Collectors.joining());
        assertThat(Files.readString(Path.of("../docs/failures.md"))).contains("|---|---|---|---|\n" + table + "\n");
    }
}
