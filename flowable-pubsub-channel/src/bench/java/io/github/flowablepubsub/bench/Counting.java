package io.github.flowablepubsub.bench;

import java.io.Closeable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counts the statements of a pool by their text, and notes when each thread's last commit returned. */
final class Counting {

    static final String COMMIT = "commit";

    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> nanos = new ConcurrentHashMap<>();
    private volatile boolean on = true;
    private final ThreadLocal<Long> lastCommit = ThreadLocal.withInitial(() -> 0L);

    /** {@link System#nanoTime} of the return of this thread's last commit, 0 before the first. */
    long lastCommitNanos() {
        return lastCommit.get();
    }

    /** Off, connections are the pool's own and cost what they cost without counting. On at first. */
    void on(boolean count) {
        on = count;
    }

    void reset() {
        counts.clear();
        nanos.clear();
    }

    /** Calls by statement, commits and rollbacks apart under their names. */
    Map<String, Long> counts() {
        Map<String, Long> result = new TreeMap<>();
        counts.forEach((sql, count) -> result.put(sql, count.get()));
        return result;
    }

    /** Calls per message and mean milliseconds of a call, the most expensive first. */
    String profile(int messages) {
        StringBuilder text = new StringBuilder();
        nanos.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, AtomicLong> entry) ->
                        -entry.getValue().get()))
                .limit(8)
                .forEach(entry -> {
                    long calls =
                            Objects.requireNonNull(counts.get(entry.getKey())).get();
                    text.append(Stats.text(
                            "%n    %.2f calls a message, %.2f ms each: %s",
                            (double) calls / messages,
                            entry.getValue().get() / 1e6 / calls,
                            shortened(entry.getKey())));
                });
        return text.toString();
    }

    static String shortened(String sql) {
        return sql.length() > 110 ? sql.substring(0, 110) + "…" : sql;
    }

    DataSource wrap(DataSource pool) {
        InvocationHandler handler = (self, method, args) -> {
            Object result = invoke(pool, method, args);
            return on && result instanceof Connection connection ? wrap(connection) : result;
        };
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class, Closeable.class}, handler);
    }

    private Connection wrap(Connection connection) {
        return proxy(Connection.class, (self, method, args) -> {
            String name = method.getName();
            long start = System.nanoTime();
            Object result = invoke(connection, method, args);
            if (name.equals("commit") || name.equals("rollback")) {
                count(name, start);
                lastCommit.set(System.nanoTime());
            } else if (name.equals("prepareStatement") && args != null && result != null) {
                return statement(result, String.valueOf(args[0]));
            }
            return result;
        });
    }

    private Object statement(Object statement, String sql) {
        String text = sql.replaceAll("\\s+", " ").trim().toLowerCase(Locale.ROOT);
        return proxy(java.sql.PreparedStatement.class, (self, method, args) -> {
            long start = System.nanoTime();
            Object result = invoke(statement, method, args);
            if (method.getName().startsWith("execute")) {
                count(text, start);
            }
            return result;
        });
    }

    private void count(String text, long startNanos) {
        counts.computeIfAbsent(text, key -> new AtomicLong()).incrementAndGet();
        nanos.computeIfAbsent(text, key -> new AtomicLong()).addAndGet(System.nanoTime() - startNanos);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] args)
            throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
