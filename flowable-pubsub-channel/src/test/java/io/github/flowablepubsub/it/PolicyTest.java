package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Cardinality, order and parking of section 3 of the contract, through the real client, server and database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyTest {

    private final Gate gate = new Gate();
    private final Lab lab = Lab.start(TestDatabase.POSTGRES, Map.of("schranke", gate));

    /** Holds deliveries of order "langsam" back until it is opened. */
    private static final class Gate implements JavaDelegate {
        private final CountDownLatch entered = new CountDownLatch(2);
        private final CountDownLatch open = new CountDownLatch(1);

        @Override
        public void execute(DelegateExecution execution) {
            if ("langsam".equals(execution.getVariable("auftragId"))) {
                entered.countDown();
                await(open);
            }
        }

        static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @BeforeAll
    void start() {
        lab.channel("eine", "{\"cardinality\": \"one\"}");
        lab.channel("alle", "{\"cardinality\": \"all\"}");
        lab.channel("ohne", "{\"order\": \"none\"}");
        lab.channel("schluessel", "{\"order\": \"orderingKey\"}");
        lab.channel(
                "weg",
                "{\"buffer\": {\"timeToLive\": \"PT0S\"}, \"parking\": {\"onNoMatch\": \"discard\"}}",
                "{\"jsonField\": \"typ\"}");
        lab.channel(
                "fremd",
                "{\"buffer\": {\"timeToLive\": \"PT0S\"}, \"parking\": {\"onUnknownEvent\": \"discard\"}}",
                "{\"jsonField\": \"typ\"}");
        for (String process : List.of("p1", "p2")) {
            lab.node.deployProcess(Models.chain(
                    process,
                    Models.catchEvent("warten", "auftragAbgeschlossen"),
                    Models.service("arbeit", "schranke"),
                    Models.userTask("danach")));
        }
    }

    /** The attribute names the event; a message without it is detected as the channel says, or is unreadable. */
    @Test
    void theEventKeyComesFromAnAttribute() {
        lab.server.createTopic("attribut");
        lab.server.createSubscription("attribut-sub", "attribut");
        lab.server.createTopic("beides");
        lab.server.createSubscription("beides-sub", "beides");
        lab.node.deployEvents(
                Map.of(
                        "attribut.channel",
                        """
                {"key": "attribut", "channelType": "inbound", "type": "pubsub", "subscription": "attribut-sub",
                 "eventKeyAttribute": "ereignisTyp"}
                """,
                        "beides.channel",
                        """
                {"key": "beides", "channelType": "inbound", "type": "pubsub", "subscription": "beides-sub",
                 "eventKeyAttribute": "ereignisTyp", "channelEventKeyDetection": {"jsonField": "typ"}}
                """));
        String instance = lab.startOrder("p1", "attribut-1");
        ByteString body = ByteString.copyFromUtf8(Models.completion("attribut-1", 1));
        finished(lab.publish("attribut", body, Map.of("ereignisTyp", "auftragAbgeschlossen")), "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
        InboxTable.Row without = finished(lab.publish("attribut", body, Map.of("anderes", "x")), "PARKED");
        assertThat(without.reason()).isEqualTo("UNREADABLE");
        assertThat(without.error()).contains("No event key was found in the message");
        String other = lab.startOrder("p1", "attribut-2");
        finished(lab.publish("beides", "{\"typ\": \"auftragAbgeschlossen\", \"auftragId\": \"attribut-2\"}"), "DONE");
        assertThat(lab.tasks(other)).isEqualTo(1);
    }

    @AfterAll
    void stop() {
        gate.open.countDown();
        lab.close();
    }

    private InboxTable.Row finished(String messageId, String state) {
        return lab.inbox.messageInState(messageId, state);
    }

    private String publish(String channel, String order) {
        return lab.publish(channel, Models.completion(order, 1));
    }

    @Test
    void oneAtAll_twoDefinitionsAreAmbiguous() {
        String first = lab.startOrder("p1", "eine-1");
        String second = lab.startOrder("p2", "eine-1");
        InboxTable.Row row = finished(publish("eine", "eine-1"), "PARKED");
        assertThat(row.reason()).isEqualTo("AMBIGUOUS");
        assertThat(row.error())
                .contains(
                        "2 receivers of 2 process definitions match, 2 instances",
                        "process instance " + first + " activity warten execution ",
                        "process instance " + second);
        assertThat(lab.tasks(first) + lab.tasks(second))
                .as("nothing is triggered")
                .isZero();
    }

    /** Which of them is the double token, which the second instance, is what an operator has to know. */
    @Test
    void theBusinessKeysOfAmbiguousInstancesAreNamed() {
        for (String key : List.of("Auftrag A", "Auftrag B")) {
            lab.node.engine.getRuntimeService().startProcessInstanceByKey("p1", key, Map.of("auftragId", "eine-3"));
        }
        InboxTable.Row row = finished(publish("ohne", "eine-3"), "PARKED");
        assertThat(row.reason()).isEqualTo("AMBIGUOUS");
        assertThat(row.error())
                .contains(
                        "2 receivers of the same process definition match, 2 instances",
                        "business key Auftrag A",
                        "business key Auftrag B");
    }

    @Test
    void oneAtAll_oneGetsIt() {
        String instance = lab.startOrder("p1", "eine-2");
        finished(publish("eine", "eine-2"), "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void all_eachOfThreeGetsItInOneTransaction() {
        String first = lab.startOrder("p1", "alle-1");
        String second = lab.startOrder("p1", "alle-1");
        String third = lab.startOrder("p2", "alle-1");
        finished(publish("alle", "alle-1"), "DONE");
        assertThat(lab.tasks(first)).isEqualTo(1);
        assertThat(lab.tasks(second)).isEqualTo(1);
        assertThat(lab.tasks(third)).isEqualTo(1);
    }

    /** Delivery to the first of two tokens ends the instance: the other is gone with it, which is no failure. */
    @Test
    void all_aReceiverThatAnotherOneTookAwayIsNoFailure() {
        lab.node.deployProcess(Models.definitions(
                "beide",
                "<startEvent id=\"s\"/><parallelGateway id=\"g\"/>"
                        + Models.flow("s", "g")
                        + Models.catchEvent("a", "auftragAbgeschlossen")
                        + Models.catchEvent("b", "auftragAbgeschlossen")
                        + Models.flow("g", "a")
                        + Models.flow("g", "b")
                        + "<endEvent id=\"e\"><terminateEventDefinition/></endEvent>"
                        + Models.flow("a", "e")
                        + Models.flow("b", "e")));
        String instance = lab.startOrder("beide", "alle-2");
        assertThat(finished(publish("alle", "alle-2"), "DONE").attempts()).isEqualTo(1);
        assertThat(lab.node
                        .engine
                        .getRuntimeService()
                        .createProcessInstanceQuery()
                        .processInstanceId(instance)
                        .count())
                .isZero();
    }

    /** With an order the second would wait for the first, which is in the middle of its process. */
    @Test
    void withoutOrderTwoMessagesOfAKeyAreWorkedOnAtOnce() {
        lab.startOrder("p1", "langsam");
        List<String> ids = List.of(publish("ohne", "langsam"), publish("ohne", "langsam"));
        Gate.await(gate.entered);
        gate.open.countDown();
        Lab.eventually(
                "one moved it", () -> ids.stream().anyMatch(id -> state(id).equals("DONE")));
        Lab.eventually("the other found it gone", () -> ids.stream()
                .anyMatch(id -> state(id).equals("PARKED")));
    }

    private String state(String messageId) {
        return lab.inbox.rows("MESSAGE_ID_ = '" + messageId + "'").get(0).state();
    }

    @Test
    void theOrderingKeyIsTheLane() {
        String instance = lab.startOrder("p1", "ok-1");
        String id = lab.server.publish(
                "schluessel", ByteString.copyFromUtf8(Models.completion("ok-1", 1)), Map.of(), "tranche-7");
        finished(id, "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
        assertThat(lab.database.strings("select ORDER_KEY_ from FLW_PUBSUB_INBOX where MESSAGE_ID_ = '" + id + "'"))
                .containsExactly("tranche-7");
    }

    @Test
    void whatNobodyWaitsForIsDiscarded_andAckedAsEver() {
        String id = lab.publish("weg", "{\"typ\": \"auftragAbgeschlossen\", \"auftragId\": \"niemand\"}");
        InboxTable.Row row = finished(id, "DISCARDED");
        assertThat(row.reason()).isEqualTo("NO_MATCH");
        assertThat(row.error()).contains("No subscription for event auftragAbgeschlossen");
        lab.server.awaitEmpty("weg-sub", Duration.ofSeconds(60));
        String unknown = lab.publish("weg", "{\"typ\": \"unbekannt\", \"auftragId\": \"1\"}");
        assertThat(finished(unknown, "PARKED").reason()).isEqualTo("NO_EVENT_DEFINITION");
    }

    @Test
    void anUnknownEventIsDiscarded() {
        String unknown = lab.publish("fremd", "{\"typ\": \"unbekannt\", \"auftragId\": \"1\"}");
        assertThat(finished(unknown, "DISCARDED").reason()).isEqualTo("NO_EVENT_DEFINITION");
        String id = lab.publish("fremd", "{\"typ\": \"auftragAbgeschlossen\", \"auftragId\": \"niemand\"}");
        assertThat(finished(id, "PARKED").reason()).isEqualTo("NO_MATCH");
    }
}
