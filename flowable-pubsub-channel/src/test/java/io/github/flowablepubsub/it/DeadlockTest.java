package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.channel.RetentionPolicy;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.operations.LaneTidying;
import io.github.flowablepubsub.operations.Retention;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two nodes relay and store redelivered messages, two writers store the same batches in opposite order, one half of them under the same business keys only, and retention clears
 * rows and removes lock rows behind them, all at once: no deadlock reaches a message. None is nacked, none has an attempt too
 * many, none is parked.
 */
@Tag("once") // on one Flowable line, see .ci/run
class DeadlockTest {

    private static final int ORDERS = 200;
    private static final int BATCHES = 40;
    private static final int BATCH = 50;
    private static final ChannelId CHANNEL = new ChannelId("last", "");

    private final AtomicInteger collisions = new AtomicInteger();

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void noDeadlockReachesAMessage(TestDatabase kind) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Lab lab = Lab.start(kind);
                Node second = lab.anotherNode()) {
            // every lock row is old enough to be removed as soon as it is idle
            lab.inbox.sql("alter table FLW_PUBSUB_LANE alter column CREATED_AT_ set default '2020-01-01 00:00:00'");
            lab.channel("last", "{}").node.deployProcess(Models.PROCESS);
            IntStream.range(0, ORDERS).forEach(i -> lab.startOrder("auftrag-ausfuehrung", "o" + i));
            List<List<NewMessage>> batches =
                    IntStream.range(0, BATCHES).mapToObj(DeadlockTest::batch).toList();
            List<Future<?>> work = new ArrayList<>();
            work.add(threads.submit(() -> store(lab.node, batches, false)));
            work.add(threads.submit(() -> store(second, batches, true)));
            List<Future<Integer>> cleaning =
                    List.of(threads.submit(() -> cleanUp(lab.node, stop)), threads.submit(() -> cleanUp(second, stop)));
            publish(lab);
            for (Future<?> writer : work) {
                writer.get(120, TimeUnit.SECONDS);
            }
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> lab.inbox.rows("STATE_ = 'OPEN'").isEmpty()
                            && lab.tasksOf("auftrag-ausfuehrung") == ORDERS);
            lab.server.awaitEmpty("last-sub", Duration.ofSeconds(60));
            stop.set(true);
            for (Future<Integer> cleaner : cleaning) {
                assertThat(cleaner.get(20, TimeUnit.SECONDS)).as("rows cleared").isPositive();
            }
            System.out.println("Deadlocks on " + kind + ": " + collisions + " collisions of writers, all tried again");

            assertThat(lab.server.stats("last-sub").nacks()).isZero();
            assertThat(lab.inbox.rows("STATE_ = 'DONE'")).hasSize(ORDERS);
            assertThat(lab.inbox.rows("STATE_ = 'WAITING'")).hasSize(BATCHES * BATCH);
            assertThat(lab.inbox.rows("STATE_ not in ('DONE', 'WAITING')")).isEmpty();
            assertThat(lab.inbox.rows("ATTEMPTS_ <> 1 and REASON_ <> 'HELD_BACK'"))
                    .isEmpty();
            assertThat(lab.inbox.rows("REASON_ = 'INFRASTRUCTURE_FAILED'")).isEmpty();
        } finally {
            stop.set(true);
            threads.shutdownNow();
        }
    }

    /** Orders that nobody waits for, several messages each. */
    private static List<NewMessage> batch(int number) {
        return IntStream.range(0, BATCH)
                .mapToObj(i -> {
                    String order = "b" + number + "-" + i % 10;
                    byte[] body = Models.completion(order, i).getBytes(StandardCharsets.UTF_8);
                    NewMessage message = InboxBench.message(
                            CHANNEL,
                            "direct-" + number + "-" + i,
                            order,
                            "auftragAbgeschlossen",
                            InboxBench.NOON.plusSeconds(i),
                            body);
                    return i % 2 == 0 ? message : message.withDedupKey("key-" + number + "-" + i);
                })
                .toList();
    }

    /** Those with a business key come to the other node under another id. */
    private static NewMessage publishedAgain(NewMessage message) {
        return message.dedupKey() == null
                ? message
                : InboxBench.message(
                                CHANNEL,
                                "again-" + message.messageId(),
                                message.orderKey(),
                                message.eventKey(),
                                message.publishedAt(),
                                message.payload().toBytes())
                        .withDedupKey(message.dedupKey());
    }

    private void store(Node node, List<List<NewMessage>> batches, boolean backwards) {
        MessageStore store = new MessageStore(RetentionTest.transactions(node));
        for (List<NewMessage> batch : batches) {
            List<NewMessage> messages = new ArrayList<>(batch);
            if (backwards) {
                Collections.reverse(messages);
                messages.replaceAll(DeadlockTest::publishedAgain);
            }
            storeAsTheSubscriberDoes(store, messages);
            store.countDuplicates(
                    CHANNEL, messages.stream().map(NewMessage::messageId).toList());
        }
    }

    private void storeAsTheSubscriberDoes(MessageStore store, List<NewMessage> messages) {
        for (int tries = 1; ; tries++) {
            try {
                store.store(CHANNEL, messages);
                return;
            } catch (RuntimeException e) {
                collisions.incrementAndGet();
                if (tries >= 3 || !(DatabaseFailures.isDuplicateKey(e) || DatabaseFailures.isRace(e))) {
                    throw e;
                }
            }
        }
    }

    /** In random order, and all of it again and again. */
    private static void publish(Lab lab) {
        List<Integer> orders =
                new ArrayList<>(IntStream.range(0, ORDERS).boxed().toList());
        Collections.shuffle(orders, new Random(1));
        for (int i = 0; i < ORDERS; i++) {
            lab.publish("last", Models.completion("o" + orders.get(i), i));
            if (i % 40 == 39) {
                lab.server.redeliver("last-sub");
            }
        }
    }

    private static int cleanUp(Node node, AtomicBoolean stop) {
        Retention retention = new Retention(RetentionTest.transactions(node));
        LaneTidying tidying = new LaneTidying(RetentionTest.transactions(node));
        RetentionPolicy policy = new RetentionPolicy(Duration.ZERO, Duration.ofDays(7));
        int cleared = 0;
        String after = "";
        while (!stop.get()) {
            cleared += retention.step(CHANNEL, policy);
            after = tidying.step(CHANNEL, after);
        }
        return cleared;
    }
}
