package io.github.flowablepubsub.inbox;

import java.sql.SQLException;
import java.util.Set;

/** What a failure says of the database, along its cause chain: Flowable wraps database failures in its own exceptions. */
public final class DatabaseFailures {

    private static final int MAX_SUMMARY = 300;

    /** Missing table, column or right (42), database (3D), schema (3F), login (28). */
    private static final Set<String> OWN_STATEMENT_CLASSES = Set.of("42", "3D", "3F", "28");

    private DatabaseFailures() {}

    /** Whose fault it is, see {@link FailureRules}. */
    public static FailureKind kind(Throwable failure) {
        return FailureRules.kind(failure);
    }

    /** Whether the same work can succeed later. */
    public static boolean isTransient(Throwable failure) {
        return kind(failure) != FailureKind.PROCESS;
    }

    /** Whether another transaction was faster, or this one was chosen to give way. */
    public static boolean isRace(Throwable failure) {
        return kind(failure) == FailureKind.RACE;
    }

    /**
     * Whether it is the database, not the message: also a missing table or right, a wrong database or login, and failures
     * of connection pools, which come without an SQLState. For statements of our own, which are right.
     */
    public static boolean isDatabaseAway(Throwable failure) {
        for (Throwable link : CauseChain.of(failure)) {
            if (link instanceof SQLException e
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
        for (Throwable link : CauseChain.of(failure)) {
            if (link instanceof SQLException e && e.getSQLState() != null && states.contains(e.getSQLState())) {
                return true;
            }
        }
        return false;
    }
}
