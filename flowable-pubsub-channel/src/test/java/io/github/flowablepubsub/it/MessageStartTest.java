package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.flowable.engine.RuntimeService;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.flowable.engine.runtime.ProcessInstance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Plain messages that start instances, and plain messages that reach nobody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MessageStartTest {

    private static final String START = "<startEvent id=\"s\"><messageEventDefinition messageRef=\"m\"/></startEvent>";

    private final Gate gate = new Gate();
    private final MessageLab lab = new MessageLab(TestDatabase.H2, Map.of("schranke", gate));
    private final RuntimeService runtime = lab.runtime;

    /** Holds a delivery back. */
    private static final class Gate implements JavaDelegate {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        @Override
        public void execute(DelegateExecution execution) {
            entered.countDown();
            await(open);
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
        lab.process("niemand").channel("frei", "niemand", "{}");
    }

    @AfterAll
    void stop() {
        gate.open.countDown();
        lab.close();
    }

    private List<ProcessInstance> instances(String process) {
        return runtime.createProcessInstanceQuery()
                .processDefinitionKey(process)
                .list();
    }

    /** One message name has one start event in the engine, so that all about it is one test. */
    @Test
    void aMessageStartsAnInstance_unlessOneWaitsForIt() {
        lab.channel("starten", "starter", "{}");
        InboxTable.Row early = lab.publish("starten", "s1", "WAITING");
        lab.deploy(
                "starter",
                START
                        + Models.flow("s", "w")
                        + MessageLab.receive("w")
                        + Models.flow("w", "danach")
                        + Models.userTask("danach"));
        lab.done(early);
        assertThat(instances("starter")).hasSize(1);
        String first = instances("starter").get(0).getId();
        assertThat(lab.variable(first, "auftragId")).isEqualTo("s1");
        assertThat(lab.variable(first, "erledigtePositionen")).isEqualTo(7);

        lab.publish("starten", "s1", "DONE");
        assertThat(lab.lab.tasks(first)).as("it waits for the same message").isEqualTo(1);
        assertThat(instances("starter")).hasSize(1);

        lab.publish("starten", "s1", "DONE");
        assertThat(instances("starter")).as("it waits no longer").hasSize(2);

        lab.lab.node.engine.getRepositoryService().suspendProcessDefinitionByKey("starter");
        InboxTable.Row row = lab.publish("starten", "s2", "WAITING");
        assertThat(row.reason()).isEqualTo("SUSPENDED");
        lab.lab.node.engine.getRepositoryService().activateProcessDefinitionByKey("starter");
        assertThat(lab.done(row).attempts()).isEqualTo(2);
        assertThat(instances("starter")).hasSize(3);

        String without = lab.lab.publish("starten", "{\"erledigtePositionen\": 1}");
        lab.lab.inbox.messageInState(without, "DONE");
        assertThat(instances("starter"))
                .as("without a value only a start is left")
                .hasSize(4);

        InboxTable.Row other = lab.publish("frei", "s1", "WAITING");
        assertThat(other.reason()).as("of another process").isEqualTo("NO_MATCH");
    }

    @Test
    void withoutAValueNothingMatches() {
        String id = lab.lab.publish("frei", "{\"erledigtePositionen\": 1}");
        InboxTable.Row row = lab.lab.inbox.messageInState(id, "PARKED");
        assertThat(row.reason()).isEqualTo("NO_CORRELATION_VALUE");
        assertThat(row.error())
                .contains("no value for correlation parameter auftragId to compare with variable auftragId")
                .contains("process niemand does not start with message AuftragAbgeschlossen");
    }

    private InboxTable.Row parked(String event, String payload, String body) {
        lab.lab.node.deployEvents(
                Map.of(event + ".event", "{\"key\": \"%s\", \"payload\": [%s]}".formatted(event, payload)));
        lab.channel(event, "niemand", "auftragId", "{}", "{\"fixedValue\": \"%s\"}".formatted(event));
        return lab.lab.inbox.messageInState(lab.lab.publish(event, body), "PARKED");
    }

    @Test
    void anEventNeedsACorrelationParameter() {
        InboxTable.Row row =
                parked("ohne", "{\"name\": \"auftragId\", \"type\": \"string\"}", "{\"auftragId\": \"1\"}");
        assertThat(row.reason()).isEqualTo("NO_CORRELATION_VALUE");
        assertThat(row.error()).contains("Event ohne has no correlation parameter to compare with variable auftragId");
    }

    @Test
    void severalCorrelationParametersAreTooMany() {
        String two =
                """
                {"name": "auftragId", "type": "string", "correlationParameter": true},
                {"name": "tranche", "type": "string", "correlationParameter": true}
                """;
        InboxTable.Row row = parked("zwei", two, "{\"auftragId\": \"1\"}");
        assertThat(row.reason()).isEqualTo("UNREADABLE");
        assertThat(row.error())
                .contains("Event zwei has 2 correlation parameters (auftragId, tranche)")
                .contains("compares one with variable auftragId");
    }

    @Test
    void whatCannotBeComparedIsParked() {
        InboxTable.Row json = parked(
                "json",
                "{\"name\": \"auftragId\", \"type\": \"json\", \"correlationParameter\": true}",
                "{\"auftragId\": {\"a\": 1}}");
        assertThat(json.reason()).isEqualTo("UNREADABLE");
        assertThat(json.error()).contains("neither string, integer, long, double nor boolean, but a ");
        String text = "{\"auftragId\": \"" + "x".repeat(4001) + "\"}";
        InboxTable.Row tooLong = lab.lab.inbox.messageInState(lab.lab.publish("frei", text), "PARKED");
        assertThat(tooLong.reason()).isEqualTo("UNREADABLE");
        assertThat(tooLong.error()).contains("a text of 4001 characters, at most 4000 are possible");
    }

    /** Longer than a key column, and with blanks that it does not keep. */
    @Test
    void aLongValueWakesItsMessage() {
        String value = " " + "x".repeat(1000) + " ";
        InboxTable.Row row = lab.publish("frei", value, "WAITING");
        String instance = lab.lab.startOrder("niemand", value);
        lab.done(row);
        assertThat(lab.lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void theEventsTenantIsTheReceivers() {
        lab.lab.server.createTopic("mandant");
        lab.lab.server.createSubscription("mandant-sub", "mandant");
        lab.lab
                .node
                .events()
                .createDeployment()
                .tenantId("acme")
                .addEventDefinition("m.event", Models.event("mandantenEreignis"))
                .deploy();
        lab.lab.node.deployEvents(
                Map.of(
                        "mandant.channel",
                        Models.channel(
                                "mandant",
                                "mandant-sub",
                                "{}",
                                "{\"fixedValue\": \"mandantenEreignis\"}",
                                """
                        , "channelEventTenantIdDetection": {"fixedValue": "acme"}, "correlation":
                        {"messageName": "AuftragAbgeschlossen", "processDefinitionKey": "niemand", "variable": "auftragId"}
                        """)));
        String ofNobody = lab.lab.startOrder("niemand", "t1");
        InboxTable.Row row = lab.publish("mandant", "t1", "WAITING");
        lab.lab
                .node
                .engine
                .getRepositoryService()
                .createDeployment()
                .tenantId("acme")
                .addString(
                        "niemand.bpmn20.xml",
                        MessageLab.definitions(
                                "niemand", MessageLab.chainOf(MessageLab.receive("w"), Models.userTask("d"))))
                .deploy();
        String ofAcme = runtime.startProcessInstanceByKeyAndTenantId("niemand", Map.of("auftragId", "t1"), "acme")
                .getId();
        lab.done(row);
        assertThat(lab.lab.tasks(ofNobody)).isZero();
        assertThat(lab.lab.tasks(ofAcme)).isEqualTo(1);
    }

    @Test
    void aReceiverThatVanishesDuringDeliveryIsParkedAtOnce() {
        lab.deploy("weg", MessageLab.chainOf(MessageLab.receive("w"), Models.service("tun", "schranke")));
        lab.channel("weg", "weg", "{}");
        String instance = lab.lab.startOrder("weg", "g1");
        String id = lab.lab.publish("weg", Models.completion("g1", 1));
        Gate.await(gate.entered);
        runtime.deleteProcessInstance(instance, "weg damit");
        gate.open.countDown();
        assertThat(lab.lab.inbox.messageInState(id, "PARKED").reason()).isEqualTo("SUBSCRIPTION_GONE");
    }
}
