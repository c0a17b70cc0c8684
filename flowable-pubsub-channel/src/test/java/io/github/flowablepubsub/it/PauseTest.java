package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.subscriber.ConsumerStatus;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code consumer.pauseAtBacklog}: beyond so many unfinished rows messages stay in Pub/Sub, until fewer than half are left. */
@Tag("once") // on one Flowable line, see .ci/run
class PauseTest {

    private static final String SUB = "c-sub";
    private static final int LIMIT = 4;

    private final Database database = TestDatabase.H2.create();
    private final FragileSource fragile = new FragileSource(database.pool());
    private final AtomicInteger counts = new AtomicInteger();
    private final AtomicBoolean down = new AtomicBoolean();
    private final InboxTable inbox = new InboxTable(database);
    private final PubSubServer server = PubSubServer.start();
    private Node node = start();

    @BeforeEach
    void deploy() {
        fragile.refuse(this::isRefused, new SQLException("gone", "08006"));
        server.createTopic("rueckmeldungen");
        server.createSubscription(SUB, "rueckmeldungen");
        String pause = ", \"consumer\": {\"pauseAtBacklog\": " + LIMIT + "}";
        node.deployEvents(
                        Map.of("e.event", Models.EVENT, "c.channel", Models.channel("c", SUB, "{}", Lab.FIXED, pause)))
                .deployProcess(Models.PROCESS);
    }

    private boolean isRefused(String sql) {
        boolean counting = sql.contains("count(*) ROWS_ from (");
        if (counting) {
            counts.incrementAndGet();
        }
        return counting && down.get();
    }

    private Node start() {
        return Node.start(
                database, Node.settings(server.endpoint()), configuration -> configuration.setDataSource(fragile));
    }

    @AfterEach
    void stop() {
        node.close();
        server.close();
    }

    private void publish(int from, int to) {
        for (int i = from; i < to; i++) {
            server.publish("rueckmeldungen", ByteString.copyFromUtf8(Models.completion("A-" + i, i)), Map.of(), "");
        }
    }

    private void deliver(int from, int to) {
        for (int i = from; i < to; i++) {
            node.engine
                    .getRuntimeService()
                    .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "A-" + i));
        }
        Lab.eventually("delivered", () -> database.rows("DONE") == to);
    }

    private void countedTwiceFromNowOn() {
        int before = counts.get();
        Lab.eventually("counted twice", () -> counts.get() >= before + 2);
    }

    private ConsumerStatus status() {
        return node.pubsub.consumers().get(0);
    }

    private ConsumerStatus becomes(ConsumerStatus.State state) {
        return Awaitility.await("consumer to be " + state)
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> node.pubsub.consumers().stream().findFirst().orElse(null),
                        status -> status != null && status.state() == state);
    }

    private void isPaused(int rows, int inPubSub) {
        assertThat(status().state()).isEqualTo(ConsumerStatus.State.PAUSED);
        assertThat(inbox.rows()).hasSize(rows);
        assertThat(server.unacked(SUB)).isEqualTo(inPubSub);
    }

    @Test
    void beyondTheLimitMessagesStayInPubSubUntilFewerThanHalfAreLeft() {
        publish(0, LIMIT);
        Lab.eventually("all wait", () -> database.rows("WAITING") == LIMIT);
        countedTwiceFromNowOn();
        assertThat(status().state()).as("at the limit").isEqualTo(ConsumerStatus.State.RUNNING);
        publish(LIMIT, LIMIT + 1);
        ConsumerStatus paused = becomes(ConsumerStatus.State.PAUSED);
        assertThat(Objects.requireNonNull(paused.error())).contains("more than 4 unfinished messages");
        Lab.eventually("nothing is pulled", () -> server.stats(SUB).openStreams() == 0);
        server.awaitEmpty(SUB, Duration.ofSeconds(60)); // what it had in hand is stored and acked
        publish(5, 8);
        deliver(0, 3);
        countedTwiceFromNowOn();
        isPaused(5, 3);
        assertThat(status().since()).as("since when").isEqualTo(paused.since());
        down.set(true);
        countedTwiceFromNowOn();
        isPaused(5, 3);
        down.set(false);
        deliver(3, 4);
        assertThat(becomes(ConsumerStatus.State.RUNNING).error()).isNull();
        Lab.eventually("pulled", () -> inbox.rows().size() == 8);
        server.awaitEmpty(SUB, Duration.ofSeconds(60));
    }

    @Test
    void aNodeThatStartsWithTooManyDoesNotBeginToPull() {
        publish(0, LIMIT + 1);
        Lab.eventually("all wait", () -> database.rows("WAITING") == LIMIT + 1);
        node.close();
        Lab.eventually("no stream", () -> server.stats(SUB).openStreams() == 0);
        publish(5, 6);
        node = start();
        becomes(ConsumerStatus.State.PAUSED);
        isPaused(5, 1);
        assertThat(server.stats(SUB).openStreams()).isZero();
    }
}
