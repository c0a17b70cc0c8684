package io.github.flowablepubsub.testdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fixture is what it says, for tests that rely on it could not tell. */
@Tag("once") // on one Flowable line, see .ci/run
class TestDatabaseTest {

    private static String one(Database database, String query) {
        return database.strings(query).get(0);
    }

    @ParameterizedTest
    @EnumSource
    void isOfItsKindAndEmpty(TestDatabase kind) {
        Database database = kind.create();
        String version = one(database, kind == TestDatabase.H2 ? "select h2version()" : "select version()");
        assertThat(version)
                .contains(
                        switch (kind) {
                            case H2 -> "2.";
                            case POSTGRES -> "PostgreSQL 17.6";
                            case POSTGRES_14 -> "PostgreSQL 14.22";
                            case MARIADB -> "11.4.5-MariaDB";
                        });
        database.update("create table T (A_ integer)");
        assertThat(kind.create().strings("select 1 from information_schema.tables where table_name in ('t', 'T')"))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
    void commitsAsInProduction(TestDatabase kind) {
        Database database = kind.create();
        if (kind == TestDatabase.MARIADB) {
            assertThat(one(database, "select @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
        } else {
            assertThat(one(database, "show fsync")).isEqualTo("on");
            assertThat(one(database, "show synchronous_commit")).isEqualTo("on");
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
    void connectionsOfAPoolAreFoundByItsName(TestDatabase kind) throws SQLException {
        Database database = kind.create();
        PooledDataSource pool = database.pool("node");
        try (Connection connection = pool.getConnection()) {
            assertThat(database.terminateConnections("other")).isZero();
            assertThat(database.terminateConnections("node")).isEqualTo(1);
            assertThat(connection.isValid(1)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void hostileSessionsAreInAZoneOfTheirOwnWithDaylightSaving(TestDatabase kind) {
        Database database = kind.createHostile();
        String instant =
                switch (kind) {
                    case H2, POSTGRES, POSTGRES_14 ->
                        "select cast(timestamp with time zone '2026-%s 00:00:00+00' as timestamp)";
                    case MARIADB ->
                        "select from_unixtime(unix_timestamp('2026-%s 00:00:00')"
                                + " + timestampdiff(second, '2026-%1$s 00:00:00', convert_tz('2026-%1$s 00:00:00',"
                                + " '+00:00', @@session.time_zone)))";
                };
        assertThat(one(database, instant.formatted("01-15"))).contains("2026-01-14 20:30");
        assertThat(one(database, instant.formatted("07-15"))).contains("2026-07-14 21:30");
    }

    @ParameterizedTest
    @EnumSource
    void hostilePoolsAreSmallAndRepeatableRead(TestDatabase kind) throws SQLException {
        PooledDataSource pool = kind.createHostile().pool("node");
        pool.setPoolTimeToWait(100);
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Connection connection = pool.getConnection();
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
            all.add(connection);
        }
        assertThat(pool.getPoolState().getActiveConnectionCount()).isEqualTo(3);
        assertThat(pool.getPoolMaximumActiveConnections()).isEqualTo(3);
        for (Connection connection : all) {
            connection.close();
        }
        pool.forceCloseAll();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MARIADB")
    void hostileSchemaIsNotTheDefaultOne(TestDatabase kind) {
        Database database = kind.createHostile();
        assertThat(one(database, "select current_schema")).isEqualToIgnoringCase("engine");
        assertThat(new Database(kind, database.url(), false).count("FLW_PUBSUB_INBOX", "1 = 1"))
                .as("another app's table of that name")
                .isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "MARIADB"})
    void hostileCollationFoldsCase(TestDatabase kind) {
        Database database = kind.createHostile();
        database.update("create table T (A_ varchar(10))");
        database.update("insert into T values ('a')");
        assertThat(database.count("T", "A_ = 'A'")).isEqualTo(1);
    }
}
