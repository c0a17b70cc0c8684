package io.github.flowablepubsub.inbox;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.flowable.common.engine.api.FlowableOptimisticLockingException;

/**
 * Tells failures of the infrastructure from failures of a message or a process, along the cause chain: Flowable wraps
 * database failures in {@code FlowableException}, so the outermost type says nothing.
 */
public final class DatabaseFailures {

    /**
     * SQLState classes that time heals: connection (08), transaction rollback and deadlock (40), resources (53), object
     * or lock state (55), operator intervention and timeouts (57), system (58), timeouts (HYT). Not 25, an aborted
     * transaction: that is what follows a failure of any kind.
     */
    private static final Set<String> TRANSIENT_CLASSES = Set.of("08", "40", "53", "55", "57", "58");
    /**
     * Single states: H2's for a closed or broken database and connection; PostgreSQL's for a server that became a replica
     * (25006) and for a transaction that was idle too long (25P03).
     */
    private static final Set<String> TRANSIENT_STATES =
            Set.of("90007", "90067", "90098", "90121", "90131", "25006", "25P03");

    private static final int MAX_SUMMARY = 300;

    private static final String GENERAL_ERROR = "HY000";

    /**
     * MariaDB and MySQL put these under the general state: lock wait timeout, read-only server or transaction, server or
     * connection going down.
     */
    private static final Set<Integer> TRANSIENT_MYSQL_CODES = Set.of(1053, 1205, 1290, 1792, 1836, 1927);

    /** Missing table, column or right (42), database (3D), schema (3F), login (28). */
    private static final Set<String> OWN_STATEMENT_CLASSES = Set.of("42", "3D", "3F", "28");

    private DatabaseFailures() {}

    /** Whether the database, its connection or a lock failed, so that the same work can succeed later. */
    public static boolean isTransient(Throwable failure) {
        int depth = 0;
        for (Throwable cause = failure; cause != null && depth < 50; cause = cause.getCause(), depth++) {
            if (cause instanceof FlowableOptimisticLockingException
                    || cause instanceof SQLTransientException
                    || cause instanceof SQLRecoverableException
                    || cause instanceof SQLNonTransientConnectionException
                    || (cause instanceof SQLException e && isTransientFailure(e))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether it is the database, not the message: also a missing table or right, a wrong database or login, and failures
     * of connection pools, which come without an SQLState. For statements of our own, which are right.
     */
    public static boolean isDatabaseAway(Throwable failure) {
        int depth = 0;
        for (Throwable cause = failure; cause != null && depth < 50; cause = cause.getCause(), depth++) {
            if (cause instanceof SQLException e
                    && (e.getSQLState() == null
                            || e.getSQLState().length() < 2
                            || OWN_STATEMENT_CLASSES.contains(e.getSQLState().substring(0, 2)))) {
                return true;
            }
        }
        return isTransient(failure);
    }

    /** Whether a unique key was violated: SQLState 23505, and 23000 on databases that are less precise. */
    public static boolean isDuplicateKey(Throwable failure) {
        return hasState(failure, Set.of("23505", "23000"));
    }

    /** Whether two transactions waited for each other, and this one was chosen to give way. */
    public static boolean isDeadlock(Throwable failure) {
        return hasState(failure, Set.of("40001", "40P01"));
    }

    /**
     * What failed, for a log line: innermost type, SQLState and the first line of its message. MyBatis adds the whole
     * statement, hundreds of rows long, and databases add lines with values, which are the message's.
     */
    public static String summary(Throwable failure) {
        Throwable innermost = failure;
        for (int depth = 0; innermost.getCause() != null && depth < 50; depth++) {
            innermost = innermost.getCause();
        }
        String state = innermost instanceof SQLException e ? " [" + e.getSQLState() + "]" : "";
        String message =
                String.valueOf(innermost.getMessage()).lines().findFirst().orElse("");
        return innermost.getClass().getSimpleName() + state + ": " + Keys.text(message, MAX_SUMMARY);
    }

    private static boolean hasState(Throwable failure, Set<String> states) {
        int depth = 0;
        for (Throwable cause = failure; cause != null && depth < 50; cause = cause.getCause(), depth++) {
            if (cause instanceof SQLException e && e.getSQLState() != null && states.contains(e.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isTransientFailure(SQLException failure) {
        String state = failure.getSQLState();
        return state != null
                && state.length() >= 2
                && (TRANSIENT_CLASSES.contains(state.substring(0, 2))
                        || TRANSIENT_STATES.contains(state)
                        || state.startsWith("HYT")
                        || (state.equals(GENERAL_ERROR) && TRANSIENT_MYSQL_CODES.contains(failure.getErrorCode())));
    }
}
