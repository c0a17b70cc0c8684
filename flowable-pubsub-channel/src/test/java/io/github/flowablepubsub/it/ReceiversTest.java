package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Whatever of BPMN can receive an event, and which one of several gets it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReceiversTest {

    private final Lab lab = Lab.start(TestDatabase.H2);

    @BeforeAll
    void start() {
        lab.channel("typen", "{\"retry\": {\"giveUpAfter\": \"PT0S\"}}", "{\"jsonField\": \"typ\"}");
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    /** Deploys an event type of this name and a process that uses it. */
    private void deploy(String event, String bpmn) {
        lab.node.deployEvents(Map.of(event + ".event", Models.event(event))).deployProcess(bpmn);
    }

    private String publish(String event, String auftragId) {
        return lab.publish("typen", "{\"typ\": \"%s\", \"auftragId\": \"%s\"}".formatted(event, auftragId));
    }

    private InboxTable.Row done(String messageId) {
        return lab.inbox.messageInState(messageId, "DONE");
    }

    private long tasks(String processInstanceId, String taskKey) {
        return lab.node
                .engine
                .getTaskService()
                .createTaskQuery()
                .processInstanceId(processInstanceId)
                .taskDefinitionKey(taskKey)
                .count();
    }

    private long instances(String processKey) {
        return lab.node
                .engine
                .getRuntimeService()
                .createProcessInstanceQuery()
                .processDefinitionKey(processKey)
                .count();
    }

    private static String startBy(String event, String more) {
        return """
                <startEvent id="beginn"><extensionElements><flowable:eventType>%s</flowable:eventType>%s
                </extensionElements></startEvent>
                <userTask id="danach"/><endEvent id="ende"/>
                """
                        .formatted(event, more)
                + Models.flow("beginn", "danach")
                + Models.flow("danach", "ende");
    }

    private static final String UNIQUE = "<flowable:startEventCorrelationConfiguration>storeAsUniqueReferenceId"
            + "</flowable:startEventCorrelationConfiguration>";

    @Test
    void aStartEventStartsOneInstancePerMessage() {
        deploy("start", Models.definitions("starter", startBy("start", "")));
        InboxTable.Row row = done(publish("start", "1"));
        assertThat(row.reason()).isNull();
        done(publish("start", "1"));
        assertThat(instances("starter")).isEqualTo(2);
    }

    @Test
    void connectors2846_aUniqueStartStartsOneInstanceOnly() {
        deploy("einmal", Models.definitions("einmalig", startBy("einmal", UNIQUE)));
        assertThat(done(publish("einmal", "1")).reason()).isNull();
        assertThat(done(publish("einmal", "1")).reason()).isEqualTo("UNIQUE_INSTANCE_EXISTS");
        assertThat(done(publish("einmal", "2")).reason()).isNull();
        assertThat(instances("einmalig")).isEqualTo(2);
    }

    @Test
    void flowable3903_aUniqueStartWithoutCorrelationIsParkedWithAReason() {
        lab.node.deployEvents(Map.of("f.event", "{\"key\": \"formlos\", \"payload\": []}"));
        lab.node.deployProcess(Models.definitions("formlos", startBy("formlos", UNIQUE)));
        InboxTable.Row row = lab.inbox.messageInState(publish("formlos", "1"), "PARKED");
        assertThat(row.error()).containsIgnoringCase("correlation");
        assertThat(instances("formlos")).isZero();
    }

    @Test
    void aBoundaryEventReceives() {
        String bpmn = Models.definitions(
                "abbrechen",
                "<startEvent id=\"s\"/><userTask id=\"arbeit\"/><boundaryEvent id=\"rand\" attachedToRef=\"arbeit\">"
                        + Models.eventOf("abbruch")
                        + "</boundaryEvent><userTask id=\"abgebrochen\"/>"
                        + Models.flow("s", "arbeit")
                        + Models.flow("rand", "abgebrochen"));
        deploy("abbruch", bpmn);
        String instance = lab.startOrder("abbrechen", "r1");
        done(publish("abbruch", "r1"));
        assertThat(tasks(instance, "abgebrochen")).isEqualTo(1);
        assertThat(tasks(instance, "arbeit")).isZero();
    }

    @Test
    void aNonInterruptingEventSubprocessReceivesEachMessage() {
        String bpmn = Models.definitions(
                "ereignis",
                "<startEvent id=\"s\"/><userTask id=\"arbeit\"/>"
                        + Models.flow("s", "arbeit")
                        + "<subProcess id=\"sub\" triggeredByEvent=\"true\"><startEvent id=\"es\""
                        + " isInterrupting=\"false\">"
                        + Models.eventOf("zwischenruf")
                        + "</startEvent><userTask id=\"behandeln\"/>"
                        + Models.flow("es", "behandeln")
                        + "</subProcess>");
        deploy("zwischenruf", bpmn);
        String instance = lab.startOrder("ereignis", "e1");
        done(publish("zwischenruf", "e1"));
        done(publish("zwischenruf", "e1"));
        assertThat(tasks(instance, "behandeln")).isEqualTo(2);
        assertThat(tasks(instance, "arbeit")).isEqualTo(1);
    }

    @Test
    void anInterruptingEventSubprocessEndsWhatWasGoingOn() {
        String bpmn = Models.definitions(
                "abbruchteil",
                "<startEvent id=\"s\"/><userTask id=\"arbeit\"/>"
                        + Models.flow("s", "arbeit")
                        + "<subProcess id=\"sub\" triggeredByEvent=\"true\"><startEvent id=\"es\""
                        + " isInterrupting=\"true\">"
                        + Models.eventOf("schluss")
                        + "</startEvent><userTask id=\"aufraeumen\"/>"
                        + Models.flow("es", "aufraeumen")
                        + "</subProcess>");
        deploy("schluss", bpmn);
        String instance = lab.startOrder("abbruchteil", "u1");
        done(publish("schluss", "u1"));
        assertThat(tasks(instance, "aufraeumen")).isEqualTo(1);
        assertThat(tasks(instance, "arbeit")).isZero();
        assertThat(lab.inbox.messageInState(publish("schluss", "u1"), "WAITING").reason())
                .as("it interrupts once")
                .isEqualTo("NO_MATCH");
    }

    @Test
    void aReceiveTaskReceives() {
        String receive = "<receiveTask id=\"warten\">" + Models.eventOf("empfang") + "</receiveTask>";
        deploy("empfang", Models.chain("empfangen", receive, Models.userTask("danach")));
        String instance = lab.startOrder("empfangen", "t1");
        done(publish("empfang", "t1"));
        assertThat(tasks(instance, "danach")).isEqualTo(1);
    }

    @Test
    void theFirstEventOfAGatewayWins_theOtherWaits() {
        lab.node.deployEvents(Map.of("nein.event", Models.event("nein")));
        String bpmn = Models.definitions(
                "weiche",
                "<startEvent id=\"s\"/><eventBasedGateway id=\"g\"/>"
                        + Models.catchEvent("auf-ja", "ja")
                        + Models.catchEvent("auf-nein", "nein")
                        + "<userTask id=\"bejaht\"/><userTask id=\"verneint\"/>"
                        + Models.flow("s", "g")
                        + Models.flow("g", "auf-ja")
                        + Models.flow("g", "auf-nein")
                        + Models.flow("auf-ja", "bejaht")
                        + Models.flow("auf-nein", "verneint"));
        deploy("ja", bpmn);
        String instance = lab.startOrder("weiche", "g1");
        done(publish("nein", "g1"));
        assertThat(tasks(instance, "verneint")).isEqualTo(1);
        assertThat(lab.inbox.messageInState(publish("ja", "g1"), "WAITING").reason())
                .isEqualTo("NO_MATCH");
        assertThat(tasks(instance, "bejaht")).isZero();
    }

    @Test
    void aSubscriptionWithCorrelationWinsOverOneWithout() {
        String all = "<intermediateCatchEvent id=\"alle\"><extensionElements><flowable:eventType>vorrang"
                + "</flowable:eventType></extensionElements></intermediateCatchEvent>";
        String bpmn = Models.definitions(
                "vorrang",
                "<startEvent id=\"s\"/><exclusiveGateway id=\"x\"/>"
                        + Models.flow("s", "x")
                        + all
                        + Models.catchEvent("eigene", "vorrang")
                        + "<sequenceFlow sourceRef=\"x\" targetRef=\"alle\"><conditionExpression>"
                        + "${auftragId == 'alle'}</conditionExpression></sequenceFlow>"
                        + "<sequenceFlow sourceRef=\"x\" targetRef=\"eigene\"><conditionExpression>"
                        + "${auftragId != 'alle'}</conditionExpression></sequenceFlow>"
                        + "<userTask id=\"danach\"/>"
                        + Models.flow("alle", "danach")
                        + Models.flow("eigene", "danach"));
        deploy("vorrang", bpmn);
        String unnamed = lab.startOrder("vorrang", "alle");
        String named = lab.startOrder("vorrang", "v1");
        done(publish("vorrang", "v1"));
        assertThat(lab.tasks(named)).isEqualTo(1);
        assertThat(lab.tasks(unnamed)).isZero();
        done(publish("vorrang", "v2"));
        assertThat(lab.tasks(unnamed)).as("takes what no other names").isEqualTo(1);
    }

    @Test
    void eachDefinitionGetsTheMessageOnce() {
        deploy("beide", Models.chain("beide-a", Models.catchEvent("w", "beide"), Models.userTask("t")));
        lab.node.deployProcess(Models.chain("beide-b", Models.catchEvent("w", "beide"), Models.userTask("t")));
        String a = lab.startOrder("beide-a", "b1");
        String b = lab.startOrder("beide-b", "b1");
        done(publish("beide", "b1"));
        assertThat(lab.tasks(a)).isEqualTo(1);
        assertThat(lab.tasks(b)).isEqualTo(1);
    }

    @Test
    void twoOfOneDefinitionAreAmbiguousAndNobodyIsMoved_alsoNotTheOtherDefinition() {
        deploy("doppelt", Models.chain("doppelt-a", Models.catchEvent("w", "doppelt"), Models.userTask("t")));
        lab.node.deployProcess(Models.chain("doppelt-b", Models.catchEvent("w", "doppelt"), Models.userTask("t")));
        String[] all = {
            lab.startOrder("doppelt-a", "d1"), lab.startOrder("doppelt-a", "d1"), lab.startOrder("doppelt-b", "d1")
        };
        InboxTable.Row row = lab.inbox.messageInState(publish("doppelt", "d1"), "PARKED");
        assertThat(row.reason()).isEqualTo("AMBIGUOUS");
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.error()).contains(all[0], all[1], "activity w").doesNotContain("instance " + all[2] + " ");
        for (String instance : all) {
            assertThat(lab.tasks(instance)).isZero();
        }
    }
}
