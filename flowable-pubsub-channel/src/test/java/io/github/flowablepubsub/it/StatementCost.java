package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.scripting.defaults.DefaultParameterHandler;
import org.apache.ibatis.session.SqlSession;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.db.DbSqlSession;

/**
 * What one of our statements costs the database, as it says itself: buffers on PostgreSQL, rows on MariaDB and H2. Never
 * time. It is run for that, in a transaction of its own.
 */
final class StatementCost {

    private final InboxBench bench;

    StatementCost(InboxBench bench) {
        this.bench = bench;
    }

    /** Runs a mapper's statement with these parameters and returns its cost. */
    long of(Class<?> mapper, String statement, Object parameter) {
        return bench.call(session -> {
            SqlSession sql = Objects.requireNonNull(Context.getCommandContext())
                    .getSession(DbSqlSession.class)
                    .getSqlSession();
            MappedStatement mapped = sql.getConfiguration().getMappedStatement(mapper.getName() + "." + statement);
            try {
                return cost(sql.getConnection(), mapped, parameter);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private long cost(Connection connection, MappedStatement mapped, Object parameter) throws SQLException {
        BoundSql bound = mapped.getBoundSql(parameter);
        return of(
                bench.database.kind(),
                connection,
                bound.getSql(),
                new DefaultParameterHandler(mapped, parameter, bound)::setParameters);
    }

    /** Runs a statement. */
    interface Runs {
        void run() throws Throwable;
    }

    /** Sets the parameters of a statement. */
    interface Parameters {
        void set(PreparedStatement statement) throws SQLException;
    }

    /** Runs any statement on this connection and returns its cost. */
    static long of(TestDatabase kind, Connection connection, String sql, Parameters parameters) throws SQLException {
        try (Statement counters = connection.createStatement();
                PreparedStatement statement = connection.prepareStatement(prefix(kind) + sql)) {
            if (kind == TestDatabase.MARIADB) {
                counters.execute("flush status");
            }
            parameters.set(statement);
            StringBuilder output = new StringBuilder();
            if (statement.execute()) {
                try (ResultSet result = statement.getResultSet()) {
                    while (result.next()) {
                        output.append(result.getString(1)).append('\n');
                    }
                }
            }
            return switch (kind) {
                case MARIADB -> handlerReads(counters);
                case H2 -> sum(output, "scanCount: (\\d+)");
                case POSTGRES, POSTGRES_14 ->
                    first(output, "\"Shared Hit Blocks\": (\\d+)") + first(output, "\"Shared Read Blocks\": (\\d+)");
            };
        }
    }

    private static String prefix(TestDatabase kind) {
        return switch (kind) {
            case MARIADB -> "";
            case H2 -> "explain analyze ";
            case POSTGRES, POSTGRES_14 -> "explain (analyze, buffers, format json) ";
        };
    }

    /**
     * What it costs MariaDB, which counts while it runs. Counters are not set back here: that would commit a transaction.
     */
    static long of(Connection connection, Runs runs) throws Throwable {
        try (Statement counters = connection.createStatement()) {
            long first = handlerReads(counters);
            long before = handlerReads(counters);
            runs.run();
            long own = before - first;
            return handlerReads(counters) - before - own;
        }
    }

    private static long handlerReads(Statement counters) throws SQLException {
        long reads = 0;
        try (ResultSet result = counters.executeQuery("show session status like 'Handler_read%'")) {
            while (result.next()) {
                reads += result.getLong(2);
            }
        }
        return reads;
    }

    private static long sum(CharSequence text, String regex) {
        return Pattern.compile(regex)
                .matcher(text)
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .sum();
    }

    private static long first(CharSequence text, String regex) {
        Matcher matcher = Pattern.compile(regex).matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("No " + regex + " in " + text);
        }
        return Long.parseLong(matcher.group(1));
    }
}
