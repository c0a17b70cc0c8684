package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A node's data source that counts what its statements cost, see {@link StatementCost}, as they run on the node's own way.
 * On PostgreSQL and H2 a statement that is counted runs twice: the first time to be explained, and undone.
 */
final class CountedSource {

    /** A statement that ran. */
    record Counted(String thread, String sql, long cost) {
        boolean is(String... parts) {
            return List.of(parts).stream().allMatch(sql::contains);
        }
    }

    private record Parameter(Method setter, List<@Nullable Object> values) {}

    private final TestDatabase kind;
    private final DataSource source;
    private final List<Counted> counted = new CopyOnWriteArrayList<>();
    private volatile Predicate<String> threads = thread -> false;

    CountedSource(TestDatabase kind, DataSource source) {
        this.kind = kind;
        this.source = source;
    }

    /** From now on statements of threads with these names are counted, until {@link #end}. */
    void begin(Predicate<String> names) {
        counted.clear();
        threads = names;
    }

    /** What has been counted so far. */
    List<Counted> sofar() {
        return List.copyOf(counted);
    }

    List<Counted> end() {
        threads = thread -> false;
        return sofar();
    }

    static long total(List<Counted> statements) {
        return statements.stream().mapToLong(Counted::cost).sum();
    }

    DataSource source() {
        return proxy(DataSource.class, (self, method, args) -> {
            Object result = invoke(source, method, args);
            return method.getName().equals("getConnection") ? connection((Connection) result) : result;
        });
    }

    private Connection connection(@Nullable Connection target) {
        return proxy(Connection.class, (self, method, args) -> {
            Object result = invoke(target, method, args);
            return method.getName().equals("prepareStatement") && target != null && args != null
                    ? statement(target, (PreparedStatement) result, (String) args[0])
                    : result;
        });
    }

    private PreparedStatement statement(Connection connection, @Nullable PreparedStatement target, String sql) {
        List<Parameter> parameters = new ArrayList<>();
        return proxy(PreparedStatement.class, (self, method, args) -> {
            String name = method.getName();
            if (name.startsWith("set") && args != null && args.length >= 2) {
                parameters.add(new Parameter(method, new ArrayList<>(Arrays.asList(args))));
            } else if (name.startsWith("execute")
                    && threads.test(Thread.currentThread().getName())) {
                return counted(connection, sql, parameters, () -> invoke(target, method, args));
            }
            return invoke(target, method, args);
        });
    }

    private interface Execution {
        @Nullable
        Object run() throws Throwable;
    }

    private @Nullable Object counted(Connection connection, String sql, List<Parameter> parameters, Execution execution)
            throws Throwable {
        @Nullable Object[] result = new @Nullable Object[1];
        long cost;
        if (kind == TestDatabase.MARIADB) {
            cost = StatementCost.of(connection, () -> result[0] = execution.run());
        } else {
            cost = explained(connection, sql, parameters);
            result[0] = execution.run();
        }
        counted.add(new Counted(
                Thread.currentThread().getName(), sql.replaceAll("\\s+", " ").trim(), cost));
        return result[0];
    }

    private long explained(Connection connection, String sql, List<Parameter> parameters) throws SQLException {
        Savepoint before = connection.setSavepoint();
        long cost = StatementCost.of(kind, connection, sql, statement -> {
            try {
                for (Parameter parameter : parameters) {
                    invoke(statement, parameter.setter(), parameter.values().toArray());
                }
            } catch (Throwable e) {
                throw new SQLException(e);
            }
        });
        connection.rollback(before);
        return cost;
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
