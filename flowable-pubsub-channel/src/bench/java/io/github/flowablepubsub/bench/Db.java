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
record Db(PGSimpleDataSource source) implements Tables {

    /** A pool as each node has one. */
    HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(source.getUrl());
        config.setUsername("postgres");
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        return new HikariDataSource(config);
    }

    @Override
    public void sql(String... statements) throws SQLException {
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

    @Override
    public long number(String query) throws SQLException {
        return Long.parseLong(text(query));
    }

    @Override
    public String series(int from, int to) {
        return "generate_series(" + from + ", " + to + ") g";
    }

    @Override
    public String insertNew(String rows) {
        return "insert into " + rows + " on conflict do nothing";
    }

    @Override
    public void analyze(String... tables) throws SQLException {
        sql("vacuum (analyze) " + String.join(", ", tables));
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
