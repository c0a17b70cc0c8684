package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ids are given in the order of inserts, not of commits. Eventuous#222 and RailsEventStore#106 read on from the highest id
 * that they had seen, and passed by what committed later with a lower one.
 */
@Tag("once") // on one Flowable line, see .ci/run
class CommitOrderTest {

    private static final Duration SHORT = Duration.ofMillis(100);

    /** A stream that has one message in hand gets no second one: the other consumer does. */
    private static final String ONE_IN_HAND = "{}, \"consumer\": {\"maxOutstandingMessages\": 1}";

    private static final int LATER = 5;

    /** Holds back the next commit that stores messages once it is armed, and counts the sweeps over everything that is due. */
    private static final class Gate implements InterceptedDataSource.Interceptor, AutoCloseable {
        private final AtomicBoolean armed = new AtomicBoolean();
        private final CountDownLatch held = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);
        private final Semaphore wholePasses = new Semaphore(0);

        @Override
        public void on(InterceptedDataSource.Call call) {
            if (!call.done() && call.isCommitOf("insert into flw_pubsub_inbox") && armed.compareAndSet(true, false)) {
                held.countDown();
                awaitOn(opened);
            } else if (call.done() && call.isStatement("pubsub.schema.version")) {
                wholePasses.release();
            }
        }

        Gate arm() {
            armed.set(true);
            return this;
        }

        void awaitHeld() {
            awaitOn(held);
        }

        /** Begun from now on. */
        void awaitWholePasses(int count) throws InterruptedException {
            wholePasses.drainPermits();
            assertThat(wholePasses.tryAcquire(count, 30, TimeUnit.SECONDS)).isTrue();
        }

        private static void awaitOn(CountDownLatch latch) {
            try {
                assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void open() {
            opened.countDown();
        }

        @Override
        public void close() {
            open();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MARIADB"})
    void eventuous222AndRailsEventStore106ALowerIdThatCommitsLaterIsNotPassedBy(TestDatabase kind) throws Exception {
        try (Setting setting = new Setting(kind);
                Gate slow = new Gate();
                Gate fast = new Gate()) {
            CrashNode starter = setting.node("starter", CrashNode.Role.STARTER).deploy(setting.database, ONE_IN_HAND);
            List.of("A", "B").forEach(order -> starter.startOrder(order, 0));
            setting.node("slow", CrashNode.Role.STORE, slow.arm());
            setting.publish("A", 0);
            slow.awaitHeld();
            setting.node("fast", CrashNode.Role.FULL.sweeping(SHORT), fast);
            setting.publish("B", 0);
            setting.awaitRows("DONE", 1);
            // By now they begin behind the time at which the held row is due.
            fast.awaitWholePasses(3);
            slow.open();

            setting.awaitRows("DONE", 2);
            assertThat(setting.database.strings("select ORDER_KEY_ from FLW_PUBSUB_INBOX order by ID_"))
                    .containsExactly("A", "B");
            assertThat(setting.database.strings("select ORDER_KEY_ from LEDGER order by ID_"))
                    .containsExactly("B", "A");
        }
    }

    /** Without an ordering key, so that Pub/Sub itself keeps no order: a second commit must not overtake the first one. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MARIADB"})
    void eventuous222AndRailsEventStore106WhatOneConsumerReceivedInOrderStaysInOrder(TestDatabase kind)
            throws Exception {
        try (Setting setting = new Setting(kind);
                Gate gate = new Gate()) {
            CrashNode starter = setting.node("starter", CrashNode.Role.STARTER).deploy(setting.database, "{}");
            starter.startOrder("A", LATER);
            setting.node("node", CrashNode.Role.FULL.sweeping(SHORT), gate);
            publishWithoutKey(setting, 0);
            setting.awaitRows("DONE", 1); // its lane is there now: nobody waits for who makes it
            gate.arm();
            publishWithoutKey(setting, 1);
            gate.awaitHeld();
            IntStream.rangeClosed(2, LATER).forEach(number -> publishWithoutKey(setting, number));
            await().until(
                            () -> setting.server.stats(Models.SUBSCRIPTION).deliveries(),
                            deliveries -> deliveries == LATER + 1);
            gate.awaitWholePasses(2);
            assertThat(setting.database.count("FLW_PUBSUB_INBOX", "1 = 1")).isEqualTo(1);
            gate.open();

            setting.awaitRows("DONE", LATER + 1);
            assertThat(setting.effects("A")).containsExactly("0", "1", "2", "3", "4", "5");
        }
    }

    private static void publishWithoutKey(Setting setting, int number) {
        ByteString body = ByteString.copyFromUtf8(Models.tranche("A", number));
        setting.server.publish(Models.TOPIC, body, Map.of(), "");
    }
}
