package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Rule R4 with {@code policy.ack: afterCorrelation}: redeliveries, two nodes, and rows from the time of {@code afterStore}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DirectOrderTest {

    private static final String ACK = "{\"ack\": \"afterCorrelation\"}";
    private static final SubscriptionOptions SOON = SubscriptionOptions.DEFAULT.withRetryPolicy(Duration.ofMillis(100));

    private final Ledger ledger = new Ledger();
    private final Lab lab = Lab.start(TestDatabase.POSTGRES, Map.of("buch", ledger));

    @BeforeAll
    void start() {
        lab.node.deployProcess(Models.definitions(
                "immer",
                "<startEvent id=\"s\"/>" + Models.catchEvent("warten") + Models.service("tun", "buch")
                        + Models.flow("s", "warten")
                        + Models.flow("warten", "tun")
                        + Models.flow("tun", "warten")));
    }

    @AfterAll
    void stop() {
        assertThat(ledger.overlaps).as("never two of one order at a time").isEmpty();
        lab.close();
    }

    private void channel(String key, SubscriptionOptions options) {
        lab.channel(key, ACK, Lab.FIXED, options);
        Lab.eventually("consumes", () -> lab.server.stats(key + "-sub").openStreams() >= 1);
    }

    private String publish(String topic, String order, int position) {
        return lab.publish(topic, Models.completion(order, position));
    }

    private List<InboxTable.Row> rows(String messageId) {
        return lab.inbox.rows("MESSAGE_ID_ = '" + messageId + "'");
    }

    private void awaitNacks(String channel, long count) {
        Lab.eventually("nacked", () -> lab.server.stats(channel + "-sub").nacks() >= count);
    }

    /** Pub/Sub delivers several of a key at once; when one comes back, it and all behind it do, in order. */
    @Test
    void theOrderOfAKeyHoldsUnderRedelivery() {
        channel("reihe", SubscriptionOptions.ordered());
        int messages = 60;
        for (int failing : List.of(3, 4, 17, 40)) {
            ledger.fail("r1", failing, 2);
        }
        lab.startOrder("immer", "r1");
        for (int i = 0; i < messages; i++) {
            lab.server.publish("reihe", ByteString.copyFromUtf8(Models.completion("r1", i)), Map.of(), "r1");
        }
        lab.server.awaitEmpty("reihe-sub", Duration.ofSeconds(60));
        assertThat(ledger.of("r1"))
                .containsExactlyElementsOf(IntStream.range(0, messages)
                        .boxed()
                        .map(i -> (Object) i)
                        .toList());
        assertThat(lab.server.stats("reihe-sub").nacks()).isGreaterThanOrEqualTo(8);
    }

    /**
     * Publishes round by round: on a busy machine one stream can take a whole round, and then it is no test.
     *
     * @param round gets how many there were before, tells how many it had
     * @return how many there were
     */
    private static int untilItTakesPart(Node node, IntUnaryOperator round) {
        int published = 0;
        for (int i = 0; i < 20 && !takesPart(node); i++) {
            published += round.applyAsInt(published);
        }
        assertThat(takesPart(node)).as("the other node takes part").isTrue();
        return published;
    }

    private static boolean takesPart(Node node) {
        return node.pubsub.consumers().stream().anyMatch(consumer -> consumer.stored() > 0);
    }

    @Test
    void neverTwoOfAKeyAtOnce_onTwoNodes() {
        channel("zwei", SubscriptionOptions.DEFAULT);
        try (Node second = lab.anotherNode()) {
            Lab.eventually("both consume", () -> lab.server.stats("zwei-sub").openStreams() == 2);
            IntStream.range(0, 10).forEach(order -> lab.startOrder("immer", "n" + order));
            int published = untilItTakesPart(second, from -> {
                for (int i = from; i < from + 100; i++) {
                    publish("zwei", "n" + i % 10, i);
                }
                lab.server.awaitEmpty("zwei-sub", Duration.ofSeconds(60));
                return 100;
            });
            for (int order = 0; order < 10; order++) {
                assertThat(ledger.of("n" + order)).hasSize(published / 10).doesNotHaveDuplicates();
            }
            assertThat(ledger.overlaps).isEmpty();
        }
    }

    /** Rows from the time of {@code afterStore} go first. */
    @Test
    void aMessageDoesNotOvertakeTheRowsOfItsKey() {
        lab.channel("wechsel", "{}", Lab.FIXED, SOON);
        String stored = publish("wechsel", "w1", 1);
        lab.inbox.messageInState(stored, "WAITING");
        lab.node.deployEvents(Map.of("wechsel.channel", Models.channel("wechsel", "wechsel-sub", ACK, Lab.FIXED, "")));
        Lab.eventually("a new consumer", () -> lab.server.stats("wechsel-sub").streamsOpened() == 2);
        // Nobody wakes it although its subscription is there, as for a moment after the subscription's commit.
        lab.inbox.sql("delete from FLW_PUBSUB_MATCH_KEY where INBOX_ID_ = "
                + rows(stored).get(0).id());
        lab.startOrder("immer", "w1");
        String direct = publish("wechsel", "w1", 2);
        awaitNacks("wechsel", 1);
        assertThat(rows(direct)).isEmpty();
        assertThat(ledger.of("w1")).isEmpty();
        lab.inbox.sql(
                "update FLW_PUBSUB_INBOX set STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP where MESSAGE_ID_ = '"
                        + stored + "'");
        lab.inbox.messageInState(direct, "DONE");
        assertThat(ledger.of("w1")).containsExactly(1, 2);
        // One that backs off holds its key, too.
        lab.inbox.sql(
                "update FLW_PUBSUB_INBOX set STATE_ = 'OPEN', NEXT_ATTEMPT_ = CURRENT_TIMESTAMP + interval '1' hour"
                        + " where MESSAGE_ID_ = '" + direct + "'");
        long nacks = lab.server.stats("wechsel-sub").nacks();
        String third = publish("wechsel", "w1", 3);
        awaitNacks("wechsel", nacks + 1);
        assertThat(rows(third)).isEmpty();
        lab.inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'DISCARDED' where MESSAGE_ID_ = '" + direct + "'");
        lab.inbox.messageInState(third, "DONE");
        assertThat(ledger.of("w1")).containsExactly(1, 2, 3);
    }

    /** Stored before, redelivered after: it has its row. */
    @Test
    void whatHasARowIsAcked() {
        lab.channel("lag", "{}", Lab.FIXED, SOON);
        String stored = publish("lag", "l1", 1);
        lab.inbox.messageInState(stored, "WAITING");
        lab.server.awaitEmpty("lag-sub", Duration.ofSeconds(60));
        lab.node.deployEvents(Map.of("lag.channel", Models.channel("lag", "lag-sub", ACK, Lab.FIXED, "")));
        Lab.eventually("a new consumer", () -> lab.server.stats("lag-sub").streamsOpened() == 2);
        lab.server.redeliver("lag-sub");
        Lab.eventually("counted", () -> rows(stored).get(0).duplicates() == 1);
        lab.server.awaitEmpty("lag-sub", Duration.ofSeconds(60));
        assertThat(lab.server.stats("lag-sub").nacks()).isZero();
    }

    /** A node with one thread, which must not wait for a key that another node has in work, also when that key is new. */
    @Test
    void aKeyInWorkElsewhereHoldsUpNoOtherKey() throws InterruptedException {
        channel("fremd", SubscriptionOptions.DEFAULT);
        lab.startOrder("immer", "langsam");
        publish("fremd", "langsam", 0);
        assertThat(ledger.begun.await(20, TimeUnit.SECONDS)).isTrue();
        try (Node second = lab.anotherNode(1)) {
            Lab.eventually("both consume", () -> lab.server.stats("fremd-sub").openStreams() == 2);
            int others = untilItTakesPart(second, from -> {
                for (int i = from; i < from + 20; i++) {
                    if (i % 2 == 1) {
                        publish("fremd", "langsam", i);
                    }
                    lab.startOrder("immer", "f" + i);
                    publish("fremd", "f" + i, i);
                }
                Lab.eventually("the others are through", () -> lab.server.unacked("fremd-sub") == 1 + (from + 20) / 2);
                return 20;
            });
            ledger.open.countDown();
            lab.server.awaitEmpty("fremd-sub", Duration.ofSeconds(60));
            assertThat(ledger.of("langsam")).hasSize(1 + others / 2).doesNotHaveDuplicates();
        } finally {
            ledger.open.countDown();
        }
    }
}
