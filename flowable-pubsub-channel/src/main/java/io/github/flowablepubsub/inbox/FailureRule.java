package io.github.flowablepubsub.inbox;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One line of the table of failures.
 *
 * @param database whose failure it is
 * @param sign how it is told, in words
 * @param test whether a link of the cause chain has that sign
 * @param kind what kind of failure it is
 * @param meaning what has happened
 */
record FailureRule(String database, String sign, Predicate<Throwable> test, FailureKind kind, String meaning) {

    private static final String ANY = "any";

    /** SQLStates that begin like this. */
    static FailureRule state(String database, String prefix, FailureKind kind, String meaning) {
        String sign = "SQLState " + prefix + (prefix.length() < 5 ? "…" : "");
        return new FailureRule(database, sign, failure -> state(failure).startsWith(prefix), kind, meaning);
    }

    static FailureRule state(String prefix, FailureKind kind, String meaning) {
        return state(ANY, prefix, kind, meaning);
    }

    /** Vendor codes, which mean something only beside an SQLState of that vendor. */
    static FailureRule code(String database, String states, FailureKind kind, String meaning, Integer... codes) {
        Set<Integer> all = new TreeSet<>(Arrays.asList(codes));
        String sign = all.stream().map(String::valueOf).collect(Collectors.joining(", ", "code ", ""))
                + " with SQLState " + states.replace("|", ", ");
        return new FailureRule(
                database,
                sign,
                failure -> failure instanceof SQLException sql
                        && all.contains(sql.getErrorCode())
                        && Arrays.stream(states.split("\\|"))
                                .anyMatch(state -> state(failure).startsWith(state)),
                kind,
                meaning);
    }

    static FailureRule type(Class<? extends Throwable> type, FailureKind kind, String meaning) {
        return new FailureRule(ANY, "`" + type.getSimpleName() + "`", type::isInstance, kind, meaning);
    }

    /** Types that this jar does not know: the class or one above it has this name. */
    static FailureRule named(String name, FailureKind kind, String meaning) {
        return new FailureRule(ANY, "`" + name + "`", failure -> isA(failure, name), kind, meaning);
    }

    /** No SQLState, and thrown while a connection was asked for: pools say so, in words of their own. */
    static FailureRule noConnection(FailureKind kind, String meaning) {
        return new FailureRule(
                ANY,
                "`SQLException` without SQLState from `getConnection`",
                failure -> failure instanceof SQLException
                        && state(failure).isEmpty()
                        && Arrays.stream(failure.getStackTrace())
                                .anyMatch(frame -> frame.getMethodName().equals("getConnection")),
                kind,
                meaning);
    }

    private static boolean isA(Throwable failure, String name) {
        for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static String state(Throwable failure) {
        String state = failure instanceof SQLException sql ? sql.getSQLState() : null;
        return state == null ? "" : state;
    }
}
