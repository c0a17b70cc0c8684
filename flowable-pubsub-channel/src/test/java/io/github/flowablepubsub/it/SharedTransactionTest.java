package io.github.flowablepubsub.it;

import static io.github.flowablepubsub.it.Lab.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.engine.PubSubSettings;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.flowable.engine.delegate.JavaDelegate;
import org.junit.jupiter.api.Test;

/** Messages of one key that move nothing share a transaction; one that is delivered, and fails, harms none of them. */
class SharedTransactionTest {

    private static final List<String> NOBODY_WAITS = List.of("a", "b", "c", "d", "e");
    private static final String PATIENT = "{\"retry\": {\"initialDelay\": \"PT1H\", \"maxDelay\": \"PT1H\"}}";

    private final Database database = TestDatabase.POSTGRES.create();
    private final InboxTable inbox = new InboxTable(database);

    @Test
    void oneTransactionForThoseThatMoveNothing_andTheFailingOneStandsAlone() {
        try (PubSubServer server = PubSubServer.start()) {
            server.createTopic("ereignisse");
            server.createSubscription("ereignisse-sub", "ereignisse");
            try (Node stores = start(server, false)) {
                for (String event : NOBODY_WAITS) {
                    stores.deployEvents(Map.of(event + ".event", Models.event(event)));
                }
                stores.deployEvents(Map.of(
                        "fehler.event",
                        Models.event("fehler"),
                        "c.channel",
                        Models.channel("c", "ereignisse-sub", PATIENT, "{\"jsonField\": \"typ\"}", "")));
                stores.deployProcess(
                        Models.chain("scheitert", Models.catchEvent("w", "fehler"), Models.service("s", "bombe")));
                stores.engine.getRuntimeService().startProcessInstanceByKey("scheitert", Map.of("auftragId", "A-1"));
                NOBODY_WAITS.forEach(event -> publish(server, event));
                String failing = publish(server, "fehler");
                String behind = publish(server, "a");
                eventually("stored", () -> inbox.rows("STATE_ = 'OPEN'").size() == NOBODY_WAITS.size() + 2);

                try (Node relays = start(server, true)) {
                    assertThat(relays.pubsub.isRelayRunning()).isTrue();
                    eventually("the failing one is tried", () -> !inbox.rows(
                                    "REASON_ = 'PROCESS_FAILED' and MESSAGE_ID_ = '" + failing + "'")
                            .isEmpty());
                    assertThat(inbox.rows("STATE_ = 'WAITING' and REASON_ = 'NO_MATCH' and ATTEMPTS_ = 1"))
                            .extracting(InboxTable.Row::eventKey)
                            .isEqualTo(NOBODY_WAITS);
                    assertThat(
                                    database.strings(
                                            "select count(distinct cast(xmin as text)) from FLW_PUBSUB_INBOX where STATE_ = 'WAITING'"))
                            .containsExactly("1");
                    // The one that backs off holds back its key.
                    assertThat(inbox.rows("MESSAGE_ID_ = '" + behind + "'")
                                    .get(0)
                                    .attempts())
                            .isZero();
                }
            }
        }
    }

    private Node start(PubSubServer server, boolean relay) {
        PubSubSettings settings =
                Node.settings(server.endpoint()).withRelay(new RelaySettings(relay, 2, Duration.ofMillis(200)));
        JavaDelegate bomb = execution -> {
            throw new IllegalStateException("noch nicht");
        };
        return Node.start(database, settings, engine -> engine.setBeans(Map.of("bombe", bomb)));
    }

    private static String publish(PubSubServer server, String event) {
        return server.publish(
                "ereignisse",
                ByteString.copyFromUtf8("{\"typ\": \"%s\", \"auftragId\": \"A-1\", \"text\": \"\"}".formatted(event)),
                Map.of(),
                "");
    }
}
