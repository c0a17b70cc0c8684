package io.github.flowablepubsub.inbox;

import static io.github.flowablepubsub.inbox.FailureKind.INFRASTRUCTURE;
import static io.github.flowablepubsub.inbox.FailureKind.PROCESS;
import static io.github.flowablepubsub.inbox.FailureKind.RACE;
import static io.github.flowablepubsub.inbox.FailureRule.code;
import static io.github.flowablepubsub.inbox.FailureRule.named;
import static io.github.flowablepubsub.inbox.FailureRule.noConnection;
import static io.github.flowablepubsub.inbox.FailureRule.state;
import static io.github.flowablepubsub.inbox.FailureRule.type;

import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import java.util.List;
import org.flowable.common.engine.api.FlowableOptimisticLockingException;

/**
 * The table that tells failures of the infrastructure from failures of a process: the only place with such rules, printed in
 * {@code docs/failures.md}. A failure is judged along its cause chain, since Flowable wraps what the database says in
 * {@code FlowableException}. Of each link the first rule that fits counts, of all links the innermost that is not
 * {@code PROCESS}; what no rule knows is the process's.
 */
final class FailureRules {

    private static final String MYSQL = "MariaDB, MySQL";

    /** Where MariaDB and MySQL have no SQLState of their own. */
    private static final String GENERAL = "HY000|HY001|70100|42000";

    static final List<FailureRule> ALL = List.of(
            // Exceptions to their class, so before it.
            state("40001", RACE, "serialization failure, deadlock"),
            state("PostgreSQL", "40P01", RACE, "deadlock"),
            state("40002", PROCESS, "a constraint was violated at the commit"),
            code("Oracle (untested)", "61000", RACE, "deadlock", 60),
            state("Oracle (untested)", "61000", INFRASTRUCTURE, "resource busy"),
            code("Oracle (untested)", "72000", RACE, "can't serialize access", 8177),
            code("SQL Server (untested)", "S", RACE, "snapshot isolation conflict", 3960),
            code("SQL Server (untested)", "S", INFRASTRUCTURE, "lock request timeout", 1222),
            code(MYSQL, GENERAL, RACE, "the record has changed since it was read", 1020),
            code(MYSQL, GENERAL, INFRASTRUCTURE, "lock wait timeout, too many locks, NOWAIT", 1205, 1206, 1689, 3572),
            code(
                    MYSQL,
                    GENERAL,
                    INFRASTRUCTURE,
                    "disk or memory full, too many connections or transactions",
                    1021,
                    1037,
                    1038,
                    1040,
                    1041,
                    1114,
                    1129,
                    1203,
                    1226,
                    1637),
            code(MYSQL, GENERAL, INFRASTRUCTURE, "storage engine or commit failed", 1030, 1180, 3101),
            code(MYSQL, GENERAL, INFRASTRUCTURE, "read-only server or transaction", 1290, 1792, 1836),
            code(
                    MYSQL,
                    GENERAL,
                    INFRASTRUCTURE,
                    "server or connection goes down, statement cancelled or timed out",
                    1053,
                    1317,
                    1927,
                    1969,
                    3024,
                    4031),
            state("25006", INFRASTRUCTURE, "read-only transaction: the server has become a replica"),
            state("PostgreSQL", "25P03", INFRASTRUCTURE, "idle too long in the transaction"),
            state("PostgreSQL", "25P04", INFRASTRUCTURE, "transaction timeout"),
            state("PostgreSQL", "25P02", PROCESS, "transaction aborted: follows another failure, which was swallowed"),
            state("55006", INFRASTRUCTURE, "object in use"),
            state("PostgreSQL", "55P03", INFRASTRUCTURE, "lock not available, lock timeout"),
            state("PostgreSQL", "XX001", INFRASTRUCTURE, "data corrupted"),
            state("PostgreSQL", "XX002", INFRASTRUCTURE, "index corrupted"),
            state("H2", "90131", RACE, "concurrent update of a row"),
            state("H2", "90112", RACE, "the row to delete was deleted by another transaction"),
            state("H2", "90007", INFRASTRUCTURE, "connection or statement closed"),
            state("H2", "90020", INFRASTRUCTURE, "database file in use by another process"),
            state("H2", "90028", INFRASTRUCTURE, "input or output failed"),
            state("H2", "90031", INFRASTRUCTURE, "input or output failed"),
            state("H2", "90030", INFRASTRUCTURE, "database file corrupted"),
            state("H2", "90067", INFRASTRUCTURE, "connection broken"),
            state("H2", "90097", INFRASTRUCTURE, "database is read-only"),
            state("H2", "90098", INFRASTRUCTURE, "database closed"),
            state("H2", "90108", INFRASTRUCTURE, "out of memory"),
            state("H2", "90121", INFRASTRUCTURE, "database shuts down"),
            state("H2", "90135", INFRASTRUCTURE, "database in exclusive mode"),
            // Classes of the standard, and what databases made of them.
            state("08", INFRASTRUCTURE, "connection"),
            state("28", INFRASTRUCTURE, "login refused, as while a password is changed"),
            state("40", INFRASTRUCTURE, "transaction rolled back"),
            state("53", INFRASTRUCTURE, "resources: disk, memory, connections"),
            state("57", INFRASTRUCTURE, "operator, shutdown, statement cancelled or timed out"),
            state("58", INFRASTRUCTURE, "system: input or output"),
            state("HYT", INFRASTRUCTURE, "timeout of a lock (H2), a statement or a connection"),
            state("22", PROCESS, "data that the process wrote: out of range, too long, not a number"),
            state("23", PROCESS, "constraint of the process's tables"),
            state("42", PROCESS, "statement of the process: syntax, table, column, right"),
            // Types, where a driver or pool gives no SQLState that says it.
            type(SQLTransactionRollbackException.class, RACE, "deadlock or serialization failure"),
            type(SQLTransientException.class, INFRASTRUCTURE, "connection, pool (HikariCP) or statement timed out"),
            type(SQLRecoverableException.class, INFRASTRUCTURE, "connection lost"),
            type(SQLNonTransientConnectionException.class, INFRASTRUCTURE, "connection can't be opened or was closed"),
            noConnection(INFRASTRUCTURE, "no connection from the pool (MyBatis, DBCP, Tomcat, c3p0)"),
            type(FlowableOptimisticLockingException.class, RACE, "the instance was changed by another transaction"),
            named("org.hibernate.StaleStateException", RACE, "optimistic locking of the app's own entities"),
            named("jakarta.persistence.OptimisticLockException", RACE, "optimistic locking of the app's own entities"),
            named("jakarta.persistence.PessimisticLockException", INFRASTRUCTURE, "lock not available"),
            named("jakarta.persistence.LockTimeoutException", INFRASTRUCTURE, "lock timeout"),
            named("org.springframework.dao.OptimisticLockingFailureException", RACE, "optimistic locking"),
            named("org.springframework.dao.TransientDataAccessException", INFRASTRUCTURE, "lock or resource"),
            named("org.springframework.dao.DataAccessResourceFailureException", INFRASTRUCTURE, "connection"),
            named("org.springframework.dao.RecoverableDataAccessException", INFRASTRUCTURE, "connection"),
            named("org.springframework.transaction.CannotCreateTransactionException", INFRASTRUCTURE, "no connection"),
            type(InterruptedException.class, INFRASTRUCTURE, "this node stops"),
            type(ClosedByInterruptException.class, INFRASTRUCTURE, "this node stops"));

    private FailureRules() {}

    /** The kind of one link of a cause chain. */
    private static FailureKind kindOf(Throwable link) {
        for (FailureRule rule : ALL) {
            if (rule.test().test(link)) {
                return rule.kind();
            }
        }
        return PROCESS;
    }

    static FailureKind kind(Throwable failure) {
        FailureKind kind = PROCESS;
        for (Throwable link : CauseChain.of(failure)) {
            FailureKind found = kindOf(link);
            kind = found == PROCESS ? kind : found;
        }
        return kind;
    }
}
