package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A database that does not answer: at the start, and while health is asked. */
class StartTest {

    private final PubSubServer server = PubSubServer.start();
    private final Database database = TestDatabase.H2.create();

    @AfterEach
    void stop() {
        server.close();
    }

    private Node node(DataSource source) {
        server.createTopic("rueckmeldungen");
        server.createSubscription("abgeschlossen-sub", "rueckmeldungen");
        return Node.start(
                        database,
                        Node.settings(server.endpoint()),
                        configuration -> configuration.setDataSource(source))
                .deployEvents(Map.of("e.event", Models.EVENT, "c.channel", Models.channel("abgeschlossen-sub")))
                .deployProcess(Models.PROCESS);
    }

    private void aMessageArrives(Node node, String auftragId) {
        node.engine
                .getRuntimeService()
                .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", auftragId));
        server.publish("rueckmeldungen", Models.completion(auftragId, 1), Map.of());
        Lab.eventually(
                "delivered",
                () -> node.engine
                                .getTaskService()
                                .createTaskQuery()
                                .processVariableValueEquals("auftragId", auftragId)
                                .count()
                        == 1);
    }

    @Test
    void connectors8148_aDatabaseThatIsDownAtTheStartDelaysItOnly() {
        FragileSource fragile = new FragileSource(database.pool());
        try (Node node = node(fragile)) {
            aMessageArrives(node, "vorher");
            node.pubsub.stop();
            fragile.refuse(sql -> true, new SQLException("the connection is gone", "08006"));
            node.pubsub.start();
            assertThat(node.pubsub.isRunning()).isTrue();
            Lab.eventually("asked", () -> fragile.refusals.get() > 0);
            fragile.heal();
            aMessageArrives(node, "nachher");
            assertThat(node.pubsub.isRelayRunning()).isTrue();
        }
    }

    /** Health comes from local state: a database that hangs does not make it slow. */
    @Test
    void springCloudGcp3438_theStatusNeverWaitsForTheDatabase() throws InterruptedException {
        AtomicBoolean hangs = new AtomicBoolean();
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(1);
        DataSource pool = database.pool();
        DataSource source = (DataSource) Proxy.newProxyInstance(
                StartTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (hangs.get()) {
                        hanging.countDown();
                        assertThat(open.await(20, TimeUnit.SECONDS)).isTrue();
                    }
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try (Node node = node(source)) {
            aMessageArrives(node, "vorher");
            hangs.set(true);
            try {
                server.publish("rueckmeldungen", Models.completion("hängt", 1), Map.of());
                assertThat(hanging.await(10, TimeUnit.SECONDS)).isTrue();
                long begin = System.nanoTime();
                for (int i = 0; i < 1000; i++) {
                    assertThat(node.pubsub.consumers()).hasSize(1);
                    assertThat(node.pubsub.isRelayRunning()).isTrue();
                }
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
            } finally {
                hangs.set(false);
                open.countDown();
            }
            aMessageArrives(node, "nachher");
        }
    }
}
