package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.crash.LogLines;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.subscriber.ConsumerStatus;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.flowable.eventregistry.api.InboundEventFilter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code policy.ack: afterCorrelation}: the row comes with the correlation, or the message stays Pub/Sub's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AckAfterCorrelationContract {

    private static final String ACK = "{\"ack\": \"afterCorrelation\"}";
    private static final SubscriptionOptions SOON = SubscriptionOptions.DEFAULT.withRetryPolicy(Duration.ofMillis(100));

    private final Ledger ledger = new Ledger();
    private final InboundEventFilter<Object> filter =
            (eventKey, event) -> !"ja".equals(event.getHeaders().get("weg"));
    private final Lab lab;

    AckAfterCorrelationContract(TestDatabase kind) {
        this.lab = Lab.start(kind, Map.of("buch", ledger, "filter", filter));
    }

    @BeforeAll
    void start() {
        lab.node.deployProcess(Models.chain(
                "einmal", Models.catchEvent("warten"), Models.service("tun", "buch"), Models.userTask("danach")));
    }

    @AfterAll
    void stop() {
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

    private long rowsOf(String channel) {
        return lab.inbox.count("select count(*) from FLW_PUBSUB_INBOX where CHANNEL_KEY_ = '" + channel + "'");
    }

    private void awaitNacks(String channel, int count) {
        Lab.eventually("nacked", () -> lab.server.stats(channel + "-sub").nacks() >= count);
    }

    private ConsumerStatus status(String channel) {
        return lab.node.pubsub.consumers().stream()
                .filter(consumer -> consumer.channel().key().equals(channel))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void movesItsInstanceOnceAndIsAcked_aRedeliveryOnlyCounts() {
        channel("einmal", SubscriptionOptions.DEFAULT);
        String instance = lab.startOrder("einmal", "e1");
        String id = publish("einmal", "e1", 1);
        InboxTable.Row row = lab.inbox.messageInState(id, "DONE");
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.reason()).isNull();
        assertThat(row.correlationKey()).isEqualTo("e1");
        lab.server.awaitEmpty("einmal-sub", Duration.ofSeconds(60));
        for (int i = 1; i <= 2; i++) {
            int times = i;
            lab.server.redeliver("einmal-sub");
            Lab.eventually("counted", () -> rows(id).get(0).duplicates() == times);
            lab.server.awaitEmpty("einmal-sub", Duration.ofSeconds(60));
        }
        assertThat(lab.tasks(instance)).isEqualTo(1);
        assertThat(ledger.of("e1")).containsExactly(1);
        assertThat(lab.server.stats("einmal-sub").nacks()).isZero();
        assertThat(status("einmal").stored()).isEqualTo(1);
        assertThat(status("einmal").duplicates()).isEqualTo(2);
    }

    @Test
    void aRejectionIsNackedAndLeavesNoRow_theRedeliveryFindsTheSubscription() {
        channel("zufrueh", SOON);
        String id = publish("zufrueh", "z1", 1);
        awaitNacks("zufrueh", 2);
        assertThat(rowsOf("zufrueh")).isZero();
        assertThat(lab.server.stats("zufrueh-sub").acks()).isZero();
        assertThat(status("zufrueh").nacked()).isPositive();
        String instance = lab.startOrder("einmal", "z1");
        lab.inbox.messageInState(id, "DONE");
        lab.server.awaitEmpty("zufrueh-sub", Duration.ofSeconds(60));
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void twoReceiversAreAmbiguous_nothingIsTriggered_untilOneIsLeft() {
        channel("doppelt", SOON);
        String first = lab.startOrder("einmal", "d1");
        String second = lab.startOrder("einmal", "d1");
        String id = publish("doppelt", "d1", 1);
        awaitNacks("doppelt", 2);
        assertThat(rowsOf("doppelt")).isZero();
        assertThat(ledger.of("d1")).isEmpty();
        lab.node.engine.getRuntimeService().deleteProcessInstance(second, "a double token");
        lab.inbox.messageInState(id, "DONE");
        assertThat(lab.tasks(first)).isEqualTo(1);
    }

    @Test
    void aFailingProcessIsRolledBackAndNacked_andMovesOnceAfterItIsMended() {
        channel("kaputt", SOON);
        ledger.fail("k1", 1, 3);
        String instance = lab.startOrder("einmal", "k1");
        try (LogLines lines = new LogLines()) {
            String id = publish("kaputt", "k1", 1);
            lab.inbox.messageInState(id, "DONE");
            assertThat(lines.all())
                    .anyMatch(line -> line.contains("PROCESS_FAILED") && line.contains("IllegalStateException"))
                    .filteredOn(line -> !line.startsWith("DEBUG"))
                    .noneMatch(line -> line.contains("secret-body"));
        }
        assertThat(lab.server.stats("kaputt-sub").nacks()).isEqualTo(3);
        assertThat(ledger.of("k1")).containsExactly(1);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void whatIsNeverTakenGoesToTheDeadLetterTopic() {
        lab.server.createTopic("tot");
        lab.server.createSubscription("tot-sub", "tot");
        channel("endstation", SOON.withDeadLetterTopic("tot", 5));
        publish("endstation", "niemand", 1);
        Lab.eventually("dead", () -> lab.server.stats("endstation-sub").deadLettered() == 1);
        lab.server.awaitEmpty("endstation-sub", Duration.ofSeconds(60));
        assertThat(lab.server.stats("endstation-sub").nacks()).isEqualTo(5);
        assertThat(lab.server.unacked("tot-sub")).isEqualTo(1);
        assertThat(rowsOf("endstation")).isZero();
    }

    /** As after a crash between commit and ack. */
    @Test
    void aLostAckEndsAsADuplicate() {
        channel("verloren", SubscriptionOptions.DEFAULT);
        String instance = lab.startOrder("einmal", "v1");
        lab.server.loseAcks("verloren-sub", true);
        String id = publish("verloren", "v1", 1);
        lab.inbox.messageInState(id, "DONE");
        Lab.eventually("lost", () -> lab.server.stats("verloren-sub").ignoredAcks() >= 1);
        assertThat(lab.server.unacked("verloren-sub")).isEqualTo(1);
        lab.server.loseAcks("verloren-sub", false);
        lab.server.expireLeases("verloren-sub");
        lab.server.awaitEmpty("verloren-sub", Duration.ofSeconds(60));
        Lab.eventually("counted", () -> rows(id).get(0).duplicates() >= 1);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    /** No retry policy: the bad ones come back at once, again and again. */
    @Test
    void badMessagesHarmNoNeighbourAndFloodNoLog() {
        channel("schlecht", SubscriptionOptions.DEFAULT);
        List<String> good = new ArrayList<>();
        try (LogLines lines = new LogLines()) {
            for (int i = 0; i < 40; i++) {
                if (i % 10 == 5) {
                    lab.publish("schlecht", ByteString.copyFrom(new byte[] {(byte) 0xff, 0, 1}), Map.of());
                    lab.publish("schlecht", "kein JSON, secret-body");
                    lab.publish("schlecht", "{}");
                }
                lab.startOrder("einmal", "s" + i);
                good.add(publish("schlecht", "s" + i, i));
            }
            good.forEach(id -> lab.inbox.messageInState(id, "DONE"));
            awaitNacks("schlecht", 100);
            assertThat(lines.all())
                    .filteredOn(line -> line.startsWith("WARN") && line.contains("channel schlecht"))
                    .filteredOn(line -> !line.contains("does not fit channel")) // told once, whenever it is read
                    .hasSize(2)
                    .anyMatch(line -> line.contains("nacked as UNREADABLE"))
                    .anyMatch(line -> line.contains("nacked as NO_CORRELATION_VALUE"));
            assertThat(lines.all())
                    .filteredOn(line -> !line.startsWith("DEBUG"))
                    .noneMatch(line -> line.contains("secret-body"));
        } finally {
            lab.server.deleteSubscription("schlecht-sub");
        }
        assertThat(rowsOf("schlecht")).isEqualTo(40);
        IntStream.range(0, 40).forEach(i -> assertThat(ledger.of("s" + i)).containsExactly(i));
    }

    @Test
    void whatTheFilterDropsIsDiscardedAndAcked() {
        lab.server.createTopic("gefiltert");
        lab.server.createSubscription("gefiltert-sub", "gefiltert");
        lab.node.deployEvents(Map.of(
                "gefiltert.channel",
                Models.channel(
                        "gefiltert",
                        "gefiltert-sub",
                        ACK,
                        Lab.FIXED,
                        ", \"eventFilterDelegateExpression\": \"${filter}\"")));
        String id = lab.publish("gefiltert", ByteString.copyFromUtf8(Models.completion("g1", 1)), Map.of("weg", "ja"));
        assertThat(lab.inbox.messageInState(id, "DISCARDED").reason()).isEqualTo("FILTERED");
        lab.server.awaitEmpty("gefiltert-sub", Duration.ofSeconds(60));
    }
}
