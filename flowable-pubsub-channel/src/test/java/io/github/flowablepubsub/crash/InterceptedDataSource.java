package io.github.flowablepubsub.crash;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source that tells of every connection, statement and commit before and after it happens. */
final class InterceptedDataSource {

    private InterceptedDataSource() {}

    enum Kind {
        CONNECT,
        STATEMENT,
        COMMIT
    }

    /**
     * What is about to happen or has happened.
     *
     * @param sql the statement in lower case with single blanks and without comments; empty for other kinds
     * @param transaction statements of this transaction so far
     */
    record Call(Kind kind, String sql, List<String> transaction, boolean done) {
        boolean isStatement(String... parts) {
            return kind == Kind.STATEMENT && contains(sql, parts);
        }

        /** The commit of a transaction with a statement that has all these parts. */
        boolean isCommitOf(String... parts) {
            return kind == Kind.COMMIT && transaction.stream().anyMatch(statement -> contains(statement, parts));
        }

        private static boolean contains(String text, String... parts) {
            for (String part : parts) {
                if (!text.contains(part)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Hears of calls in the thread that makes them; may block, or throw what the database would throw. */
    interface Interceptor {
        void on(Call call) throws SQLException;
    }

    static DataSource wrap(DataSource source, Interceptor interceptor) {
        return proxy(DataSource.class, (self, method, args) -> {
            if (!method.getName().equals("getConnection")) {
                return invoke(source, method, args);
            }
            interceptor.on(new Call(Kind.CONNECT, "", List.of(), false));
            Connection connection = (Connection) invoke(source, method, args);
            return connection(connection, interceptor);
        });
    }

    private static Connection connection(@Nullable Object target, Interceptor interceptor) {
        List<String> statements = new ArrayList<>();
        return proxy(Connection.class, (self, method, args) -> {
            String name = method.getName();
            if (name.equals("prepareStatement") && args != null) {
                Object statement = invoke(target, method, args);
                return statement(statement, normalised((String) args[0]), statements, interceptor);
            }
            if (name.equals("commit")) {
                List<String> transaction = List.copyOf(statements);
                interceptor.on(new Call(Kind.COMMIT, "", transaction, false));
                Object result = invoke(target, method, args);
                statements.clear();
                interceptor.on(new Call(Kind.COMMIT, "", transaction, true));
                return result;
            }
            if (name.equals("rollback") || name.equals("close")) {
                statements.clear();
            }
            return invoke(target, method, args);
        });
    }

    private static PreparedStatement statement(
            @Nullable Object target, String sql, List<String> statements, Interceptor interceptor) {
        return proxy(PreparedStatement.class, (self, method, args) -> {
            if (!method.getName().startsWith("execute")) {
                return invoke(target, method, args);
            }
            interceptor.on(new Call(Kind.STATEMENT, sql, List.copyOf(statements), false));
            Object result = invoke(target, method, args);
            statements.add(sql);
            interceptor.on(new Call(Kind.STATEMENT, sql, List.copyOf(statements), true));
            return result;
        });
    }

    private static String normalised(String sql) {
        return sql.replaceAll("/\\*.*?\\*/", " ").replaceAll("\\s+", " ").trim().toLowerCase(Locale.ROOT);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object invoke(@Nullable Object target, Method method, @Nullable Object @Nullable [] args)
            throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
