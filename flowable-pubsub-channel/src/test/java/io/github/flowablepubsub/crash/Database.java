package io.github.flowablepubsub.crash;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An empty database of its own.
 *
 * @param source plain connections, for tests that look or interfere
 */
record Database(String driver, String url, String user, DataSource source) {

    enum Kind {
        H2,
        POSTGRES;

        Database create() {
            return this == H2 ? h2() : postgres();
        }
    }

    static Database h2() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000");
        source.setUser("sa");
        return new Database("org.h2.Driver", source.getURL(), "sa", source);
    }

    static Database postgres() {
        EmbeddedPostgres server = Postgres.get();
        String name = "c" + UUID.randomUUID().toString().replace("-", "");
        update(server.getPostgresDatabase(), "create database " + name);
        PGSimpleDataSource source = (PGSimpleDataSource) server.getDatabase("postgres", name);
        source.setApplicationName("test");
        return new Database("org.postgresql.Driver", source.getUrl(), "postgres", source);
    }

    /** A pool as a node has one; PostgreSQL shows its connections under this name. */
    PooledDataSource pool(String name) {
        return pool(driver, url, user, name);
    }

    static PooledDataSource pool(String driver, String url, String user, String name) {
        String named = url.replaceAll("ApplicationName=[^&]*", "ApplicationName=" + name);
        PooledDataSource pool = new PooledDataSource(driver, named, user, "");
        pool.setPoolMaximumActiveConnections(20);
        pool.setPoolMaximumIdleConnections(20);
        return pool;
    }

    int update(String sql) {
        return update(source, sql);
    }

    private static int update(DataSource source, String sql) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** First column of all rows. */
    List<String> strings(String query) {
        try (Connection connection = source.getConnection();
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

    long count(String table, String where) {
        return Long.parseLong(
                strings("select count(*) from " + table + " where " + where).get(0));
    }

    long rows(String state) {
        return count("FLW_PUBSUB_INBOX", "STATE_ = '" + state + "'");
    }

    /** Kills the connections of the node with this name, as an operator or a fail-over does; returns how many. */
    int terminateConnections(String name) {
        return strings("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
                        + " and application_name = '" + name + "'")
                .size();
    }

    private static final class Postgres {
        private static @Nullable EmbeddedPostgres server;

        /** One server for the JVM; it commits as in production, for what is killed here must be durable. */
        static synchronized EmbeddedPostgres get() {
            if (server == null) {
                try {
                    server = EmbeddedPostgres.builder()
                            .setServerConfig("max_connections", "200")
                            .setServerConfig("fsync", "on")
                            .setServerConfig("synchronous_commit", "on")
                            .start();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return server;
        }
    }
}
