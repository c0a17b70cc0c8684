package io.github.flowablepubsub.it;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database whose statements and commits fail on demand, and are counted. */
final class FragileSource implements DataSource {

    private final DataSource source;
    private volatile @Nullable Predicate<String> refused;
    private volatile boolean failsCommits;
    private volatile boolean losesCommits;
    private volatile SQLException failure = new SQLException("the connection is gone", "08006");
    final AtomicLong refusals = new AtomicLong();
    final AtomicLong insertingCommits = new AtomicLong();

    FragileSource(DataSource source) {
        this.source = source;
    }

    /** From now on statements like this one fail. */
    void refuse(Predicate<String> sql, SQLException with) {
        failure = with;
        refused = sql;
    }

    /** From now on inserts into the inbox work, and the commit after them fails: nothing of them stays. */
    void failCommits() {
        failsCommits = true;
    }

    /** From now on the commit after inserts into the inbox works, and nobody hears of it. */
    void loseCommits() {
        losesCommits = true;
    }

    void heal() {
        refused = null;
        losesCommits = false;
        failsCommits = false;
    }

    static boolean storesMessages(String sql) {
        return sql.contains("insert into FLW_PUBSUB_INBOX");
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = source.getConnection();
        boolean[] inserted = new boolean[1];
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (method.getName().equals("prepareStatement")) {
                        String sql = (String) args[0];
                        inserted[0] |= storesMessages(sql);
                        Predicate<String> refusal = refused;
                        if (refusal != null && refusal.test(sql)) {
                            refusals.incrementAndGet();
                            throw failure;
                        }
                    } else if (method.getName().equals("commit") && inserted[0]) {
                        if (losesCommits) {
                            connection.commit();
                        }
                        if (failsCommits || losesCommits) {
                            refusals.incrementAndGet();
                            throw failure;
                        }
                        insertingCommits.incrementAndGet();
                        inserted[0] = false;
                    } else if (method.getName().equals("rollback")
                            || method.getName().equals("close")) {
                        inserted[0] = false;
                    }
                    try {
                        return method.invoke(connection, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        // nothing to log
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // connections come from a pool
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("not a wrapper");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
