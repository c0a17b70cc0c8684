package io.github.flowablepubsub.it;

import static io.github.flowablepubsub.it.Lab.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.channel.RetentionPolicy;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.operations.Retention;
import io.github.flowablepubsub.operations.RetentionSettings;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of rows when they are over, in a node that looks every second. */
@Tag("once") // on one Flowable line, see .ci/run
class RetentionTest {

    private static final String SHORT =
            "{\"retention\": {\"payload\": \"PT1H\"}, \"deduplication\": {\"window\": \"PT5H\"}}";

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void eventuateTramCore46_bodiesAreClearedAndRowsRemovedWhenTheirTimeIsOverButNeverOthers(TestDatabase kind) {
        Database database = kind.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start();
                Node node = node(database, server)) {
            String done = publish(server, "fertig");
            String waiting = publish(server, "wartend");
            String parked = server.publish("ablage", ByteString.copyFromUtf8("kaputt"), Map.of(), "");
            node.engine
                    .getRuntimeService()
                    .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "fertig"));
            inbox.messageInState(done, "DONE");
            inbox.messageInState(waiting, "WAITING");
            inbox.messageInState(parked, "PARKED");
            // What is not finished stays, whatever stands in its columns.
            inbox.sql("update FLW_PUBSUB_INBOX set LAST_ERROR_ = 'quotes the body', RECEIVED_AT_ = " + hoursAgo(2));
            inbox.sql("update FLW_PUBSUB_INBOX set FINISHED_AT_ = " + hoursAgo(2));

            eventually("cleared", () -> inbox.rows("CLEARED_ = 1").size() == 1);
            InboxTable.Row slim = inbox.rows("CLEARED_ = 1").get(0);
            assertThat(slim.messageId()).isEqualTo(done);
            assertThat(slim.payload()).isNull();
            assertThat(slim.bytes()).isNull();
            assertThat(slim.attributes()).isEqualTo("{}");
            assertThat(slim.error()).isNull();
            assertThat(inbox.rows("STATE_ <> 'DONE'")).hasSize(2).allSatisfy(row -> assertThat(row.payload())
                    .isNotNull());

            inbox.sql("update FLW_PUBSUB_INBOX set FINISHED_AT_ = " + hoursAgo(6));
            eventually("removed", () -> inbox.rows("STATE_ = 'DONE'").isEmpty());
            assertThat(inbox.rows()).extracting(InboxTable.Row::messageId).containsExactlyInAnyOrder(waiting, parked);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void whatAnotherTransactionHoldsIsLeftToItAndDoesNotStopTheRest(TestDatabase kind) throws SQLException {
        try (Lab lab = Lab.start(kind)) {
            lab.channel("ablage", "{}").node.deployProcess(Models.PROCESS);
            lab.startOrder("auftrag-ausfuehrung", "a");
            lab.startOrder("auftrag-ausfuehrung", "b");
            long held = lab.inbox
                    .messageInState(lab.publish("ablage", Models.completion("a", 1)), "DONE")
                    .id();
            lab.inbox.messageInState(lab.publish("ablage", Models.completion("b", 1)), "DONE");
            lab.inbox.sql("update FLW_PUBSUB_INBOX set FINISHED_AT_ = " + hoursAgo(6));
            Retention retention = new Retention(transactions(lab.node));
            ChannelId channel = new ChannelId("ablage", "");
            RetentionPolicy policy = new RetentionPolicy(Duration.ofHours(1), Duration.ofHours(5));
            try (Connection other = lab.database.source().getConnection();
                    Statement lock = other.createStatement()) {
                other.setAutoCommit(false);
                lock.execute("select ID_ from FLW_PUBSUB_INBOX where ID_ = " + held + " for update");
                assertThat(retention.step(channel, policy)).isEqualTo(1);
                assertThat(lab.inbox.rows()).extracting(InboxTable.Row::id).containsExactly(held);
                assertThat(retention.step(channel, policy)).isZero();
                other.rollback();
            }
            assertThat(retention.step(channel, policy)).isEqualTo(1);
            assertThat(lab.inbox.rows()).isEmpty();
        }
    }

    @Test
    void aFinishedRowThatIsOpenedAgainAfterItsBodyWentIsParkedAndSaysSo() {
        Database database = TestDatabase.H2.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start();
                Node node = node(database, server)) {
            String done = publish(server, "fertig");
            node.engine
                    .getRuntimeService()
                    .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "fertig"));
            inbox.messageInState(done, "DONE");
            inbox.sql("update FLW_PUBSUB_INBOX set FINISHED_AT_ = " + hoursAgo(2));
            eventually("cleared", () -> inbox.rows("CLEARED_ = 1").size() == 1);
            inbox.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP");
            InboxTable.Row parked = inbox.messageInState(done, "PARKED");
            assertThat(parked.reason()).isEqualTo("UNREADABLE");
            assertThat(parked.error()).contains("policy.retention.payload", "publish it again");
        }
    }

    private static Node node(Database database, PubSubServer server) {
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
        return server.publish("ablage", ByteString.copyFromUtf8(Models.completion(auftragId, 1)), Map.of(), "");
    }

    static InboxTransactions transactions(Node node) {
        ProcessEngineConfigurationImpl engine =
                (ProcessEngineConfigurationImpl) node.engine.getProcessEngineConfiguration();
        return new InboxTransactions(
                engine.getCommandExecutor(), engine.getDataSource(), engine.isTransactionsExternallyManaged());
    }

    private static String hoursAgo(int hours) {
        return "CURRENT_TIMESTAMP - interval '" + hours + "' hour";
    }
}
