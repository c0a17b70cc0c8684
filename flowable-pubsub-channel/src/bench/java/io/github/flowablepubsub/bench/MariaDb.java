package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A database on a MariaDB server with its own defaults, which commit durably. The server is one for the whole program: it
 * ends with this database.
 *
 * @param database empty when it is created
 */
record MariaDb(Database database) implements Tables, AutoCloseable {

    /**
     * What a query cost.
     *
     * @param rows that it answers
     * @param reads of rows and index entries: the sum of {@code Handler_read%}
     */
    record Reads(long rows, long reads) {
        double perRow() {
            return (double) reads / Math.max(1, rows);
        }
    }

    static MariaDb create() {
        return new MariaDb(TestDatabase.MARIADB.create());
    }

    @Override
    public void sql(String... statements) throws SQLException {
        try (Connection connection = database.source().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public long number(String query) {
        return Long.parseLong(database.strings(query).get(0));
    }

    @Override
    public String series(int from, int to) {
        return "(select seq g from seq_" + from + "_to_" + to + ") s";
    }

    @Override
    public String insertNew(String rows) {
        return "insert ignore into " + rows;
    }

    @Override
    public void analyze(String... tables) throws SQLException {
        sql("analyze table " + String.join(", ", tables));
    }

    /** Runs the query once in a session of its own. MariaDB plans each execution for its values. */
    Reads count(ClaimStatements.Query query) throws SQLException {
        try (Connection connection = database.source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("flush status");
            long rows = 0;
            try (ResultSet result = statement.executeQuery(query.withValues())) {
                while (result.next()) {
                    rows++;
                }
            }
            long reads = 0;
            try (ResultSet result = statement.executeQuery("show session status like 'Handler_read%'")) {
                while (result.next()) {
                    reads += result.getLong(2);
                }
            }
            return new Reads(rows, reads);
        }
    }

    /** Ends the server, for whose sake the program would not end. */
    @Override
    public void close() throws SQLException {
        sql("shutdown");
    }
}
