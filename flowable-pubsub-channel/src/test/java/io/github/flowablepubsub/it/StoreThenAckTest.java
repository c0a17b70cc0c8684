package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.engine.PubSubSettings;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules R1 and R3: committed first, then acked; and every message is answered. */
@Tag("once") // on one Flowable line, see .ci/run
class StoreThenAckTest {

    private static final String SUB = "abgeschlossen-sub";

    private final PubSubServer server = PubSubServer.start();
    private final Database database = TestDatabase.H2.create();
    private final FragileSource fragile = new FragileSource(database.pool());
    private final InboxTable inbox = new InboxTable(database);
    private @Nullable Node node;

    @AfterEach
    void stop() {
        fragile.heal();
        if (node != null) {
            node.close();
        }
        server.close();
    }

    private void start() {
        server.createTopic("rueckmeldungen");
        server.createSubscription(SUB, "rueckmeldungen");
        restart();
        node().deployEvents(Map.of("e.event", Models.EVENT, "c.channel", Models.channel(SUB)))
                .deployProcess(Models.PROCESS);
        await().until(() -> server.stats(SUB).openStreams() == 1);
    }

    private void restart() {
        PubSubSettings settings = Node.settings(server.endpoint());
        node = Node.start(database, settings, configuration -> configuration.setDataSource(fragile));
    }

    private Node node() {
        return Objects.requireNonNull(node);
    }

    private List<String> publish(int from, int count) {
        List<String> ids = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            ids.add(server.publish("rueckmeldungen", Models.completion("a" + i, i), Map.of()));
        }
        return ids;
    }

    private void startOrders(int from, int count) {
        for (int i = from; i < from + count; i++) {
            node().engine
                    .getRuntimeService()
                    .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "a" + i));
        }
    }

    private long tasks() {
        return node().engine.getTaskService().createTaskQuery().count();
    }

    private void awaitStoredOnce(List<String> ids) {
        Lab.eventually("all stored", () -> inbox.count("select count(*) from FLW_PUBSUB_INBOX") >= ids.size());
        server.awaitEmpty(SUB, Duration.ofSeconds(60));
        assertThat(inbox.rows().stream().map(InboxTable.Row::messageId)).containsExactlyInAnyOrderElementsOf(ids);
    }

    /** The outage lasts some seconds: nothing is acked, nothing lost, and it does not spin. */
    private void outage(Runnable begin) {
        start();
        begin.run();
        List<String> ids = publish(0, 50);
        Lab.eventually("tried and failed", () -> fragile.refusals.get() >= 2);
        long before = fragile.refusals.get();
        long beforeNacks = server.stats(SUB).nacks();
        await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
        assertThat(fragile.refusals.get() - before)
                .as("a few tries in two seconds")
                .isBetween(1L, 20L);
        assertThat(server.stats(SUB).nacks() - beforeNacks).isLessThan(500);
        assertThat(server.stats(SUB).acks()).isZero();
        assertThat(inbox.rows()).isEmpty();
        fragile.heal();
        awaitStoredOnce(ids);
        startOrders(0, 50);
        Lab.eventually("each once", () -> tasks() == 50);
    }

    @Test
    void springCloudGcp2615_nothingIsAckedWhileTheDatabaseRefusesInserts() {
        outage(() -> fragile.refuse(FragileSource::storesMessages, new SQLException("gone", "08006")));
    }

    @Test
    void springCloudGcp2074_nothingIsAckedWhenTheCommitFails() {
        outage(fragile::failCommits);
    }

    @Test
    void aLockedTableOnlyDelays() {
        outage(() -> fragile.refuse(FragileSource::storesMessages, new SQLException("lock timeout", "HYT00", 50200)));
    }

    @Test
    void aMissingTableDoesNotSpin() {
        outage(() -> fragile.refuse(FragileSource::storesMessages, new SQLException("no such table", "42S02")));
    }

    @Test
    void aBadMessageHarmsNoNeighbour() {
        start();
        fragile.refuse(sql -> false, new SQLException("unused"));
        // A message that the table takes only without its keys.
        inbox.sql("alter table FLW_PUBSUB_INBOX add constraint REFUSED_KEY check (CORRELATION_KEY_ <> 'a25')");
        List<String> ids = publish(0, 50);
        awaitStoredOnce(ids);
        InboxTable.Row raw = inbox.rows("MESSAGE_ID_ = '" + ids.get(25) + "'").get(0);
        assertThat(raw.correlationKey()).isNull();
        assertThat(Objects.requireNonNull(raw.bytes()).toStringUtf8()).isEqualTo(Models.completion("a25", 25));
        startOrders(0, 50);
        Lab.eventually("all correlated, also the raw one", () -> tasks() == 50);
    }

    @Test
    void aBurstIsStoredInFewTransactions_aSingleMessageAtOnce() {
        start();
        List<String> warm = publish(0, 1);
        awaitStoredOnce(warm);
        long before = fragile.insertingCommits.get();
        long begin = System.nanoTime();
        List<String> ids = new ArrayList<>(warm);
        ids.addAll(publish(1, 1));
        Lab.eventually("the single one", () -> inbox.rows().size() == 2);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        ids.addAll(publish(2, 2000));
        awaitStoredOnce(ids);
        assertThat(fragile.insertingCommits.get() - before).isBetween(5L, 400L);
    }

    @Test
    void connectors2280AndSpinnakerEcho327_redeliveriesAreCountedAndAcked_oneRowOneEffect() {
        start();
        startOrders(0, 3);
        List<String> ids = publish(0, 3);
        Lab.eventually("moved", () -> tasks() == 3);
        server.awaitEmpty(SUB, Duration.ofSeconds(60));
        for (int i = 1; i <= 3; i++) {
            int times = i;
            server.redeliver(SUB);
            Lab.eventually("counted", () -> inbox.rows().stream().allMatch(row -> row.duplicates() == times));
            server.awaitEmpty(SUB, Duration.ofSeconds(60));
        }
        assertThat(inbox.rows().stream().map(InboxTable.Row::messageId)).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(inbox.rows()).allMatch(row -> row.state().equals("DONE"));
        assertThat(tasks()).isEqualTo(3);
        assertThat(node().pubsub.consumers().get(0).duplicates()).isEqualTo(9);
    }

    @Test
    void googleCloudJava3065_lostAcksEndAsDuplicates() {
        start();
        startOrders(0, 5);
        server.loseAcks(SUB, true);
        List<String> ids = publish(0, 5);
        Lab.eventually("moved", () -> tasks() == 5);
        Lab.eventually("acks lost", () -> server.stats(SUB).ignoredAcks() >= 5);
        server.loseAcks(SUB, false);
        server.expireLeases(SUB);
        awaitStoredOnce(ids);
        Lab.eventually("counted", () -> inbox.rows().stream().allMatch(row -> row.duplicates() >= 1));
        assertThat(tasks()).isEqualTo(5);
    }

    @Test
    void googleCloudJava3752_aStopIsBoundedAndTheRestartFindsEverything() {
        start();
        startOrders(0, 50);
        List<String> ids = publish(0, 2000);
        Lab.eventually("some stored", () -> !inbox.rows().isEmpty());
        long begin = System.nanoTime();
        node().close();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(25));
        node = null;
        long stored = inbox.count("select count(*) from FLW_PUBSUB_INBOX");
        Lab.eventually(
                "stored is acked, no more and no less", () -> server.stats(SUB).acks() == stored);
        assertThat(server.unacked(SUB)).isEqualTo(2000 - Math.toIntExact(stored));
        // What was on the wire when the stream ended was seen by nobody: the service waits for its deadline.
        server.expireLeases(SUB);
        restart();
        awaitStoredOnce(ids);
        Lab.eventually("each once", () -> tasks() == 50);
        assertThat(inbox.rows("DUPLICATES_ > 0"))
                .as("nothing was redelivered that was stored")
                .isEmpty();
    }
}
