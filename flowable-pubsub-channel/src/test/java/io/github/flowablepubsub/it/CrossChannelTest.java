package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.Payload;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes beyond one lane or one channel. */
@Tag("once") // on one Flowable line, see .ci/run
class CrossChannelTest {

    private static final String UNIQUE_START =
            """
            <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
                xmlns:flowable="http://flowable.org/bpmn" targetNamespace="test">
              <process id="einmalig">
                <startEvent id="start">
                  <extensionElements>
                    <flowable:eventType>auftragAbgeschlossen</flowable:eventType>
                    <flowable:startEventCorrelationConfiguration>storeAsUniqueReferenceId</flowable:startEventCorrelationConfiguration>
                  </extensionElements>
                </startEvent>
                <sequenceFlow sourceRef="start" targetRef="pruefen"/>
                <userTask id="pruefen"/>
              </process>
            </definitions>
            """;

    private static String channel(String key) {
        return Models.channel(key + "-sub").replace("auftragRueckmeldungen", key);
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void connectors2846_oneInstanceAlthoughTwoChannelsBringTheStart(TestDatabase kind) {
        Database database = kind.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start()) {
            server.createTopic("rueckmeldungen");
            server.createSubscription("eins-sub", "rueckmeldungen");
            server.createSubscription("zwei-sub", "rueckmeldungen");
            try (Node node = Node.start(database, Node.settings(server.endpoint()))) {
                node.deployEvents(Map.of(
                        "e.event", Models.EVENT, "eins.channel", channel("eins"), "zwei.channel", channel("zwei")));
                node.deployProcess(UNIQUE_START);
                for (int i = 0; i < 40; i++) {
                    server.publish(
                            "rueckmeldungen", ByteString.copyFromUtf8(Models.completion("u" + i, i)), Map.of(), "");
                }
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> inbox.rows("STATE_ = 'DONE'").size() == 80);
                assertThat(inbox.rows("REASON_ = 'UNIQUE_INSTANCE_EXISTS'")).hasSize(40);
                assertThat(node.engine.getTaskService().createTaskQuery().count())
                        .isEqualTo(40);
            }
        }
    }

    /** Two nodes on one subscription, which is delivered to both, again and again. */
    @Test
    void connectors2846_oneInstanceAlthoughTwoNodesBringTheStart() {
        Database database = TestDatabase.POSTGRES.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start()) {
            server.createTopic("rueckmeldungen");
            server.createSubscription("eins-sub", "rueckmeldungen");
            server.createSubscription("zwei-sub", "rueckmeldungen");
            try (Node node = Node.start(database, Node.settings(server.endpoint()));
                    Node other = Node.start(database, Node.settings(server.endpoint()))) {
                node.deployEvents(Map.of(
                        "e.event", Models.EVENT, "eins.channel", channel("eins"), "zwei.channel", channel("zwei")));
                node.deployProcess(UNIQUE_START);
                await().until(() -> node.pubsub.consumers().size() == 2
                        && server.stats("eins-sub").openStreams() >= 1);
                other.pubsub.stop();
                other.pubsub.start(); // knows of the deployment at once
                await().until(() -> server.stats("eins-sub").openStreams() == 2
                        && server.stats("zwei-sub").openStreams() == 2);
                for (int i = 0; i < 40; i++) {
                    server.publish(
                            "rueckmeldungen", ByteString.copyFromUtf8(Models.completion("u" + i, i)), Map.of(), "");
                }
                server.redeliver("eins-sub");
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> inbox.rows("STATE_ = 'DONE'").size() == 80);
                await().atMost(Duration.ofSeconds(60)).until(() -> {
                    server.redeliver("eins-sub");
                    return other.pubsub.consumers().stream()
                            .anyMatch(consumer -> consumer.stored() + consumer.duplicates() > 0);
                });
                server.awaitEmpty("eins-sub", Duration.ofSeconds(60));
                assertThat(inbox.rows()).hasSize(80);
                assertThat(inbox.rows("REASON_ = 'UNIQUE_INSTANCE_EXISTS'")).hasSize(40);
                assertThat(node.engine.getTaskService().createTaskQuery().count())
                        .isEqualTo(40);
            }
        }
    }

    @Test
    void aLongQueueOfHeldBackMessagesHidesNoOtherExpiry() {
        Database database = TestDatabase.H2.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start()) {
            server.createTopic("rueckmeldungen");
            server.createSubscription("abgeschlossen-sub", "rueckmeldungen");
            try (Node node = Node.start(database, Node.settings(server.endpoint()))) {
                node.deployEvents(Map.of(
                        "e.event",
                        Models.EVENT,
                        "c.channel",
                        Models.channel("abgeschlossen-sub", "{\"buffer\": {\"timeToLive\": \"PT4S\"}}")));
                for (int i = 0; i < 450; i++) {
                    server.publish(
                            "rueckmeldungen", ByteString.copyFromUtf8(Models.completion("lang", i)), Map.of(), "");
                }
                await().until(() -> inbox.rows("REASON_ = 'HELD_BACK'").size() == 449);
                String other = server.publish(
                        "rueckmeldungen", ByteString.copyFromUtf8(Models.completion("andere", 1)), Map.of(), "");
                inbox.messageInState(other, "WAITING");
                InboxTable.Row parked = inbox.messageInState(other, "PARKED");
                assertThat(parked.reason()).isEqualTo("NO_MATCH");
                assertThat(inbox.rows("REASON_ = 'HELD_BACK'").size()).isBetween(400, 449);
                assertThat(inbox.rows(
                                "STATE_ = 'WAITING' and REASON_ = 'HELD_BACK' and NEXT_ATTEMPT_ < CURRENT_TIMESTAMP"))
                        .isEmpty();
            }
        }
    }

    @Test
    void theSameMessageIdWithAnotherBodyIsAnotherMessage() {
        Database database = TestDatabase.H2.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start();
                Node node = Node.start(database, Node.settings(server.endpoint()))) {
            ProcessEngineConfigurationImpl engine =
                    (ProcessEngineConfigurationImpl) node.engine.getProcessEngineConfiguration();
            MessageStore store =
                    new MessageStore(new InboxTransactions(engine.getCommandExecutor(), database.source(), false));
            ChannelId channel = new ChannelId("niemand", "");
            assertThat(store.store(channel, List.of(message("a"))).stored()).hasSize(1);
            assertThat(store.store(channel, List.of(message("a"))).duplicateIds())
                    .containsExactly("1");
            assertThat(store.store(channel, List.of(message("b"), message("a"), message("b"))))
                    .satisfies(result -> assertThat(result.stored()).hasSize(1))
                    .satisfies(result -> assertThat(result.duplicateIds()).hasSize(2));
            assertThat(inbox.rows().stream().map(InboxTable.Row::payload)).containsExactlyInAnyOrder("a", "b");
        }
    }

    private static NewMessage message(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return new NewMessage(
                "niemand",
                "",
                "",
                "1",
                null,
                null,
                Keys.ownLane("1"),
                Payload.of(bytes),
                Keys.sha256(bytes),
                "{}",
                null,
                OffsetDateTime.now(ZoneOffset.UTC));
    }
}
