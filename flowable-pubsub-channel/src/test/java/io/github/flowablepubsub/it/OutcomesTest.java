package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can happen to a message (section 5 of the contract), through the real client, server and database. */
class OutcomesTest {

    private final PubSubServer server = PubSubServer.start();
    private @org.jspecify.annotations.Nullable Node node;

    @AfterEach
    void stop() {
        if (node != null) {
            node.close();
        }
        server.close();
    }

    private InboxTable start(TestDatabase kind, String policy) {
        server.createTopic("rueckmeldungen");
        server.createSubscription("abgeschlossen-sub", "rueckmeldungen");
        Database database = kind.create();
        node = Node.start(database, Node.settings(server.endpoint()))
                .deployEvents(Map.of("e.event", Models.EVENT, "c.channel", Models.channel("abgeschlossen-sub", policy)))
                .deployProcess(Models.PROCESS);
        return new InboxTable(database);
    }

    private String publish(String body) {
        return server.publish("rueckmeldungen", ByteString.copyFromUtf8(body), Map.of("quelle", "test"), "");
    }

    private void startOrder(String auftragId) {
        node().engine
                .getRuntimeService()
                .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", auftragId));
    }

    private Node node() {
        return java.util.Objects.requireNonNull(node);
    }

    private long invoiceTasks() {
        return node().engine.getTaskService().createTaskQuery().count();
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void aMessageReachesTheInstanceThatWaitsForIt(TestDatabase kind) {
        InboxTable inbox = start(kind, "{}");
        startOrder("4711");
        String id = publish(Models.completion("4711", 3000));
        InboxTable.Row row = inbox.messageInState(id, "DONE");
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.correlationKey()).isEqualTo("4711");
        assertThat(row.eventKey()).isEqualTo("auftragAbgeschlossen");
        assertThat(row.payload()).isEqualTo(Models.completion("4711", 3000));
        assertThat(row.attributes()).isEqualTo("{\"quelle\":\"test\"}");
        assertThat(invoiceTasks()).isEqualTo(1);
        String task =
                node().engine.getTaskService().createTaskQuery().singleResult().getId();
        assertThat(node().engine.getTaskService().getVariable(task, "erledigtePositionen"))
                .isEqualTo(3000);
        server.awaitEmpty("abgeschlossen-sub", java.time.Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void aMessageThatCameFirstWaitsForItsInstance(TestDatabase kind) {
        InboxTable inbox = start(kind, "{}");
        String id = publish(Models.completion("4711", 1));
        assertThat(inbox.messageInState(id, "WAITING").reason()).isEqualTo("NO_MATCH");
        startOrder("4711");
        inbox.messageInState(id, "DONE");
        await().until(() -> invoiceTasks() == 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void twoWaitingInstancesAreAmbiguous(TestDatabase kind) {
        InboxTable inbox = start(kind, "{}");
        startOrder("4711");
        startOrder("4711");
        String id = publish(Models.completion("4711", 1));
        InboxTable.Row row = inbox.messageInState(id, "PARKED");
        assertThat(row.reason()).isEqualTo("AMBIGUOUS");
        assertThat(row.error()).contains("2 receivers", "warten");
        assertThat(invoiceTasks()).isZero();
    }
}
