package io.github.flowablepubsub.inbox;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flowable.common.engine.api.FlowableException;

/**
 * What differs between the databases, and nothing else. Statements are written once, with the words of {@link DialectSql}
 * where a database has one of its own. Instants go in and out as microseconds since 1970 (UTC): drivers and session time
 * zones have no say in them.
 *
 * <p>H2, PostgreSQL and MariaDB are tested on the real thing. MySQL 8 shares MariaDB's words; Oracle, SQL Server and DB2
 * are written from their manuals and <b>untested</b>.
 */
enum Dialect {
    H2 {
        @Override
        String micros(String column) {
            return "cast(extract(epoch from " + column + ") * 1000000 as bigint)";
        }

        @Override
        String time(String micros) {
            // in days first: it counts nanoseconds, which overflow in the year 2262
            return "dateadd(microsecond, mod(" + micros + ", 86400000000), dateadd(day, " + micros
                    + " / 86400000000, timestamp with time zone '1970-01-01 00:00:00+00:00'))";
        }
    },

    POSTGRES {
        @Override
        boolean readsAhead() {
            return true;
        }

        @Override
        String micros(String column) {
            return "cast(extract(epoch from " + column + ") * 1000000 as bigint)";
        }

        @Override
        String time(String micros) {
            return "(timestamp with time zone 'epoch' + " + micros + " * interval '1 microsecond')";
        }

        @Override
        String unindexed(String column) {
            return "(" + column + " || '')";
        }
    },

    /**
     * {@code TIMESTAMP} columns keep UTC, but end in January 2038. Values on their way to and from them are in the session's
     * zone, where one hour of the year comes twice: statements with times run in UTC. The first way is MariaDB's, the other
     * one is MySQL's, and a comment for the other database.
     */
    MYSQL {
        @Override
        String inUtc(String statement) {
            String hinted = statement.replaceFirst(
                    "\\b(select|insert|update|delete)\\b", "$1 /*+ SET_VAR(time_zone = '+00:00') */");
            String mariaDb = "/*M!100102 set statement time_zone = '+00:00' for */ ";
            return hinted.startsWith("<script>")
                    ? "<script>" + mariaDb + hinted.substring("<script>".length())
                    : mariaDb + hinted;
        }

        @Override
        String micros(String column) {
            return "cast(unix_timestamp(" + column + ") * 1000000 as signed)";
        }

        @Override
        String time(String micros) {
            return "from_unixtime(least(" + micros + ", 2147483646000000) * 0.000001)";
        }
    },

    /** An empty text is null: blank stands for it. */
    ORACLE {
        @Override
        String micros(String column) {
            return "((cast(sys_extract_utc(" + column + ") as date) - date '1970-01-01') * 86400000000"
                    + " + to_number(to_char(sys_extract_utc(" + column + "), 'FF6')))";
        }

        @Override
        String time(String micros) {
            return "(timestamp '1970-01-01 00:00:00 +00:00' + numtodsinterval(" + micros + " / 1000000, 'SECOND'))";
        }

        @Override
        String text(String value) {
            return "nvl(" + value + ", ' ')";
        }

        @Override
        String first(String count) {
            return "fetch first " + count + " rows only";
        }

        @Override
        int rowsPerInsert() {
            return 1;
        }
    },

    /** {@code CURRENT_TIMESTAMP} has no zone there. */
    MSSQL {
        @Override
        String now() {
            return "sysdatetimeoffset()";
        }

        @Override
        String micros(String column) {
            return "datediff_big(microsecond, cast('1970-01-01T00:00:00+00:00' as datetimeoffset(6)), " + column + ")";
        }

        @Override
        String time(String micros) {
            return "dateadd(microsecond, " + micros + " % 1000000, dateadd(second, " + micros
                    + " / 1000000, cast('1970-01-01T00:00:00+00:00' as datetimeoffset(6))))";
        }

        @Override
        String first(String count) {
            return "offset 0 rows fetch next " + count + " rows only";
        }

        @Override
        String lockingTable() {
            return "with (updlock, rowlock, readpast)";
        }

        @Override
        String skipLocked() {
            return "";
        }

        @Override
        int rowsPerInsert() {
            return 100; // at most 2,100 parameters a statement
        }
    },

    /** No time zones in columns: UTC, also in repairs by hand. */
    DB2 {
        @Override
        String now() {
            return "(current timestamp - current timezone)";
        }

        @Override
        String micros(String column) {
            return "(((bigint(days(" + column + ")) - days('1970-01-01')) * 86400 + midnight_seconds(" + column
                    + ")) * 1000000 + microsecond(" + column + "))";
        }

        @Override
        String time(String micros) {
            return "(timestamp('1970-01-01-00.00.00.000000') + (cast(" + micros + " as bigint) / 1000000) seconds"
                    + " + mod(cast(" + micros + " as bigint), 1000000) microseconds)";
        }

        @Override
        String first(String count) {
            return "fetch first " + count + " rows only";
        }

        @Override
        String skipLocked() {
            return "for update with rs use and keep update locks skip locked data";
        }
    };

    /**
     * The dialect of a database as Flowable names it.
     *
     * @throws FlowableException for one that the channel does not know: better no start than statements that may lose
     *     messages
     */
    static Dialect of(String databaseType) {
        return Stream.of(values())
                .filter(dialect -> dialect.databaseType().equals(databaseType))
                .findFirst()
                .orElseThrow(() -> new FlowableException("The Pub/Sub channel does not know the database type "
                        + databaseType + ", only "
                        + Stream.of(values()).map(Dialect::databaseType).collect(Collectors.joining(", "))
                        + ". Run the engine on one of these, or take flowable-pubsub-channel off the class path."));
    }

    String databaseType() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The same statement, untouched by the session's time zone; only for those that have times. */
    String inUtc(String statement) {
        return statement;
    }

    /** The database's clock. */
    String now() {
        return "CURRENT_TIMESTAMP(6)";
    }

    /** A time column as microseconds. */
    abstract String micros(String column);

    /** Microseconds as a value for a time column. */
    abstract String time(String micros);

    /** A text that may be empty, as its column keeps it. */
    String text(String value) {
        return value;
    }

    /**
     * A column in a condition that only checks rows found otherwise. PostgreSQL takes a partial index of rows that are open or
     * wait to be almost empty, which its statistics say and a long transaction makes wrong by any number of dead entries: read
     * whole, it is estimated to be no dearer than the one entry of the primary key. So only statements that ask for the
     * index's other columns may use it; its condition names one of them, too.
     */
    String unindexed(String column) {
        return column;
    }

    /** At the end of an ordered query: only the first rows. */
    String first(String count) {
        return "limit " + count;
    }

    /** After the table of a query that locks. */
    String lockingTable() {
        return "";
    }

    /** At the end of a query that locks the rows it finds, but for those that are locked. */
    String skipLocked() {
        return "for update skip locked";
    }

    /** Whether it has {@link AheadMapper#take}'s statement: an update that locks a row of another table first, and returns. */
    boolean readsAhead() {
        return false;
    }

    /** Rows that one insert statement may have. */
    int rowsPerInsert() {
        return 1000;
    }
}
