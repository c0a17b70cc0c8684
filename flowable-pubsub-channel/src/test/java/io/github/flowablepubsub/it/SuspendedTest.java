package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.Map;
import org.flowable.engine.RuntimeService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A receiver that is suspended: its message waits, woken by the activation, however long it takes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuspendedTest {

    private final Lab lab = Lab.start(TestDatabase.POSTGRES);
    private final RuntimeService runtime = lab.node.engine.getRuntimeService();

    @BeforeAll
    void start() {
        lab.channel("warten", "{}")
                .channel("sofort", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}")
                .channel("starten", "{}", "{\"fixedValue\": \"bestellung\"}");
        lab.node.deployEvents(Map.of("b.event", Models.event("bestellung")));
        lab.node.deployProcess(
                Models.chain("p1", Models.catchEvent("warten", "auftragAbgeschlossen"), Models.userTask("danach")));
        lab.node.deployProcess(
                Models.chain("p2", Models.catchEvent("warten", "auftragAbgeschlossen"), Models.userTask("danach")));
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private InboxTable.Row suspended(String channel, String order) {
        InboxTable.Row row = lab.inbox.messageInState(lab.publish(channel, Models.completion(order, 1)), "WAITING");
        assertThat(row.reason()).as(row.toString()).isEqualTo("SUSPENDED");
        return row;
    }

    private void done(InboxTable.Row row) {
        lab.inbox.messageInState(row.messageId(), "DONE");
        assertThat(lab.database.count("FLW_PUBSUB_MATCH_KEY", "INBOX_ID_ = " + row.id()))
                .isZero();
    }

    private String suspendedOrder(String process, String order) {
        String instance = lab.startOrder(process, order);
        runtime.suspendProcessInstanceById(instance);
        return instance;
    }

    /** It has no time to live, not even where nothing is buffered: its receiver is there. */
    @Test
    void anInstanceIsWaitedForUntilItIsActivated() {
        String instance = suspendedOrder("p1", "s1");
        InboxTable.Row row = suspended("sofort", "s1");
        assertThat(row.error()).contains("Process instance " + instance, "activity warten", "is suspended");
        assertThat(lab.database.count(
                        "FLW_PUBSUB_INBOX",
                        "EXPIRES_AT_ is null and FAILED_SINCE_ is null and NEXT_ATTEMPT_ > CURRENT_TIMESTAMP"
                                + " + interval '29' minute and ID_ = " + row.id()))
                .isEqualTo(1);
        runtime.activateProcessInstanceById(instance);
        done(row);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void twoDefinitionsAllOrNone() {
        String active = lab.startOrder("p1", "s2");
        String asleep = suspendedOrder("p2", "s2");
        InboxTable.Row row = suspended("warten", "s2");
        assertThat(row.error()).contains("Process instance " + asleep, "1 more receivers");
        assertThat(lab.tasks(active) + lab.tasks(asleep)).isZero();
        runtime.activateProcessInstanceById(asleep);
        done(row);
        assertThat(lab.tasks(active)).isEqualTo(1);
        assertThat(lab.tasks(asleep)).isEqualTo(1);
    }

    @Test
    void suspendedOrNotTwoOfOneDefinitionAreAmbiguous() {
        lab.startOrder("p1", "s3");
        suspendedOrder("p1", "s3");
        String id = lab.publish("warten", Models.completion("s3", 1));
        assertThat(lab.inbox.messageInState(id, "PARKED").reason()).isEqualTo("AMBIGUOUS");
    }

    /** What a crash of the node between activation and wake-up leaves behind: the engine's table says active, nobody told. */
    @Test
    void anActivationThatNobodyHeardOfIsFoundByHousekeeping() {
        String instance = suspendedOrder("p1", "s4");
        String other = suspendedOrder("p1", "s4b");
        InboxTable.Row row = suspended("warten", "s4");
        InboxTable.Row stillSuspended = suspended("warten", "s4b");
        lab.database.update(
                "update ACT_RU_EXECUTION set SUSPENSION_STATE_ = 1 where PROC_INST_ID_ = '" + instance + "'");
        done(row);
        assertThat(lab.inbox.rows("ID_ = " + stillSuspended.id()).get(0).attempts())
                .as("those still suspended are left alone")
                .isEqualTo(1);
        runtime.activateProcessInstanceById(other);
        done(stillSuspended);
    }

    @Test
    void aSuspendedInstanceThatIsDeletedLeavesTheMessageToTheNextOne() {
        String instance = suspendedOrder("p1", "s5");
        InboxTable.Row row = suspended("warten", "s5");
        runtime.deleteProcessInstance(instance, "weg damit");
        Lab.eventually("it waits for a subscription again", () -> "NO_MATCH"
                .equals(lab.inbox.rows("ID_ = " + row.id()).get(0).reason()));
        String next = lab.startOrder("p1", "s5");
        done(row);
        assertThat(lab.tasks(next)).isEqualTo(1);
    }

    @Test
    void aRepairLooksAgain_andLeavesNoMatchKeys() {
        String instance = suspendedOrder("p1", "s6");
        InboxTable.Row row = suspended("warten", "s6");
        String repair = "UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0,"
                + " NEXT_ATTEMPT_ = CURRENT_TIMESTAMP WHERE ID_ = " + row.id();
        lab.database.update("update FLW_PUBSUB_INBOX set LAST_ERROR_ = 'vorher' where ID_ = " + row.id());
        lab.inbox.sql(repair);
        Lab.eventually("looked at", () -> {
            InboxTable.Row now = lab.inbox.rows("ID_ = " + row.id()).get(0);
            return now.state().equals("WAITING") && String.valueOf(now.error()).contains("is suspended");
        });
        lab.database.update(
                "update ACT_RU_EXECUTION set SUSPENSION_STATE_ = 1 where PROC_INST_ID_ = '" + instance + "'");
        lab.inbox.sql(repair);
        done(row);
    }

    /** The younger message of the same event stays behind the one that waits, and is delivered after it. */
    @Test
    void theOrderIsKept() {
        lab.node.deployProcess(Models.chain(
                "zweimal",
                Models.catchEvent("erst", "auftragAbgeschlossen"),
                Models.catchEvent("dann", "auftragAbgeschlossen"),
                Models.userTask("danach")));
        String instance = suspendedOrder("zweimal", "s7");
        InboxTable.Row first = suspended("warten", "s7");
        String second = lab.publish("warten", Models.completion("s7", 2));
        assertThat(lab.inbox.messageInState(second, "WAITING").reason()).isEqualTo("HELD_BACK");
        runtime.activateProcessInstanceById(instance);
        done(first);
        lab.inbox.messageInState(second, "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void aSuspendedDefinitionStopsItsStartsButNotItsInstances() {
        lab.node.deployProcess(Models.definitions(
                "bestellen",
                "<startEvent id=\"s\"><extensionElements><flowable:eventType>bestellung</flowable:eventType>"
                        + "</extensionElements></startEvent><userTask id=\"danach\"/>" + Models.flow("s", "danach")));
        lab.node.engine.getRepositoryService().suspendProcessDefinitionByKey("bestellen");
        String id = lab.publish("starten", "{\"auftragId\": \"s8\", \"text\": \"neu\"}");
        InboxTable.Row row = lab.inbox.messageInState(id, "WAITING");
        assertThat(row.reason()).isEqualTo("SUSPENDED");
        assertThat(row.error()).contains("Process definition bestellen:1:", "would start");
        lab.node.engine.getRepositoryService().activateProcessDefinitionByKey("bestellen");
        done(row);
        assertThat(lab.tasksOf("bestellen")).isEqualTo(1);

        String running = lab.startOrder("p2", "s9");
        lab.node.engine.getRepositoryService().suspendProcessDefinitionByKey("p2");
        try {
            lab.inbox.messageInState(lab.publish("warten", Models.completion("s9", 1)), "DONE");
            assertThat(lab.tasks(running)).isEqualTo(1);
        } finally {
            lab.node.engine.getRepositoryService().activateProcessDefinitionByKey("p2");
        }
    }
}
