package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code correlation} in the channel file: plain BPMN messages, found by a process variable. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MessageContract {

    private final MessageLab lab;

    MessageContract(TestDatabase kind) {
        JavaDelegate failing = MessageContract::fail;
        lab = new MessageLab(kind, Map.of("scheitern", failing));
    }

    private static void fail(DelegateExecution execution) {
        throw new IllegalStateException("kaputt");
    }

    @BeforeAll
    void start() {
        lab.process("p1").process("p2");
        lab.channel("eins", "p1", "{}")
                .channel("sofort", "p1", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}")
                .channel("alle", "p1", "{\"cardinality\": \"all\"}")
                .channel("direkt", "p1", "{\"ack\": \"afterCorrelation\"}");
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private long tasks(String instance) {
        return lab.lab.tasks(instance);
    }

    private String order(String process, String id) {
        return lab.lab.startOrder(process, id);
    }

    @Test
    void anInstanceThatWaitsGetsIt_withTheEventsFieldsAsVariables() {
        String instance = order("p1", "m1");
        String other = order("p1", "m1-anderer");
        String otherProcess = order("p2", "m1");
        InboxTable.Row row = lab.publish("eins", "m1", "DONE");
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.correlationKey()).isEqualTo("m1");
        assertThat(tasks(instance)).isEqualTo(1);
        assertThat(lab.variable(instance, "erledigtePositionen")).isEqualTo(7);
        assertThat(tasks(other) + tasks(otherProcess)).isZero();
    }

    @Test
    void anEarlyOneWaitsForTheSubscription() {
        InboxTable.Row row = lab.publish("eins", "m2", "WAITING");
        assertThat(row.reason()).isEqualTo("NO_MATCH");
        assertThat(row.error())
                .contains("No subscription for message AuftragAbgeschlossen of process p1 with the event's value in")
                .contains("process variable auftragId, of type string, that matches");
        order("p1", "m2-anderer");
        order("p2", "m2");
        String instance = order("p1", "m2");
        lab.done(row);
        assertThat(tasks(instance)).isEqualTo(1);
        assertThat(row.attempts()).isEqualTo(1);
    }

    @Test
    void anEarlyOneWaitsForTheVariable() {
        String instance = lab.start("p1", Map.of());
        InboxTable.Row row = lab.publish("eins", "m3", "WAITING");
        lab.runtime.setVariable(instance, "auftragId", "m3-noch-nicht");
        lab.runtime.setVariable(instance, "auftragId", "m3");
        lab.done(row);
        assertThat(tasks(instance)).isEqualTo(1);
    }

    /** As after a crash: the engine's tables say that there is a receiver, and nobody was told. */
    @Test
    void aReceiverThatNobodyHeardOfIsFoundByHousekeeping() {
        String instance = order("p1", "m4-falsch");
        InboxTable.Row row = lab.publish("eins", "m4", "WAITING");
        InboxTable.Row other = lab.publish("eins", "m4-anderer", "WAITING");
        lab.lab.database.update("update ACT_RU_VARIABLE set TEXT_ = 'm4' where NAME_ = 'auftragId' and"
                + " PROC_INST_ID_ = '" + instance + "'");
        lab.done(row);
        assertThat(tasks(instance)).isEqualTo(1);
        assertThat(lab.lab.inbox.rows("ID_ = " + other.id()).get(0).attempts())
                .as("the others are left alone")
                .isEqualTo(1);
    }

    /** Value and type count, and the variable is the instance's own. */
    @ParameterizedTest
    @CsvSource({
        "string,  '\"4711\"',      4711 as string",
        "integer, 4712,            4712 as integer",
        "long,    4713,            4713 as long",
        "double,  47.5,            47.5 as double",
        "boolean, true,            true as boolean"
    })
    void valueAndTypeAreCompared(String type, String json, String variable) {
        String key = "typ-" + type;
        lab.typedEvent(type).process(key).channel(key, key, "wert", "{}", "{\"fixedValue\": \"%s\"}".formatted(key));
        for (Object value : new Object[] {"4711", 4711L, 4712, 4712L, 4713, 4713L, 47.5, 48.5, true, false, "true"}) {
            lab.start(
                    key,
                    Map.of(
                            "wert",
                            value,
                            "name",
                            value + " as " + value.getClass().getSimpleName().toLowerCase(Locale.ROOT)));
        }
        String id = lab.lab.publish(key, "{\"wert\": " + json + "}");
        lab.lab.inbox.messageInState(id, "DONE");
        assertThat(lab.runtime
                        .createProcessInstanceQuery()
                        .processDefinitionKey(key)
                        .variableValueEquals("name", variable)
                        .singleResult()
                        .getId())
                .as("the one that has moved")
                .isEqualTo(lab.lab
                        .node
                        .engine
                        .getTaskService()
                        .createTaskQuery()
                        .processDefinitionKey(key)
                        .singleResult()
                        .getProcessInstanceId());
    }

    @Test
    void whatIsLocalToAnExecutionDoesNotCount() {
        lab.deploy("lokal", MessageLab.chainOf(MessageLab.receive("warten"), Models.userTask("danach")));
        lab.channel("lokal", "lokal", "{}");
        String instance = lab.start("lokal", Map.of());
        String execution = lab.runtime
                .createExecutionQuery()
                .processInstanceId(instance)
                .activityId("warten")
                .singleResult()
                .getId();
        lab.runtime.setVariableLocal(execution, "auftragId", "m5");
        InboxTable.Row row = lab.publish("lokal", "m5", "WAITING");
        lab.runtime.setVariable(instance, "anderes", "m5");
        lab.runtime.removeVariableLocal(execution, "auftragId");
        lab.runtime.setVariable(instance, "auftragId", "m5");
        assertThat(lab.done(row).attempts()).isEqualTo(2);
    }

    @Test
    void twoInstancesAreAmbiguous() {
        String first = order("p1", "m6");
        String second = order("p1", "m6");
        InboxTable.Row row = lab.publish("eins", "m6", "PARKED");
        assertThat(row.reason()).isEqualTo("AMBIGUOUS");
        assertThat(row.error()).contains("2 receivers of the same process definition match", first, second, "warten");
        assertThat(tasks(first) + tasks(second)).isZero();
        lab.publish("alle", "m6", "DONE");
        assertThat(tasks(first)).isEqualTo(1);
        assertThat(tasks(second)).isEqualTo(1);
    }

    @Test
    void aSuspendedInstanceIsWaitedFor() {
        String instance = order("p1", "m7");
        lab.runtime.suspendProcessInstanceById(instance);
        InboxTable.Row row = lab.publish("sofort", "m7", "WAITING");
        assertThat(row.reason()).isEqualTo("SUSPENDED");
        lab.runtime.activateProcessInstanceById(instance);
        // The wake-up of the start may come as late as this, and look while the instance is still suspended.
        assertThat(lab.done(row).attempts()).isBetween(2, 3);
        assertThat(tasks(instance)).isEqualTo(1);
    }

    @Test
    void theOrderIsKept() {
        lab.deploy(
                "zweimal",
                MessageLab.chainOf(MessageLab.receive("erst"), MessageLab.receive("dann"), Models.userTask("danach")));
        lab.channel("zweimal", "zweimal", "{}");
        InboxTable.Row first = lab.publish("zweimal", "m8", "WAITING");
        String second = lab.lab.publish("zweimal", Models.completion("m8", 8));
        assertThat(lab.lab.inbox.messageInState(second, "WAITING").reason()).isEqualTo("HELD_BACK");
        String instance = order("zweimal", "m8");
        lab.done(first);
        lab.lab.inbox.messageInState(second, "DONE");
        assertThat(tasks(instance)).isEqualTo(1);
        assertThat(lab.variable(instance, "erledigtePositionen")).isEqualTo(8);
    }

    @Test
    void theProcessesFailureRollsBackItsVariables() {
        lab.deploy("scheitert", MessageLab.chainOf(MessageLab.receive("warten"), Models.service("tun", "scheitern")));
        lab.channel("scheitert", "scheitert", "{\"retry\": {\"giveUpAfter\": \"PT0S\"}}");
        String instance = order("scheitert", "m9");
        InboxTable.Row row = lab.publish("scheitert", "m9", "PARKED");
        assertThat(row.reason()).isEqualTo("PROCESS_FAILED");
        assertThat(row.error()).contains("kaputt");
        assertThat(lab.runtime.getVariable(instance, "erledigtePositionen")).isNull();
        assertThat(lab.lab.database.count(
                        "ACT_RU_EVENT_SUBSCR", "EVENT_TYPE_ = 'message' and PROC_INST_ID_ = '" + instance + "'"))
                .isEqualTo(1);
    }

    @Test
    void ackAfterCorrelation() {
        String instance = order("p1", "m10");
        lab.publish("direkt", "m10", "DONE");
        assertThat(tasks(instance)).isEqualTo(1);
        String id = lab.lab.publish("direkt", Models.completion("m11", 1));
        String late = order("p1", "m11");
        lab.lab.inbox.messageInState(id, "DONE");
        assertThat(tasks(late)).isEqualTo(1);
    }

    /** Boundary event, event-based gateway, event sub-process. */
    @ParameterizedTest
    @CsvSource({"grenze", "auswahl", "ereignis"})
    void everythingThatReceivesMessages(String process) {
        String message = "<messageEventDefinition messageRef=\"m\"/>";
        Map<String, String> contents = new HashMap<>();
        contents.put(
                "grenze",
                "<startEvent id=\"s\"/>" + Models.flow("s", "t") + Models.userTask("t")
                        + "<boundaryEvent id=\"b\" attachedToRef=\"t\">" + message + "</boundaryEvent>"
                        + Models.flow("b", "danach") + Models.userTask("danach"));
        contents.put(
                "auswahl",
                "<startEvent id=\"s\"/><eventBasedGateway id=\"g\"/>" + Models.flow("s", "g")
                        + MessageLab.receive("r") + Models.flow("g", "r")
                        + "<intermediateCatchEvent id=\"z\"><timerEventDefinition><timeDuration>P1D</timeDuration>"
                        + "</timerEventDefinition></intermediateCatchEvent>" + Models.flow("g", "z")
                        + Models.flow("r", "danach") + Models.userTask("danach") + Models.flow("z", "ende")
                        + "<endEvent id=\"ende\"/>");
        contents.put(
                "ereignis",
                "<startEvent id=\"s\"/>" + Models.flow("s", "t") + Models.userTask("t")
                        + "<subProcess id=\"e\" triggeredByEvent=\"true\"><startEvent id=\"es\" isInterrupting=\"true\">"
                        + message + "</startEvent>" + Models.flow("es", "danach") + Models.userTask("danach")
                        + "</subProcess>");
        lab.deploy(process, String.valueOf(contents.get(process))).channel(process, process, "{}");
        String instance = order(process, "m12");
        lab.publish(process, "m12", "DONE");
        assertThat(lab.lab
                        .node
                        .engine
                        .getTaskService()
                        .createTaskQuery()
                        .processInstanceId(instance)
                        .singleResult()
                        .getTaskDefinitionKey())
                .isEqualTo("danach");
    }
}
