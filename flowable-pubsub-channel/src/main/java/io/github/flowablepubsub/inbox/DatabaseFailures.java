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
                    || (cause instanceof SQLException e && isTransientState(e.getSQLState()))) {
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
        int depth = 0;
        for (Throwable cause = failure; cause != null && depth < 50; cause = cause.getCause(), depth++) {
            if (cause instanceof SQLException e
                    && e.getSQLState() != null
                    && (e.getSQLState().equals("23505") || e.getSQLState().equals("23000"))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isTransientState(@org.jspecify.annotations.Nullable String state) {
        return state != null
                && state.length() >= 2
                && (TRANSIENT_CLASSES.contains(state.substring(0, 2))
                        || TRANSIENT_STATES.contains(state)
                        || state.startsWith("HYT"));
    }
}
