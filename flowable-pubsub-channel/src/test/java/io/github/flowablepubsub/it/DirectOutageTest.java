package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.engine.PubSubSettings;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.flowable.engine.delegate.JavaDelegate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code policy.ack: afterCorrelation} while the database or the node goes: nothing acked, nothing lost, nothing twice. */
class DirectOutageTest {

    private static final String SUB = "abgeschlossen-sub";

    private final PubSubServer server = PubSubServer.start();
    private final Database database = TestDatabase.H2.create();
    private final FragileSource fragile = new FragileSource(database.pool());
    private final InboxTable inbox = new InboxTable(database);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private @Nullable Node node;

    @AfterEach
    void stop() {
        open.countDown();
        fragile.heal();
        node().close();
        server.close();
    }

    private void start(Duration patience) {
        server.createTopic("rueckmeldungen");
        server.createSubscription(SUB, "rueckmeldungen");
        node = node(new RelaySettings(true, 4, Duration.ofSeconds(1)), patience);
        node().deployEvents(Map.of(
                        "e.event", Models.EVENT, "c.channel", Models.channel(SUB, "{\"ack\": \"afterCorrelation\"}")))
                .deployProcess(Models.chain(
                        "auftrag",
                        Models.catchEvent("warten"),
                        Models.service("tun", "schranke"),
                        Models.userTask("danach")));
        Lab.eventually("consumes", () -> server.stats(SUB).openStreams() == 1);
    }

    private Node node(RelaySettings relay, Duration patience) {
        PubSubSettings settings =
                Node.settings(server.endpoint()).withRelay(relay).withDatabasePatience(patience);
        JavaDelegate gate = execution -> {
            if ("langsam".equals(execution.getVariable("auftragId"))) {
                entered.countDown();
                await(open);
            }
        };
        return Node.start(database, settings, configuration -> {
            configuration.setDataSource(fragile);
            configuration.setBeans(Map.of("schranke", gate));
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Node node() {
        return Objects.requireNonNull(node);
    }

    private void startOrder(String order) {
        node().engine.getRuntimeService().startProcessInstanceByKey("auftrag", Map.of("auftragId", order));
    }

    private String publish(String order) {
        return server.publish("rueckmeldungen", Models.completion(order, 1), Map.of());
    }

    private long tasks() {
        return node().engine.getTaskService().createTaskQuery().count();
    }

    private void orders(int count) {
        for (int i = 0; i < count; i++) {
            startOrder("a" + i);
        }
    }

    private void publishOrders(int count) {
        for (int i = 0; i < count; i++) {
            publish("a" + i);
        }
    }

    @Test
    void aShortOutageOnlyDelays_nothingIsNacked() {
        start(Duration.ofSeconds(30));
        orders(20);
        goesAwayWithTheFirstRow();
        publishOrders(20);
        Lab.eventually("tried", () -> fragile.refusals.get() >= 4);
        assertThat(server.stats(SUB).acks()).isZero();
        assertThat(inbox.rows()).isEmpty();
        fragile.heal();
        server.awaitEmpty(SUB, Duration.ofSeconds(60));
        assertThat(tasks()).isEqualTo(20);
        assertThat(server.stats(SUB).nacks()).isZero();
    }

    @Test
    void aLongOutageGivesEverythingBack_onceForEachPause() {
        start(Duration.ofMillis(500));
        orders(20);
        fragile.refuse(sql -> sql.contains("FLW_PUBSUB"), new SQLException("gone", "08006"));
        publishOrders(20);
        Lab.eventually("given back", () -> server.stats(SUB).nacks() >= 20);
        Lab.eventually("pauses", () -> node().pubsub.consumers().get(0).error() != null);
        assertThat(server.stats(SUB).nacks()).as("it does not spin").isLessThan(200);
        assertThat(server.stats(SUB).acks()).isZero();
        fragile.heal();
        server.awaitEmpty(SUB, Duration.ofSeconds(60));
        assertThat(tasks()).isEqualTo(20);
        assertThat(inbox.rows()).hasSize(20).allMatch(row -> row.state().equals("DONE"));
    }

    /** The message is with the relay, not with the writer, when the database goes. */
    @Test
    void anOutageInTheMiddleGivesBackToo() {
        start(Duration.ofMillis(500));
        orders(1);
        goesAwayWithTheFirstRow();
        publishOrders(1);
        Lab.eventually("given back", () -> server.stats(SUB).nacks() >= 1);
        Lab.eventually("pauses", () -> node().pubsub.consumers().get(0).error() != null);
        assertThat(server.stats(SUB).acks()).isZero();
        fragile.heal();
        server.awaitEmpty(SUB, Duration.ofSeconds(60));
        assertThat(tasks()).isEqualTo(1);
    }

    private void goesAwayWithTheFirstRow() {
        AtomicBoolean away = new AtomicBoolean();
        fragile.refuse(
                sql -> {
                    away.compareAndSet(false, FragileSource.storesMessages(sql));
                    return away.get() && sql.contains("FLW_PUBSUB");
                },
                new SQLException("gone", "08006"));
    }

    @Test
    void aCommitThatFailsMovesNothing() {
        start(Duration.ofSeconds(30));
        orders(3);
        fragile.failCommits();
        publishOrders(3);
        Lab.eventually("failed", () -> fragile.refusals.get() >= 3);
        assertThat(tasks()).isZero();
        assertThat(server.stats(SUB).acks()).isZero();
        fragile.heal();
        server.awaitEmpty(SUB, Duration.ofSeconds(60));
        assertThat(tasks()).isEqualTo(3);
    }

    @Test
    void aCommitOfWhichNobodyHearsMovesOnce() {
        start(Duration.ofSeconds(30));
        orders(1);
        fragile.loseCommits();
        publishOrders(1);
        Lab.eventually("committed", () -> tasks() == 1);
        fragile.heal();
        server.awaitEmpty(SUB, Duration.ofSeconds(60));
        assertThat(tasks()).isEqualTo(1);
        Lab.eventually("counted", () -> inbox.rows().get(0).duplicates() == 1);
        assertThat(node().pubsub.consumers().get(0).duplicates()).isEqualTo(1);
    }

    @Test
    void aStopFinishesWhatIsInWorkAndLosesNothing() throws InterruptedException {
        start(Duration.ofSeconds(30));
        startOrder("langsam");
        orders(1);
        publish("langsam");
        await(entered);
        publish("langsam");
        Lab.eventually("in hand", () -> server.stats(SUB).outstanding() == 2);
        Thread stop = new Thread(node()::close);
        stop.start();
        Lab.eventually("stops", () -> !node().pubsub.isRunning());
        assertThat(server.stats(SUB).acks()).isZero();
        open.countDown();
        stop.join(20_000);
        assertThat(stop.isAlive()).isFalse();
        Lab.eventually("the first is acked", () -> server.stats(SUB).acks() == 1);
        assertThat(server.unacked(SUB)).isEqualTo(1);
        node = node(new RelaySettings(true, 4, Duration.ofSeconds(1)), Duration.ofSeconds(30));
        publish("a0");
        Lab.eventually("the first one once, the other order, too", () -> tasks() == 2);
        startOrder("langsam");
        server.awaitEmpty(SUB, Duration.ofSeconds(60));
        assertThat(tasks()).isEqualTo(3);
    }

    @Test
    void aNodeThatDoesNotRelayLeavesItToOthers() {
        start(Duration.ofSeconds(30));
        try (Node storesOnly = node(new RelaySettings(false, 4, Duration.ofSeconds(1)), Duration.ofSeconds(30))) {
            assertThat(storesOnly.pubsub.consumers()).isEmpty();
            assertThat(node().pubsub.consumers()).hasSize(1);
        }
    }
}
