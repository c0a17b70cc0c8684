package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From the tables of the first version to those of this one, with messages in them. */
class UpgradeTest {

    private static final String INSERT =
            """
            insert into FLW_PUBSUB_INBOX (CHANNEL_KEY_, MESSAGE_ID_, BODY_HASH_, EVENT_KEY_, CORRELATION_KEY_, ORDER_KEY_,
                STATE_, REASON_, ATTEMPTS_, NEXT_ATTEMPT_, EXPIRES_AT_, PAYLOAD_, ATTRIBUTES_, PUBLISHED_AT_, RECEIVED_AT_)
            values ('c', '%1$s', 'h%1$s', 'auftragAbgeschlossen', '%2$s', '%2$s', '%3$s', %4$s, %5$d, %6$s,
                CURRENT_TIMESTAMP + interval '1' day, '%7$s', '{}', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)
            """;

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void messagesOfTheFirstVersionAreKeptAndGoOn(TestDatabase kind) throws IOException, SQLException {
        Database database = kind.create();
        SchemaTest.withoutPlugin(database);
        SchemaTest.run(database, "schema-version-1/" + kind.name().toLowerCase(java.util.Locale.ROOT) + ".sql");
        insert(database, "1", "A-1", "OPEN", "null", 0, "CURRENT_TIMESTAMP");
        insert(
                database,
                "2",
                "A-1",
                "WAITING",
                "'HELD_BACK'",
                0,
                "timestamp with time zone '9999-01-01 00:00:00+00:00'");
        insert(database, "3", "A-1", "DONE", "null", 1, "CURRENT_TIMESTAMP");
        insert(database, "4", "A-2", "WAITING", "'NO_MATCH'", 1, "CURRENT_TIMESTAMP + interval '1' day");
        database.update("insert into FLW_PUBSUB_LANE (CHANNEL_KEY_, ORDER_KEY_) values ('c', 'A-1')");

        try (PubSubServer server = PubSubServer.start()) {
            assertThatThrownBy(() -> SchemaTest.start(database, server))
                    .hasMessageContainingAll("version 1", "needs version 3", "upgradestep.1.to.2");

            server.createTopic("rueckmeldungen");
            server.createSubscription("c-sub", "rueckmeldungen");
            try (Node node = Node.start(database, Node.settings(server.endpoint()))
                    .deployEvents(Map.of(
                            "e.event", Models.EVENT, "c.channel", Models.channel("c", "c-sub", "{}", Lab.FIXED, "")))
                    .deployProcess(Models.PROCESS)) {
                assertThat(version(database)).containsExactly("3");
                assertThat(database.strings("select count(*) from FLW_PUBSUB_INBOX where NEXT_ATTEMPT_ is null"))
                        .containsExactly("1");
                Lab.eventually("looked at within the hour, for the alarm", () -> isLookedAtInTime(database));
                for (int i = 0; i < 2; i++) {
                    node.engine
                            .getRuntimeService()
                            .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "A-1"));
                    int done = 2 + i;
                    Lab.eventually("done " + done, () -> database.rows("DONE") == done);
                }
            }
            Database fresh = kind.create();
            Node.start(fresh, Node.settings(server.endpoint())).close();
            assertThat(columns(kind, database)).isNotEmpty().isEqualTo(columns(kind, fresh));
            assertThat(indexes(kind, database)).isNotEmpty().isEqualTo(indexes(kind, fresh));
        }
    }

    private static boolean isLookedAtInTime(Database database) {
        String in = "MESSAGE_ID_ = '4' and STATE_ = 'WAITING' and WAITING_SINCE_ = RECEIVED_AT_ and ALARMED_AT_ is null"
                + " and NEXT_ATTEMPT_ <= CURRENT_TIMESTAMP + interval '1' hour";
        return database.count("FLW_PUBSUB_INBOX", in) == 1;
    }

    private static void insert(
            Database database, String id, String order, String state, String reason, int attempts, String nextAttempt) {
        String body = Models.completion(order, 1);
        database.update(INSERT.formatted(id, order, state, reason, attempts, nextAttempt, body));
    }

    private static List<String> version(Database database) {
        return database.strings("select VALUE_ from ACT_GE_PROPERTY where NAME_ = 'pubsub.schema.version'");
    }

    private static List<String> columns(TestDatabase kind, Database database) {
        String pattern = kind == TestDatabase.H2 ? "FLW_PUBSUB_%" : "flw_pubsub_%";
        return database.strings("select table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable"
                + " from information_schema.columns where table_name like '" + pattern + "' order by 1");
    }

    private static List<String> indexes(TestDatabase kind, Database database) {
        return kind == TestDatabase.H2
                ? database.strings("select index_name || ' ' || column_name || ' ' || ordinal_position"
                        + " from information_schema.index_columns where index_name like 'FLW_PUBSUB_%' order by 1")
                : database.strings("select indexdef from pg_indexes where tablename like 'flw_pubsub_%' order by 1");
    }
}
