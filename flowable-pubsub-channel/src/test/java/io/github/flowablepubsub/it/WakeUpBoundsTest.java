package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a wake-up must not do. Nothing sweeps here: the interval is an hour. */
class WakeUpBoundsTest {

    private static final int MANY = 2000;

    private final Database database = TestDatabase.H2.create();
    private final InboxTable inbox = new InboxTable(database);
    private final PubSubServer server = PubSubServer.start();
    private final Node node = Node.start(
            database, Node.settings(server.endpoint()).withRelay(new RelaySettings(true, 4, Duration.ofHours(1))));

    @BeforeEach
    void deploy() {
        server.createTopic("rueckmeldungen");
        server.createSubscription("abgeschlossen-sub", "rueckmeldungen");
        node.deployEvents(Map.of("e.event", Models.EVENT, "c.channel", Models.channel("abgeschlossen-sub")));
    }

    @AfterEach
    void stop() {
        node.close();
        server.close();
    }

    private String publish(String auftragId) {
        return server.publish("rueckmeldungen", ByteString.copyFromUtf8(Models.completion(auftragId, 1)), Map.of(), "");
    }

    @Test
    void aMessageWhoseTimeToLiveIsOverIsNotDeliveredThoughNobodyHasParkedItYet() {
        node.deployProcess(Models.PROCESS);
        String late = publish("spaet");
        inbox.messageInState(late, "WAITING");
        inbox.sql("update FLW_PUBSUB_INBOX set EXPIRES_AT_ = dateadd(hour, -1, CURRENT_TIMESTAMP)");
        node.engine.getRuntimeService().startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "spaet"));
        assertThat(inbox.messageInState(late, "PARKED").reason()).isEqualTo("NO_MATCH");
        assertThat(node.engine.getTaskService().createTaskQuery().count()).isZero();
    }

    @Test
    void aWakeUpThatFindsItsLaneLockedIsNotLost() throws SQLException {
        node.deployProcess(Models.PROCESS);
        String early = publish("frueh");
        inbox.messageInState(early, "WAITING");
        try (Connection other = database.source().getConnection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("select * from FLW_PUBSUB_LANE where ORDER_KEY_ = 'frueh' for update");
            node.engine
                    .getRuntimeService()
                    .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "frueh"));
            await().pollDelay(Duration.ofMillis(500)).until(() -> true); // several tries, all in vain
            // Open, if it was still being looked at for the first time when the instance came.
            assertThat(inbox.rows("STATE_ in ('WAITING', 'OPEN')")).hasSize(1);
            other.rollback();
        }
        inbox.messageInState(early, "DONE"); // no sweep in an hour
    }

    @Test
    void aSubscriptionThatTakesOneOfManyLooksAtEachOnce() {
        String any = Models.catchEvent("warten")
                .replace("<flowable:eventCorrelationParameter name=\"auftragId\" value=\"${auftragId}\"/>", "");
        assertThat(any).doesNotContain("eventCorrelationParameter");
        node.deployProcess(Models.process("irgendeiner", any, ""));
        for (int i = 0; i < MANY; i++) {
            publish("m" + i);
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> inbox.rows("STATE_ = 'WAITING'").size() == MANY);
        node.engine.getRuntimeService().startProcessInstanceByKey("irgendeiner");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> inbox.rows("STATE_ = 'DONE'").size() == 1);
        // A few may have matched in the same moment and lost the race: parked as SUBSCRIPTION_GONE.
        await().until(() ->
                inbox.rows("STATE_ in ('WAITING', 'PARKED') and ATTEMPTS_ >= 2").size() == MANY - 1);
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
        assertThat(inbox.rows("ATTEMPTS_ > 2")).isEmpty();
    }
}
