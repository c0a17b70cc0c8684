package io.github.flowablepubsub.it;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Databases that tests run on; each call gives an empty one. */
enum TestDatabase {
    H2 {
        @Override
        Database create() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000");
            source.setUser("sa");
            return new Database("org.h2.Driver", source.getURL(), "sa", source);
        }
    },
    POSTGRES {
        @Override
        Database create() {
            try {
                EmbeddedPostgres server = PostgresServer.get();
                String name = "t" + UUID.randomUUID().toString().replace("-", "");
                try (Connection connection = server.getPostgresDatabase().getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("create database " + name);
                }
                PGSimpleDataSource source = (PGSimpleDataSource) server.getDatabase("postgres", name);
                return new Database("org.postgresql.Driver", source.getUrl(), "postgres", source);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    };

    abstract Database create();

    /**
     * An empty database.
     *
     * @param source plain connections, for tests that look or interfere
     */
    record Database(String driver, String url, String user, DataSource source) {
        /** A pool of its own, as each node has one. */
        PooledDataSource pool() {
            PooledDataSource pool = new PooledDataSource(driver, url, user, "");
            pool.setPoolMaximumActiveConnections(20);
            return pool;
        }
    }

    /** One server for the JVM. */
    private static final class PostgresServer {
        private static @Nullable EmbeddedPostgres server;

        static synchronized EmbeddedPostgres get() {
            if (server == null) {
                try {
                    server = EmbeddedPostgres.builder()
                            .setServerConfig("max_connections", "200")
                            // Commits as in production, for tests that kill.
                            .setServerConfig("fsync", "on")
                            .setServerConfig("synchronous_commit", "on")
                            .setServerConfig("timezone", "America/Caracas")
                            .start();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return server;
        }
    }
}
