package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.subscriber.ConsumerStatus;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The database is away for longer than messages are kept in hand. */
@Tag("once") // on one Flowable line, see .ci/run
class LongOutageTest {

    private static final String SUB = "abgeschlossen-sub";

    private final Database database = TestDatabase.H2.create();
    private final FragileSource fragile = new FragileSource(database.pool());
    private final InboxTable inbox = new InboxTable(database);

    @Test
    void everythingIsGivenBackAndStoredInOrderWhenTheDatabaseIsBack() {
        try (PubSubServer server = PubSubServer.start()) {
            server.createTopic("rueckmeldungen");
            server.createSubscription(SUB, "rueckmeldungen", SubscriptionOptions.ordered());
            try (Node node = Node.start(
                    database,
                    Node.settings(server.endpoint()).withDatabasePatience(Duration.ofMillis(500)),
                    configuration -> configuration.setDataSource(fragile))) {
                node.deployEvents(Map.of("e.event", Models.EVENT, "c.channel", Models.channel(SUB)));
                await().until(() -> server.stats(SUB).openStreams() == 1);
                fragile.refuse(sql -> sql.contains("FLW_PUBSUB_"), new SQLException("gone", "08006"));
                List<String> ids = new ArrayList<>();
                for (int i = 0; i < 300; i++) {
                    ids.add(server.publish(
                            "rueckmeldungen",
                            ByteString.copyFromUtf8(Models.completion("k" + i % 3, i)),
                            Map.of(),
                            "k" + i % 3));
                }
                await().until(() -> status(node).state() == ConsumerStatus.State.RESTARTING);
                await().until(() -> server.stats(SUB).openStreams() == 0);
                assertThat(status(node).error()).contains("database");
                assertThat(server.unacked(SUB)).isEqualTo(300);
                long refusals = fragile.refusals.get();
                await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
                assertThat(fragile.refusals.get() - refusals).as("no hot loop").isLessThan(20);

                fragile.heal();
                await().atMost(Duration.ofSeconds(60)).until(() -> inbox.rows().size() == 300);
                server.awaitEmpty(SUB, Duration.ofSeconds(60));
                for (int key = 0; key < 3; key++) {
                    assertThat(messageIdsByRowId("k" + key)).containsExactlyElementsOf(every(3, key, ids));
                }
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> status(node).state() == ConsumerStatus.State.RUNNING);
            }
        }
    }

    private List<String> messageIdsByRowId(String key) {
        return inbox.rows("CORRELATION_KEY_ = '" + key + "'").stream()
                .sorted(java.util.Comparator.comparingLong(InboxTable.Row::id))
                .map(InboxTable.Row::messageId)
                .toList();
    }

    private static List<String> every(int step, int first, List<String> ids) {
        List<String> picked = new ArrayList<>();
        for (int i = first; i < ids.size(); i += step) {
            picked.add(ids.get(i));
        }
        return picked;
    }

    private static ConsumerStatus status(Node node) {
        return node.pubsub.consumers().get(0);
    }
}
