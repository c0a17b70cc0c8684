package io.github.flowablepubsub.testdb;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;
import org.flowable.common.engine.impl.AbstractEngineConfiguration;
import org.flowable.common.engine.impl.persistence.StrongUuidGenerator;

/**
 * A database of its own. Another JVM reaches it by the same three values.
 *
 * @param hostile see {@link TestDatabase#createHostile()}
 */
public record Database(TestDatabase kind, String url, boolean hostile) {

    private static final int CONNECTIONS = 20;

    /** Plain connections, for tests that look or interfere. */
    public DataSource source() {
        return new Connections(kind, url, kind.owner, hostile);
    }

    /** Tells an engine where it is: its own pool, and the schema. */
    public void configure(AbstractEngineConfiguration engine) {
        configure(engine, pool());
    }

    /** The same with this pool, or what wraps one. */
    public void configure(AbstractEngineConfiguration engine, DataSource pool) {
        engine.setDataSource(pool);
        if (hostile) {
            // As under Spring Boot. The plain engine's takes a second connection in the middle of a transaction: with a
            // small
            // pool its threads wait for each other.
            engine.setIdGenerator(new StrongUuidGenerator());
        }
        if (hostile && kind != TestDatabase.MARIADB) {
            engine.setDatabaseSchema(Hostility.schema(kind));
        }
    }

    /** A pool as a node has one. */
    public PooledDataSource pool() {
        return pool(new Connections(kind, url, kind.owner, hostile));
    }

    /** The same, whose connections the server knows by this name. */
    public PooledDataSource pool(String name) {
        String named = kind.isPostgres() ? url + (url.contains("?") ? "&" : "?") + "ApplicationName=" + name : url;
        String user = kind.owner;
        if (kind == TestDatabase.MARIADB) {
            user = name;
            MariaDbServer.createUser(name).forEach(this::update);
        }
        return pool(new Connections(kind, named, user, hostile));
    }

    private PooledDataSource pool(UnpooledDataSource connections) {
        PooledDataSource pool = new PooledDataSource(connections);
        pool.setPoolMaximumActiveConnections(hostile ? Hostility.CONNECTIONS : CONNECTIONS);
        pool.setPoolMaximumIdleConnections(CONNECTIONS);
        if (hostile) {
            pool.setDefaultTransactionIsolationLevel(Connection.TRANSACTION_REPEATABLE_READ);
        }
        return pool;
    }

    /** Runs a statement; returns the number of rows. */
    public int update(String sql) {
        try (Connection connection = source().getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** First column of all rows. */
    public List<String> strings(String query) {
        try (Connection connection = source().getConnection();
                PreparedStatement statement = connection.prepareStatement(query);
                ResultSet result = statement.executeQuery()) {
            List<String> values = new ArrayList<>();
            while (result.next()) {
                values.add(String.valueOf(result.getString(1)));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Rows of a table. */
    public long count(String table, String where) {
        return Long.parseLong(
                strings("select count(*) from " + table + " where " + where).get(0));
    }

    /** Messages in this state. */
    public long rows(String state) {
        return count("FLW_PUBSUB_INBOX", "STATE_ = '" + state + "'");
    }

    /** Kills the connections of the pool with this name, as an operator or a fail-over does; returns how many. */
    public int terminateConnections(String name) {
        if (kind == TestDatabase.MARIADB) {
            List<String> ids = strings("select ID from information_schema.PROCESSLIST where DB = database()"
                    + " and USER = '" + name + "'");
            ids.forEach(id -> update("kill " + id));
            return ids.size();
        }
        return strings("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
                        + " and application_name = '" + name + "'")
                .size();
    }

    /** Connections that are set up as this kind of database has them. */
    private static final class Connections extends UnpooledDataSource {

        private final List<String> onConnect;

        Connections(TestDatabase kind, String url, String user, boolean hostile) {
            super(kind.driver, url, user, "");
            this.onConnect = hostile ? Hostility.onConnect(kind) : List.of();
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            try (Statement statement = connection.createStatement()) {
                for (String sql : onConnect) {
                    statement.execute(sql);
                }
            }
            return connection;
        }
    }
}
