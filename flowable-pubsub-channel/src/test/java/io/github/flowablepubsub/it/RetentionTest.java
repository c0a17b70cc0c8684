package io.github.flowablepubsub.it;

import static io.github.flowablepubsub.it.Lab.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.operations.RetentionSettings;
import io.github.flowablepubsub.server.PubSubServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of rows when they are over, in a node that looks every second. */
class RetentionTest {

    private static final String SHORT =
            "{\"retention\": {\"payload\": \"PT1H\"}, \"deduplication\": {\"window\": \"PT5H\"}}";

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void bodiesAreClearedAndRowsRemovedWhenTheirTimeIsOverButNeverOthers(TestDatabase kind) {
        TestDatabase.Database database = kind.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start();
                Node node = node(database, server)) {
            String done = publish(server, "fertig");
            String waiting = publish(server, "wartend");
            String parked =
                    server.publish("ablage", com.google.protobuf.ByteString.copyFromUtf8("kaputt"), Map.of(), "");
            node.engine
                    .getRuntimeService()
                    .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "fertig"));
            inbox.messageInState(done, "DONE");
            inbox.messageInState(waiting, "WAITING");
            inbox.messageInState(parked, "PARKED");
            // What is not finished stays, whatever stands in its columns.
            inbox.sql(
                    "update FLW_PUBSUB_INBOX set LAST_ERROR_ = 'quotes the body', RECEIVED_AT_ = " + hoursAgo(kind, 2));
            inbox.sql("update FLW_PUBSUB_INBOX set FINISHED_AT_ = " + hoursAgo(kind, 2));

            eventually("cleared", () -> inbox.rows("CLEARED_ = 1").size() == 1);
            InboxTable.Row slim = inbox.rows("CLEARED_ = 1").get(0);
            assertThat(slim.messageId()).isEqualTo(done);
            assertThat(slim.payload()).isNull();
            assertThat(slim.bytes()).isNull();
            assertThat(slim.attributes()).isEqualTo("{}");
            assertThat(slim.error()).isNull();
            assertThat(inbox.rows("STATE_ <> 'DONE'")).hasSize(2).allSatisfy(row -> assertThat(row.payload())
                    .isNotNull());

            inbox.sql("update FLW_PUBSUB_INBOX set FINISHED_AT_ = " + hoursAgo(kind, 6));
            eventually("removed", () -> inbox.rows("STATE_ = 'DONE'").isEmpty());
            assertThat(inbox.rows()).extracting(InboxTable.Row::messageId).containsExactlyInAnyOrder(waiting, parked);
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void whatAnotherTransactionHoldsIsLeftToItAndDoesNotStopTheRest(TestDatabase kind) throws SQLException {
        TestDatabase.Database database = kind.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start();
                Node node = node(database, server)) {
            String held = publish(server, "a");
            String free = publish(server, "b");
            node.engine.getRuntimeService().startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "a"));
            node.engine.getRuntimeService().startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "b"));
            inbox.messageInState(held, "DONE");
            inbox.messageInState(free, "DONE");
            try (Connection other = database.source().getConnection();
                    Statement lock = other.createStatement()) {
                other.setAutoCommit(false);
                lock.execute("select ID_ from FLW_PUBSUB_INBOX where MESSAGE_ID_ = '" + held + "' for update");
                inbox.sql("update FLW_PUBSUB_INBOX set FINISHED_AT_ = " + hoursAgo(kind, 6) + " where MESSAGE_ID_ = '"
                        + free + "'");
                lock.execute("update FLW_PUBSUB_INBOX set FINISHED_AT_ = " + hoursAgo(kind, 6)
                        + " where MESSAGE_ID_ = '" + held + "'");
                eventually("removed", () -> inbox.rows("MESSAGE_ID_ = '" + free + "'")
                        .isEmpty());
                other.commit();
            }
            eventually("removed", () -> inbox.rows().isEmpty());
        }
    }

    @Test
    void aFinishedRowThatIsOpenedAgainAfterItsBodyWentIsParkedAndSaysSo() {
        TestDatabase.Database database = TestDatabase.H2.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start();
                Node node = node(database, server)) {
            String done = publish(server, "fertig");
            node.engine
                    .getRuntimeService()
                    .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "fertig"));
            inbox.messageInState(done, "DONE");
            inbox.sql("update FLW_PUBSUB_INBOX set FINISHED_AT_ = " + hoursAgo(TestDatabase.H2, 2));
            eventually("cleared", () -> inbox.rows("CLEARED_ = 1").size() == 1);
            inbox.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP");
            InboxTable.Row parked = inbox.messageInState(done, "PARKED");
            assertThat(parked.reason()).isEqualTo("UNREADABLE");
            assertThat(parked.error()).contains("policy.retention.payload", "publish it again");
        }
    }

    private static Node node(TestDatabase.Database database, PubSubServer server) {
        server.createTopic("ablage");
        server.createSubscription("ablage-sub", "ablage");
        return Node.start(
                        database,
                        Node.settings(server.endpoint())
                                .withRetention(new RetentionSettings(true, Duration.ofSeconds(1))))
                .deployEvents(Map.of(
                        "e.event", Models.EVENT, "c.channel", Models.channel("c", "ablage-sub", SHORT, Lab.FIXED, "")))
                .deployProcess(Models.PROCESS);
    }

    private static String publish(PubSubServer server, String auftragId) {
        return server.publish(
                "ablage", com.google.protobuf.ByteString.copyFromUtf8(Models.completion(auftragId, 1)), Map.of(), "");
    }

    private static String hoursAgo(TestDatabase kind, int hours) {
        return kind == TestDatabase.H2
                ? "dateadd(hour, -" + hours + ", CURRENT_TIMESTAMP)"
                : "CURRENT_TIMESTAMP - interval '" + hours + "' hour";
    }
}
