package io.github.flowablepubsub.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One database.
 *
 * @param source plain connections, a new one each time
 */
record Db(PGSimpleDataSource source) {

    /** A pool as each node has one. */
    HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(source.getUrl());
        config.setUsername("postgres");
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        return new HikariDataSource(config);
    }

    void sql(String... statements) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    String text(String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return String.valueOf(result.getString(1));
        }
    }

    long number(String query) throws SQLException {
        return Long.parseLong(text(query));
    }

    /** Waits until the query answers this number. */
    void await(String query, long expected, int seconds) throws SQLException, InterruptedException {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (number(query) != expected) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        query + " is " + number(query) + ", not " + expected + ", after " + seconds + " s");
            }
            Thread.sleep(20);
        }
    }
}
