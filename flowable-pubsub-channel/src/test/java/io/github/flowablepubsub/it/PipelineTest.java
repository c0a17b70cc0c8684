package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.flowable.engine.delegate.JavaDelegate;
import org.flowable.eventregistry.api.InboundEventDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.w3c.dom.Document;

/** An app's own transformer and pipeline; several events of one message reach all their receivers, or none of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipelineTest {

    private static final String SPLIT = ", \"eventTransformerDelegateExpression\": \"${zerlegen}\"";

    private final Lab lab = Lab.start(
            TestDatabase.H2,
            Map.of(
                    "zerlegen",
                    new PipelineBeans.Split(),
                    "eigene",
                    new PipelineBeans.OwnPipeline(),
                    "entpacken",
                    (InboundEventDeserializer<Document>) PipelineBeans::unzip,
                    "scheitern",
                    (JavaDelegate) execution -> {
                        throw new IllegalStateException("kann nicht");
                    }));

    @BeforeAll
    void start() {
        lab.server.createTopic("sammel");
        lab.server.createSubscription("sammel-sub", "sammel");
        lab.server.createTopic("eigene");
        lab.server.createSubscription("eigene-sub", "eigene");
        lab.server.createTopic("direkt");
        lab.server.createSubscription(
                "direkt-sub", "direkt", SubscriptionOptions.DEFAULT.withRetryPolicy(Duration.ofMillis(50)));
        lab.server.createTopic("gepackt");
        lab.server.createSubscription("gepackt-sub", "gepackt");
        lab.node.deployEvents(
                Map.of(
                        "gepackt.channel",
                        Models.channel(
                                "gepackt",
                                "gepackt-sub",
                                "{}",
                                "{\"fixedValue\": \"eins\"}",
                                ", \"deserializerType\": \"xml\", \"deserializerDelegateExpression\": \"${entpacken}\""),
                        "direkt.channel",
                        Models.channel(
                                "direkt",
                                "direkt-sub",
                                "{\"ack\": \"afterCorrelation\"}",
                                "{\"fixedValue\": \"sammel\"}",
                                SPLIT),
                        "sammel.event",
                        "{\"key\": \"sammel\", \"payload\": [{\"name\": \"text\", \"type\": \"string\"}]}",
                        "eins.event",
                        Models.event("eins"),
                        "zwei.event",
                        Models.event("zwei"),
                        "sammel.channel",
                        Models.channel(
                                "sammel",
                                "sammel-sub",
                                "{\"retry\": {\"giveUpAfter\": \"PT0S\"}}",
                                "{\"fixedValue\": \"sammel\"}",
                                SPLIT),
                        "eigene.channel",
                        """
                {"key": "eigene", "channelType": "inbound", "type": "pubsub", "subscription": "eigene-sub",
                 "pipelineDelegateExpression": "${eigene}"}
                """));
        lab.node.deployProcess(waiting("auf-eins", "eins")).deployProcess(waiting("auf-zwei", "zwei"));
        lab.node.deployProcess(
                Models.chain("scheitert", Models.catchEvent("warten", "zwei"), Models.service("tun", "scheitern")));
    }

    private static String waiting(String processKey, String event) {
        return Models.chain(processKey, Models.catchEvent("warten", event), Models.userTask("danach"));
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private String publish(String text) {
        return lab.publish("sammel", "{\"text\": \"" + text + "\"}");
    }

    private InboxTable.Row parked(String messageId) {
        return lab.inbox.messageInState(messageId, "PARKED");
    }

    @Test
    void severalEventsReachTheirReceivers_theRowHasTheKeysOfTheFirst() {
        String first = lab.startOrder("auf-eins", "s1");
        String second = lab.startOrder("auf-zwei", "s2");
        String third = lab.startOrder("auf-eins", "s3");
        InboxTable.Row row = lab.inbox.messageInState(publish("eins:s1,zwei:s2,eins:s3"), "DONE");
        assertThat(row.eventKey()).isEqualTo("eins");
        assertThat(row.correlationKey()).isEqualTo("s1");
        assertThat(List.of(lab.tasks(first), lab.tasks(second), lab.tasks(third)))
                .containsExactly(1L, 1L, 1L);
    }

    @Test
    void whileOneEventHasNoReceiverNothingMoves_itsSubscriptionWakesTheMessage() {
        String first = lab.startOrder("auf-eins", "n1");
        String id = publish("eins:n1,zwei:n2");
        InboxTable.Row row = lab.inbox.messageInState(id, "WAITING");
        assertThat(row.error()).contains("No subscription for event zwei");
        assertThat(lab.tasks(first)).isZero();
        String second = lab.startOrder("auf-zwei", "n2");
        lab.inbox.messageInState(id, "DONE");
        assertThat(lab.tasks(first)).isEqualTo(1);
        assertThat(lab.tasks(second)).isEqualTo(1);
    }

    @Test
    void withAckAfterCorrelationTheyReachAllOrNoneToo() {
        String first = lab.startOrder("auf-eins", "k1");
        String id = lab.publish("direkt", "{\"text\": \"eins:k1,zwei:k2\"}");
        Lab.eventually("nacked", () -> lab.server.stats("direkt-sub").nacks() >= 2);
        assertThat(lab.tasks(first)).isZero();
        assertThat(lab.inbox.rows("MESSAGE_ID_ = '" + id + "'")).isEmpty();
        String second = lab.startOrder("auf-zwei", "k2");
        lab.inbox.messageInState(id, "DONE");
        assertThat(lab.tasks(first)).isEqualTo(1);
        assertThat(lab.tasks(second)).isEqualTo(1);
    }

    @Test
    void oneEventThatFailsLeavesTheOthersReceiversUnmoved() {
        String first = lab.startOrder("auf-eins", "f1");
        String failing = lab.startOrder("scheitert", "f2");
        InboxTable.Row row = parked(publish("eins:f1,zwei:f2"));
        assertThat(row.reason()).isEqualTo("PROCESS_FAILED");
        assertThat(row.error()).contains("kann nicht");
        assertThat(lab.tasks(first)).isZero();
        assertThat(lab.node
                        .engine
                        .getRuntimeService()
                        .createEventSubscriptionQuery()
                        .processInstanceId(failing)
                        .count())
                .isEqualTo(1);
    }

    /** The second of them would be lost in a receiver that the first one has moved on. */
    @Test
    void twoEventsForOneReceiverAreRefused_notHalfDelivered() {
        String instance = lab.startOrder("auf-eins", "d1");
        InboxTable.Row row = parked(publish("eins:d1,eins:d1"));
        assertThat(row.reason()).isEqualTo("SUBSCRIPTION_GONE");
        assertThat(row.error()).contains("another event of the same message took the subscription", "one by one");
        assertThat(lab.tasks(instance)).isZero();
    }

    @Test
    void whatTheTransformerLeavesOutIsFiltered() {
        assertThat(lab.inbox.messageInState(publish(""), "DISCARDED").reason()).isEqualTo("FILTERED");
    }

    @Test
    void whatIsNoEventIsUnreadable() {
        InboxTable.Row row = parked(publish("fremd"));
        assertThat(row.reason()).isEqualTo("UNREADABLE");
        assertThat(row.error()).contains("ClassCastException");
    }

    /** Also an error that no parser should throw leaves no message unanswered. */
    @Test
    void javaPubsub637And24_anErrorInAnAppsOwnPartIsAckedAndParked() {
        InboxTable.Row row = parked(publish("fehler"));
        assertThat(row.error()).contains("NoClassDefFoundError");
        lab.server.awaitEmpty("sammel-sub", Duration.ofSeconds(60));
        String instance = lab.startOrder("auf-eins", "e1");
        lab.inbox.messageInState(publish("eins:e1"), "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void anOwnPipelineReadsBytesThatAreNoText() {
        String instance = lab.startOrder("auf-eins", "b1");
        ByteString body = ByteString.copyFrom(new byte[] {(byte) 0xFE, 'b', '1'});
        InboxTable.Row row = lab.inbox.messageInState(lab.publish("eigene", body, Map.of("art", "eins")), "DONE");
        assertThat(row.bytes()).isEqualTo(body);
        assertThat(row.correlationKey()).isEqualTo("b1");
        assertThat(lab.tasks(instance)).isEqualTo(1);
        InboxTable.Row bad = parked(lab.publish("eigene", ByteString.EMPTY, Map.of("art", "eins")));
        assertThat(bad.reason()).isEqualTo("UNREADABLE");
        assertThat(bad.error()).contains("kein FE am Anfang");
    }

    @Test
    void anOwnDeserializerReadsBytesThatAreNoText() throws IOException {
        String instance = lab.startOrder("auf-eins", "z1");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write("<m><auftragId>z1</auftragId></m>".getBytes(StandardCharsets.UTF_8));
        }
        ByteString body = ByteString.copyFrom(bytes.toByteArray());
        assertThat(lab.inbox
                        .messageInState(lab.publish("gepackt", body, Map.of()), "DONE")
                        .bytes())
                .isEqualTo(body);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }
}
