package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.pubsub.v1.PubsubMessage;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.server.SubscriptionStats;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many messages, several streams, random nacks and broken streams: nothing gets lost, keys stay in order. */
class LoadTest {

    private static final int KEYS = 20;
    private static final int MESSAGES_PER_KEY = 100;
    private static final int PER_REQUEST = 50;

    private PubSubServer server;
    private Clients clients;

    @BeforeEach
    void start() throws Exception {
        server = PubSubServer.start();
        clients = new Clients(server.endpoint());
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void nothingIsLostAndKeysStayInOrder() throws Exception {
        String subscription = clients.orderedSubscription();
        Map<String, Queue<Integer>> delivered = new ConcurrentHashMap<>();
        MessageReceiver receiver = (message, reply) -> {
            delivered
                    .computeIfAbsent(message.getOrderingKey(), key -> new ConcurrentLinkedQueue<>())
                    .add(Integer.valueOf(message.getData().toStringUtf8()));
            if (ThreadLocalRandom.current().nextInt(100) == 0) {
                reply.nack();
            } else {
                reply.ack();
            }
        };
        clients.subscriber(subscription, receiver, 50);
        clients.subscriber(subscription, receiver, 50);

        for (int i = 0; i < MESSAGES_PER_KEY; i += PER_REQUEST) {
            for (int key = 0; key < KEYS; key++) {
                publish("key" + key, i);
            }
            server.failStreams(subscription, Status.UNAVAILABLE);
            server.heal(subscription);
            // What was under way on the broken streams comes back at once instead of after a minute.
            server.expireLeases(subscription);
        }

        awaitEmpty(subscription);
        assertThat(delivered).hasSize(KEYS);
        delivered.values().forEach(LoadTest::assertNoGap);
        SubscriptionStats stats = server.stats(subscription);
        assertThat(stats.outstanding()).isZero();
        assertThat(stats.backlog()).isZero();
        assertThat(stats.acks()).isGreaterThanOrEqualTo(KEYS * MESSAGES_PER_KEY);
    }

    private void publish(String key, int from) {
        PubsubMessage[] messages = new PubsubMessage[PER_REQUEST];
        for (int i = 0; i < PER_REQUEST; i++) {
            messages[i] = message(Integer.toString(from + i), key);
        }
        clients.publish(messages);
    }

    private void awaitEmpty(String subscription) {
        server.awaitEmpty(subscription, Duration.ofSeconds(60));
    }

    /** A message may come again, and its successors with it, but never before its predecessor has come. */
    private static void assertNoGap(Queue<Integer> numbers) {
        List<Integer> firsts = new ArrayList<>();
        for (Integer number : numbers) {
            if (!firsts.contains(number)) {
                firsts.add(number);
            }
        }
        assertThat(firsts).hasSize(MESSAGES_PER_KEY).isSorted();
    }
}
