package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From the first tables that MariaDB had, which are of the second version. */
@Tag("once") // on one Flowable line, see .ci/run
class UpgradeMariaDbTest {

    @Test
    void waitingMessagesOfTheSecondVersionAreKept() throws IOException, SQLException {
        Database database = TestDatabase.MARIADB.create();
        SchemaTest.withoutPlugin(database);
        SchemaTest.run(database, "schema-version-2/mariadb.sql");
        database.update(
                """
                insert into FLW_PUBSUB_INBOX (CHANNEL_KEY_, MESSAGE_ID_, BODY_HASH_, ORDER_KEY_, STATE_, REASON_, ATTEMPTS_,
                    NEXT_ATTEMPT_, ATTRIBUTES_, PUBLISHED_AT_, RECEIVED_AT_)
                values ('c', '1', 'h', 'A-1', 'WAITING', 'NO_MATCH', 1, CURRENT_TIMESTAMP + interval 1 day, '{}',
                    CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)
                """);
        try (PubSubServer server = PubSubServer.start()) {
            Node.start(database, Node.settings(server.endpoint())).close();
            assertThat(database.strings("select VALUE_ from ACT_GE_PROPERTY where NAME_ = 'pubsub.schema.version'"))
                    .containsExactly("3");
            assertThat(database.count(
                            "FLW_PUBSUB_INBOX",
                            "STATE_ = 'WAITING' and WAITING_SINCE_ = RECEIVED_AT_"
                                    + " and NEXT_ATTEMPT_ <= CURRENT_TIMESTAMP + interval 1 hour"))
                    .isEqualTo(1);
            Database fresh = TestDatabase.MARIADB.create();
            Node.start(fresh, Node.settings(server.endpoint())).close();
            assertThat(shape(database)).isNotEmpty().isEqualTo(shape(fresh));
        }
    }

    private static List<String> shape(Database database) {
        return database.strings(
                """
                select concat_ws(' ', table_name, column_name, column_type, is_nullable, column_default)
                from information_schema.columns where table_schema = database() and table_name like 'FLW_PUBSUB_%'
                union all select concat_ws(' ', table_name, index_name, seq_in_index, column_name)
                from information_schema.statistics where table_schema = database() and table_name like 'FLW_PUBSUB_%'
                order by 1
                """);
    }
}
