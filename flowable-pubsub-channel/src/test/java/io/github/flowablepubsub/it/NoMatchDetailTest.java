package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a parked {@code NO_MATCH} tells of its key: where the instance is, when it ended, who was served before. */
class NoMatchDetailTest {

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"H2", "POSTGRES", "MARIADB"})
    void whatIsKnownOfTheKeyStandsInTheRow(TestDatabase kind) {
        try (Lab lab = Lab.start(kind)) {
            lab.node.deployEvents(Map.of("f.event", Models.event("auftragBegonnen")));
            lab.channel("ohne", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}", Lab.FIXED);
            lab.node.deployProcess(Models.chain(
                    "warten", Models.userTask("pruefen"), Models.catchEvent("abschluss", "auftragAbgeschlossen")));
            lab.node.deployProcess(Models.chain("begonnen", Models.catchEvent("beginn", "auftragBegonnen")));
            var runtime = lab.node.engine.getRuntimeService();

            assertThat(detail(lab, "n1"))
                    .contains("No subscription for event auftragAbgeschlossen that matches; its time to live of PT0S")
                    .endsWith("Nothing is known of key n1: no process instance has it as business key, none waits for"
                            + " another event with it, and no message of this event was delivered with it");

            String running = runtime.startProcessInstanceByKey("warten", "k1", Map.of("auftragId", "k1"))
                    .getId();
            assertThat(detail(lab, "k1"))
                    .endsWith("Known of key k1: process instance " + running
                            + " of warten has it as business key and is at pruefen");

            String elsewhere = runtime.startProcessInstanceByKey("begonnen", Map.of("auftragId", "k2"))
                    .getId();
            assertThat(detail(lab, "k2"))
                    .endsWith("Known of key k2: process instance " + elsewhere
                            + " waits at activity beginn for event auftragBegonnen with this key");

            String done = runtime.startProcessInstanceByKey("warten", "k3", Map.of("auftragId", "k3"))
                    .getId();
            lab.node
                    .engine
                    .getTaskService()
                    .complete(lab.node
                            .engine
                            .getTaskService()
                            .createTaskQuery()
                            .processInstanceId(done)
                            .singleResult()
                            .getId());
            String first = lab.publish("ohne", Models.completion("k3", 1));
            lab.inbox.messageInState(first, "DONE");
            assertThat(detail(lab, "k3"))
                    .contains("Known of key k3: message " + first + " of this event and key was delivered on 2")
                    .contains(
                            "; process instance " + done + " of warten had it as business key and ended at activity ");

            String deleted = runtime.startProcessInstanceByKey("warten", "k4", Map.of("auftragId", "k4"))
                    .getId();
            runtime.deleteProcessInstance(deleted, "storniert");
            assertThat(detail(lab, "k4"))
                    .contains("process instance " + deleted
                            + " of warten had it as business key and was deleted (storniert) on 2");
        }
    }

    private static String detail(Lab lab, String key) {
        InboxTable.Row row = lab.inbox.messageInState(lab.publish("ohne", Models.completion(key, 2)), "PARKED");
        assertThat(row.reason()).isEqualTo("NO_MATCH");
        return String.valueOf(row.error());
    }

    /** A key with an endless past costs no more. */
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRES"})
    void onlyTheNewestMessagesOfAKeyAreLookedAt(TestDatabase kind) {
        try (Lab lab = Lab.start(kind)) {
            lab.channel("ohne", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}", Lab.FIXED);
            lab.node.deployProcess(Models.chain("warten", Models.catchEvent("abschluss", "auftragAbgeschlossen")));
            lab.startOrder("warten", "viel");
            lab.inbox.messageInState(lab.publish("ohne", Models.completion("viel", 1)), "DONE");
            lab.inbox.messageInState(lab.publish("ohne", Models.completion("viel", 2)), "PARKED");
            String columns = "CHANNEL_KEY_, BODY_HASH_, EVENT_KEY_, CORRELATION_KEY_, ORDER_KEY_, STATE_, REASON_,"
                    + " ATTRIBUTES_, PUBLISHED_AT_, RECEIVED_AT_";
            lab.inbox.sql("insert into FLW_PUBSUB_INBOX (MESSAGE_ID_, " + columns + ") select concat('x', g), "
                    + columns + " from FLW_PUBSUB_INBOX cross join generate_series(1, 200) g where STATE_ = 'PARKED'");
            assertThat(detail(lab, "viel"))
                    .as("the delivered one is too long ago")
                    .contains("Nothing is known")
                    .doesNotContain("was delivered on");
        }
    }
}
