package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.crash.LogLines;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.flowable.job.api.Job;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code policy.buffer.alarmAfter}, on two nodes and a database where everything is different; one subclass each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AlarmContract {

    private final TestDatabase kind;
    private @Nullable Lab started;
    private @Nullable Node second;

    AlarmContract(TestDatabase kind) {
        this.kind = kind;
    }

    private Lab lab() {
        return Objects.requireNonNull(started);
    }

    private Jobs jobs() {
        return new Jobs(lab());
    }

    @BeforeAll
    void start() {
        started = Lab.start(kind.createHostile(), Map.of());
        lab().node.deployProcess(Models.PROCESS);
        lab().channel("bald", "{\"buffer\": {\"alarmAfter\": \"PT0.2S\"}}");
        lab().channel("ohne", "{\"buffer\": {\"alarmAfter\": \"PT0.2S\"}, \"parking\": {\"deadLetterJob\": false}}");
        second = lab().anotherNode();
    }

    @AfterAll
    void stop() {
        Objects.requireNonNull(second).close();
        lab().close();
    }

    private void sql(String statement) {
        assertThat(lab().inbox.sql(statement)).isEqualTo(1);
    }

    private InboxTable.Row row(long id) {
        return lab().inbox.rows("ID_ = " + id).get(0);
    }

    private long alarmed(long id) {
        return lab().database
                .count("FLW_PUBSUB_INBOX", "STATE_ = 'WAITING' and ALARMED_AT_ is not null and ID_ = " + id);
    }

    private String alarmedAt(long id) {
        return lab().database
                .strings("select concat('', ALARMED_AT_) from FLW_PUBSUB_INBOX where ID_ = " + id)
                .get(0);
    }

    private InboxTable.Row alarmed(String channel, String order) {
        InboxTable.Row row =
                lab().inbox.messageInState(lab().publish(channel, Models.completion(order, 4711)), "WAITING");
        Lab.eventually("alarm of " + row, () -> alarmed(row.id()) == 1);
        return row(row.id());
    }

    private Job timer(long row) {
        Lab.eventually("a job of row " + row, () -> jobs().idOf(row) != null && jobs().count(row) == 1);
        return Objects.requireNonNull(
                jobs().management()
                        .createTimerJobQuery()
                        .jobId(Objects.requireNonNull(jobs().idOf(row)))
                        .singleResult(),
                "no timer job");
    }

    @Test
    void raisedOnceItIsATimerJobThatTellsAllButTheBody_andTheMessageWaitsOn() {
        try (LogLines lines = new LogLines()) {
            InboxTable.Row row = alarmed("bald", "einmal");
            assertThat(row.reason()).isEqualTo("NO_MATCH");
            Job job = timer(row.id());
            assertThat(job.getDuedate()).isAfter(Date.from(Instant.now().plus(Duration.ofDays(6))));
            assertThat(job.getElementId()).isEqualTo("bald");
            assertThat(job.getElementName()).isEqualTo("auftragAbgeschlossen");
            assertThat(job.getExceptionMessage())
                    .startsWith("NO_MATCH: No subscription for event auftragAbgeschlossen");
            assertThat(jobs().management().getTimerJobExceptionStacktrace(job.getId()))
                    .contains("waits", "bald", row.messageId(), "einmal", "Waiting since", "Expires")
                    .doesNotContain("4711");
            String when = alarmedAt(row.id());
            lookNow(row, job);
            assertThat(alarmedAt(row.id())).isEqualTo(when);
            List<String> told = lines.all().stream()
                    .filter(line -> line.startsWith("WARN") && line.contains(row.messageId()))
                    .toList();
            assertThat(told).hasSize(1);
            assertThat(told.get(0))
                    .contains("waits since", "goes on until", "channel bald", "key einmal", "move its timer job")
                    .doesNotContain("4711");
        }
    }

    /** Moves the job, and waits for the row to be looked at in vain: it goes on waiting, with another job. */
    private void lookNow(InboxTable.Row row, Job job) {
        jobs().management().moveTimerToExecutableJob(job.getId());
        Lab.eventually(
                "a look",
                () -> row(row.id()).attempts() > row.attempts()
                        && alarmed(row.id()) == 1
                        && !job.getId().equals(jobs().idOf(row.id())));
        assertThat(timer(row.id()).getDuedate()).as("the same end").isEqualTo(job.getDuedate());
    }

    @Test
    void deliveredLaterItLosesItsJobWithTheSameCommit() {
        InboxTable.Row row = alarmed("bald", "spaet");
        timer(row.id());
        String instance = lab().startOrder("auftrag-ausfuehrung", "spaet");
        lab().inbox.messageInState(row.messageId(), "DONE");
        assertThat(jobs().idOf(row.id())).isNull();
        assertThat(jobs().count(row.id())).isZero();
        assertThat(lab().tasks(instance)).isEqualTo(1);
        assertThat(lab().database
                        .count(
                                "FLW_PUBSUB_INBOX",
                                "ALARMED_AT_ is null and WAITING_SINCE_ is null and ID_ = " + row.id()))
                .isEqualTo(1);
    }

    @Test
    void movedWhenItsReceiverIsThereUnheardItIsDelivered() {
        InboxTable.Row row = alarmed("bald", "ungehoert");
        Job job = timer(row.id());
        lab().database.update("delete from FLW_PUBSUB_MATCH_KEY where INBOX_ID_ = " + row.id());
        String instance = lab().startOrder("auftrag-ausfuehrung", "ungehoert");
        assertThat(row(row.id()).state()).isEqualTo("WAITING");
        jobs().management().moveTimerToExecutableJob(job.getId());
        lab().inbox.messageInState(row.messageId(), "DONE");
        assertThat(lab().tasks(instance)).isEqualTo(1);
        jobs().awaitNone(row.id());
    }

    @Test
    void expiredLaterItIsParkedWithADeadLetterJobInstead() {
        InboxTable.Row row = alarmed("bald", "abgelaufen");
        String timer = timer(row.id()).getId();
        sql(
                "update FLW_PUBSUB_INBOX set EXPIRES_AT_ = CURRENT_TIMESTAMP, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP where ID_ = "
                        + row.id());
        lab().inbox.messageInState(row.messageId(), "PARKED");
        assertThat(jobs().count(row.id())).isEqualTo(1);
        Job job = jobs().deadLetter(row.id());
        assertThat(job.getId()).isNotEqualTo(timer);
        assertThat(job.getExceptionMessage()).startsWith("NO_MATCH").contains("time to live");
    }

    @Test
    void deletedItIsDiscardedByWhoDidIt_alsoWhenItIsAboutToBeLookedAt() {
        InboxTable.Row waits = alarmed("bald", "weg");
        InboxTable.Row opened = alarmed("bald", "geoeffnet");
        String job = timer(opened.id()).getId();
        lab().node.engine.getIdentityService().setAuthenticatedUserId("erika");
        try {
            jobs().management().deleteTimerJob(timer(waits.id()).getId());
            jobs().management().executeCommand(context -> {
                assertThat(InboxSession.of(context).due().open(List.of(opened.id())))
                        .isEqualTo(1);
                jobs().management().deleteTimerJob(job);
                return null;
            });
        } finally {
            lab().node.engine.getIdentityService().setAuthenticatedUserId(null);
        }
        for (InboxTable.Row row : List.of(waits, opened)) {
            assertThat(lab().inbox
                            .rows("ID_ = " + row.id() + " and FINISHED_BY_ = 'erika' and FINISHED_AT_ is not null"))
                    .extracting(InboxTable.Row::state)
                    .containsExactly("DISCARDED");
            assertThat(jobs().count(row.id())).isZero();
        }
    }

    @Test
    void whateverPlainSqlDoesItsJobFollows() {
        InboxTable.Row discarded = alarmed("bald", "verworfen");
        InboxTable.Row parked = alarmed("bald", "geparkt");
        InboxTable.Row deleted = alarmed("bald", "geloescht");
        InboxTable.Row jobless = alarmed("bald", "ohneJob");
        InboxTable.Row repaired = alarmed("bald", "repariert");
        List<String> timers = Stream.of(discarded, parked, deleted, jobless, repaired)
                .map(row -> timer(row.id()).getId())
                .toList();
        sql("update FLW_PUBSUB_INBOX set STATE_ = 'DISCARDED' where ID_ = " + discarded.id());
        sql("update FLW_PUBSUB_INBOX set STATE_ = 'PARKED' where ID_ = " + parked.id());
        sql("delete from FLW_PUBSUB_INBOX where ID_ = " + deleted.id());
        sql("delete from ACT_RU_TIMER_JOB where ID_ = '" + timers.get(3) + "'");
        String before = alarmedAt(repaired.id());
        sql("update FLW_PUBSUB_INBOX set STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP where ID_ = "
                + repaired.id());
        jobs().awaitNone(discarded.id());
        jobs().awaitNone(deleted.id());
        Lab.eventually(
                "a dead-letter job instead",
                () -> jobs().count(parked.id()) == 1
                        && !timers.get(1).equals(Objects.requireNonNullElse(jobs().idOf(parked.id()), timers.get(1))));
        assertThat(jobs().deadLetter(parked.id()).getExceptionMessage()).startsWith("NO_MATCH");
        Lab.eventually("another timer job", () -> jobs().count(jobless.id()) == 1);
        assertThat(timer(jobless.id()).getId()).isNotEqualTo(timers.get(3));
        Lab.eventually("another alarm", () -> alarmed(repaired.id()) == 1 && !before.equals(alarmedAt(repaired.id())));
        assertThat(row(discarded.id()).state()).isEqualTo("DISCARDED");
    }

    /** The one before it raises the alarm, the one behind does not. */
    @Test
    void withoutAJobWhereNoneIsWanted_whileSuspended_andNotAtAllWhenHeldBack() {
        InboxTable.Row none = alarmed("ohne", "still");
        String held = lab().publish("ohne", Models.completion("still", 2));
        InboxTable.Row behind = lab().inbox.messageInState(held, "WAITING");
        assertThat(behind.reason()).isEqualTo("HELD_BACK");
        String instance = lab().startOrder("auftrag-ausfuehrung", "ruht");
        lab().node.engine.getRuntimeService().suspendProcessInstanceById(instance);
        InboxTable.Row suspended = alarmed("bald", "ruht");
        assertThat(suspended.reason()).isEqualTo("SUSPENDED");
        assertThat(alarmed(behind.id())).isZero();
        for (InboxTable.Row row : List.of(none, behind, suspended)) {
            assertThat(jobs().count(row.id())).as(row.toString()).isZero();
        }
        lab().node.engine.getRuntimeService().activateProcessInstanceById(instance);
        lab().inbox.messageInState(suspended.messageId(), "DONE");
    }

    /** Flowable keeps it as a timer job until it tries again. A copy that belongs to no row tells when the walk was there. */
    @Test
    void aMovedJobOfAParkedMessageThatFailedIsLeftToTheExecutor() {
        InboxTable.Row parked = lab().inbox.messageInState(lab().publish("bald", "kaputt"), "PARKED");
        String job = jobs().awaitDeadLetter(parked.id()).getId();
        for (String id : List.of("'" + job + "'", "'copy'")) {
            sql(
                    "insert into ACT_RU_TIMER_JOB (ID_, REV_, TYPE_, EXCLUSIVE_, RETRIES_, DUEDATE_, HANDLER_TYPE_, HANDLER_CFG_,"
                            + " CORRELATION_ID_, TENANT_ID_, CREATE_TIME_) select " + id
                            + ", REV_, TYPE_, EXCLUSIVE_, 3, timestamp '2037-01-01 00:00:00', HANDLER_TYPE_, HANDLER_CFG_,"
                            + " CORRELATION_ID_, TENANT_ID_, CREATE_TIME_ from ACT_RU_DEADLETTER_JOB where ID_ = '"
                            + job
                            + "'");
        }
        sql("delete from ACT_RU_DEADLETTER_JOB where ID_ = '" + job + "'");
        Lab.eventually("the walk was there", () -> lab().database.count("ACT_RU_TIMER_JOB", "ID_ = 'copy'") == 0);
        assertThat(lab().database.count("ACT_RU_TIMER_JOB", "ID_ = '" + job + "'"))
                .isEqualTo(1);
        assertThat(jobs().idOf(parked.id())).isEqualTo(job);
    }
}
