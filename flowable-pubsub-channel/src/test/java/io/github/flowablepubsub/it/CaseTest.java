package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;

/** Cases receive as processes do, where there is a CMMN engine. No method or field names a class of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf("isThere")
class CaseTest {

    private static final String EVENT_TYPE =
            """
            <extensionElements>
              <flowable:eventType>%s</flowable:eventType>
              <flowable:eventCorrelationParameter name="auftragId" value="${auftragId}"/>
              <flowable:eventOutParameter source="text" target="text"/>
            </extensionElements>
            """;

    private static final String UNIQUE = "<flowable:startEventCorrelationConfiguration>storeAsUniqueReferenceId"
            + "</flowable:startEventCorrelationConfiguration>";

    private @Nullable CaseLab started;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    static boolean isThere() {
        try {
            return Class.forName("org.flowable.cmmn.engine.CmmnEngine") != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Called by cases. */
    public final class Work {
        /** Waits until it is told to go on. */
        public boolean block() throws InterruptedException {
            begun.countDown();
            return open.await(20, TimeUnit.SECONDS);
        }

        /** Fails. */
        public boolean fail() {
            throw new IllegalStateException("kann nicht");
        }
    }

    @BeforeAll
    void start() {
        CaseLab lab = new CaseLab(Map.of("arbeit", new Work()));
        started = lab;
        for (String channel : List.of("faelle", "nochmal")) {
            lab.server.createTopic(channel);
            lab.server.createSubscription(channel + "-sub", channel);
            lab.node.deployEvents(Map.of(
                    channel + ".channel",
                    Models.channel(
                            channel,
                            channel + "-sub",
                            "{\"retry\": {\"giveUpAfter\": \"PT0S\"}}",
                            "{\"jsonField\": \"typ\"}",
                            "")));
        }
        for (String event : List.of("geliefert", "eroeffnet", "einmal", "beides", "exklusiv", "blockiert")) {
            lab.node.deployEvents(Map.of(event + ".event", Models.event(event)));
        }
        lab.deployCase(waiting("lieferung", "geliefert", "<humanTask id=\"danach\"/>"));
    }

    @AfterAll
    void stop() {
        open.countDown();
        lab().close();
    }

    private CaseLab lab() {
        return Objects.requireNonNull(started);
    }

    private static String caseOf(String key, String extensions, String plan) {
        return """
                <definitions xmlns="http://www.omg.org/spec/CMMN/20151109/MODEL"
                    xmlns:flowable="http://flowable.org/cmmn" targetNamespace="test">
                  <case id="%s">%s<casePlanModel id="plan">%s</casePlanModel></case>
                </definitions>
                """
                .formatted(key, extensions, plan);
    }

    /** A case that stays open, and goes on to this plan item when its event occurs. */
    static String waiting(String key, String event, String next) {
        return caseOf(
                key,
                "",
                """
                <planItem id="i-arbeit" definitionRef="arbeit"/>
                <planItem id="i-warten" definitionRef="warten"/>
                <planItem id="i-danach" definitionRef="danach"><entryCriterion id="k" sentryRef="s"/></planItem>
                <sentry id="s"><planItemOnPart id="p" sourceRef="i-warten">
                  <standardEvent>occur</standardEvent></planItemOnPart></sentry>
                <humanTask id="arbeit"/>
                <eventListener id="warten">%s</eventListener>
                %s
                """
                        .formatted(EVENT_TYPE.formatted(event), next));
    }

    private static String expression(String expression) {
        return "<task id=\"danach\" flowable:type=\"java\" flowable:expression=\"${%s}\"/>".formatted(expression);
    }

    private String publish(String channel, String event, String auftragId) {
        return lab().server
                .publish(
                        channel,
                        "{\"typ\": \"%s\", \"auftragId\": \"%s\", \"text\": \"gut\"}".formatted(event, auftragId),
                        Map.of());
    }

    private String publish(String event, String auftragId) {
        return publish("faelle", event, auftragId);
    }

    private InboxTable.Row done(String messageId) {
        return lab().inbox.messageInState(messageId, "DONE");
    }

    private InboxTable.Row parked(String messageId) {
        return lab().inbox.messageInState(messageId, "PARKED");
    }

    @Test
    void anEventListenerOccursInItsCaseOnly() {
        String instance = lab().startCase("lieferung", "1");
        String other = lab().startCase("lieferung", "2");
        assertThat(done(publish("geliefert", "1")).attempts()).isEqualTo(1);
        assertThat(lab().isPast(instance)).isTrue();
        assertThat(lab().isPast(other)).isFalse();
        assertThat(lab().cases().getVariable(instance, "text")).isEqualTo("gut");
    }

    /** No sweep helps: the case's own subscription wakes the message. */
    @Test
    void aMessageThatCameFirstIsDeliveredWhenTheCaseWaitsForIt() {
        String id = publish("geliefert", "frueh");
        assertThat(lab().inbox.messageInState(id, "WAITING").reason()).isEqualTo("NO_MATCH");
        String instance = lab().startCase("lieferung", "frueh");
        done(id);
        assertThat(lab().isPast(instance)).isTrue();
    }

    @Test
    void anEventStartsACase() {
        lab().deployCase(startedBy("eroeffnung", "eroeffnet", ""));
        done(publish("eroeffnet", "1"));
        done(publish("eroeffnet", "1"));
        assertThat(lab().cases("eroeffnung")).isEqualTo(2);
    }

    private static String startedBy(String key, String event, String more) {
        return caseOf(
                key,
                "<extensionElements><flowable:eventType>%s</flowable:eventType>%s</extensionElements>"
                        .formatted(event, more),
                "<planItem id=\"i\" definitionRef=\"arbeit\"/><humanTask id=\"arbeit\"/>");
    }

    @Test
    void connectors2846_aUniqueCaseIsStartedOnce_alsoWhenTwoChannelsBringIt() {
        lab().deployCase(startedBy("einmalig", "einmal", UNIQUE));
        for (int i = 0; i < 10; i++) {
            publish("faelle", "einmal", "u" + i);
            publish("nochmal", "einmal", "u" + i);
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> lab().inbox
                                .rows("EVENT_KEY_ = 'einmal' and STATE_ = 'DONE'")
                                .size()
                        == 20);
        assertThat(lab().inbox.rows("REASON_ = 'UNIQUE_INSTANCE_EXISTS'")).hasSize(10);
        assertThat(lab().cases("einmalig")).isEqualTo(10);
    }

    /** As another node holds it between the start of the case and its commit. */
    @Test
    void aUniqueCaseThatAnotherTransactionIsStartingIsRetried() throws SQLException {
        lab().deployCase(startedBy("exklusiv", "exklusiv", UNIQUE));
        done(publish("exklusiv", "1"));
        lab().cases()
                .terminateCaseInstance(lab().cases()
                        .createCaseInstanceQuery()
                        .caseDefinitionKey("exklusiv")
                        .singleResult()
                        .getId());
        String id;
        try (Connection other = lab().database.source().getConnection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("select ORDER_KEY_ from FLW_PUBSUB_LANE where ORDER_KEY_ like 'case exklusiv@%' for update");
            id = publish("exklusiv", "1");
            Lab.eventually(
                    "retried",
                    () -> lab().inbox
                                    .rows("MESSAGE_ID_ = '" + id + "' and STATE_ = 'OPEN'"
                                            + " and REASON_ = 'INFRASTRUCTURE_FAILED'")
                                    .size()
                            == 1);
            assertThat(lab().cases("exklusiv")).isZero();
            other.rollback();
        }
        assertThat(done(id).reason()).isNull();
        assertThat(lab().cases("exklusiv")).isEqualTo(1);
    }

    @Test
    void twoCasesOfOneDefinitionAreAmbiguous() {
        String first = lab().startCase("lieferung", "doppelt");
        String second = lab().startCase("lieferung", "doppelt");
        InboxTable.Row row = parked(publish("geliefert", "doppelt"));
        assertThat(row.reason()).isEqualTo("AMBIGUOUS");
        assertThat(row.error())
                .contains(
                        "2 receivers of the same case definition match, 2 instances",
                        "case instance " + first + " business key Auftrag doppelt",
                        "case instance " + second);
        assertThat(lab().isPast(first) || lab().isPast(second)).isFalse();
    }

    @Test
    void processAndCaseOfOneNameEachGetTheMessage_orNone() {
        lab().deployCase(waiting("paar", "beides", "<humanTask id=\"danach\"/>"));
        lab().deployCase(waiting("fehlerhaft", "beides", expression("arbeit.fail()")));
        lab().node
                .deployProcess(Models.chain("paar", Models.catchEvent("warten", "beides"), Models.userTask("danach")));
        String process = startProcess("paar", "b1");
        String instance = lab().startCase("paar", "b1");
        done(publish("beides", "b1"));
        assertThat(tasks(process)).isEqualTo(1);
        assertThat(lab().isPast(instance)).isTrue();

        String unmoved = startProcess("paar", "b2");
        lab().startCase("fehlerhaft", "b2");
        InboxTable.Row row = parked(publish("beides", "b2"));
        assertThat(row.reason()).isEqualTo("PROCESS_FAILED");
        assertThat(row.error()).contains("kann nicht");
        assertThat(tasks(unmoved)).isZero();
    }

    private String startProcess(String key, String auftragId) {
        return lab().node
                .engine
                .getRuntimeService()
                .startProcessInstanceByKey(key, Map.of("auftragId", auftragId))
                .getId();
    }

    private long tasks(String processInstanceId) {
        return lab().node
                .engine
                .getTaskService()
                .createTaskQuery()
                .processInstanceId(processInstanceId)
                .taskDefinitionKey("danach")
                .count();
    }

    /** Nobody is told that it was delivered to a case that was ended meanwhile. */
    @Test
    void aCaseThatEndsDuringTheDeliveryIsGone() throws InterruptedException {
        lab().deployCase(waiting("langsam", "blockiert", expression("arbeit.block()")));
        String instance = lab().startCase("langsam", "1");
        String id = publish("blockiert", "1");
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        lab().cases().terminateCaseInstance(instance);
        open.countDown();
        assertThat(parked(id).reason()).isEqualTo("SUBSCRIPTION_GONE");
    }
}
