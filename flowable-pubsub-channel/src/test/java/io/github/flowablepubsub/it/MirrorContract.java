package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.flowable.job.api.Job;
import org.flowable.job.service.impl.asyncexecutor.AsyncExecutor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Parked messages as dead-letter jobs, on two nodes and a database where everything is different; one subclass each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MirrorContract {

    private static final String REPAIR =
            "UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP WHERE ID_ = ";

    private static final int MANY = 300;

    private final TestDatabase kind;
    private @Nullable Lab started;
    private @Nullable Node second;

    MirrorContract(TestDatabase kind) {
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
        lab().channel("sofort", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}");
        lab().channel("ohne", "{\"buffer\": {\"timeToLive\": \"PT0S\"}, \"parking\": {\"deadLetterJob\": false}}");
        lab().channel("wartet", "{\"buffer\": {\"timeToLive\": \"PT0S\"}, \"parking\": {\"laterMessages\": \"wait\"}}");
        lab().channel(
                        "gemischt",
                        "{\"buffer\": {\"timeToLive\": \"PT0S\"},"
                                + " \"events\": {\"🚀\": {\"parking\": {\"deadLetterJob\": false}}}}",
                        "{\"jsonField\": \"typ\"}");
        lab().channel(
                        "geschaeft",
                        "{\"deduplication\": {\"key\": \"attribute:ereignis\"}, \"buffer\": {\"timeToLive\": \"PT0S\"}}");
        second = lab().anotherNode();
    }

    @AfterAll
    void stop() {
        Objects.requireNonNull(second).close();
        lab().close();
    }

    private InboxTable.Row parked(String channel, String order) {
        return lab().inbox.messageInState(lab().publish(channel, Models.completion(order, 1)), "PARKED");
    }

    private void sql(String statement) {
        assertThat(lab().inbox.sql(statement)).isEqualTo(1);
    }

    private String state(long row) {
        return lab().inbox.rows("ID_ = " + row).get(0).state();
    }

    @Test
    void aParkedMessageIsADeadLetterJobThatTellsAllButTheBody() {
        String message = lab().publish(
                        "sofort", ByteString.copyFromUtf8(Models.completion("Ä-1", 4711)), Map.of("herkunft", "Lager"));
        InboxTable.Row row = lab().inbox.messageInState(message, "PARKED");
        Job job = jobs().deadLetter(row.id());
        assertThat(job.getExceptionMessage()).startsWith("NO_MATCH: No subscription for event auftragAbgeschlossen");
        assertThat(job.getElementId()).isEqualTo("sofort");
        assertThat(job.getElementName()).isEqualTo("auftragAbgeschlossen");
        assertThat(job.getJobHandlerConfiguration()).isEqualTo(String.valueOf(row.id()));
        assertThat(job.getTenantId()).isEmpty();
        assertThat(job.getRetries()).isZero();
        assertThat(jobs().management().getDeadLetterJobExceptionStacktrace(job.getId()))
                .contains("sofort", message, "Ä-1", "NO_MATCH", "herkunft", "Lager", "time to live")
                .doesNotContain("4711");
    }

    @Test
    void movedItIsTriedAgain_andTheJobIsGone() {
        String kept = lab().startOrder("auftrag-ausfuehrung", "zweimal");
        String removed = lab().startOrder("auftrag-ausfuehrung", "zweimal");
        InboxTable.Row row = parked("sofort", "zweimal");
        lab().node.engine.getRuntimeService().deleteProcessInstance(removed, "doppelt");
        jobs().management()
                .moveDeadLetterJobToExecutableJob(jobs().deadLetter(row.id()).getId(), 3);
        assertThat(lab().inbox.messageInState(row.messageId(), "DONE").attempts())
                .as("as if it were new")
                .isEqualTo(1);
        assertThat(lab().tasks(kept)).isEqualTo(1);
        jobs().awaitNone(row.id());
    }

    @Test
    void movedInVainItIsParkedAgainWithAnotherJob() {
        InboxTable.Row row = parked("sofort", "vergeblich");
        String first = jobs().deadLetter(row.id()).getId();
        jobs().management().moveDeadLetterJobToExecutableJob(first, 3);
        Lab.eventually("another job", () -> !first.equals(Objects.requireNonNullElse(jobs().idOf(row.id()), first)));
        assertThat(state(row.id())).isEqualTo("PARKED");
        assertThat(jobs().awaitDeadLetter(row.id()).getExceptionMessage()).startsWith("NO_MATCH");
    }

    @Test
    void whereNoExecutorRunsAMovedJobIsDoneAllTheSame() {
        InboxTable.Row row = parked("sofort", "ohneExecutor");
        String first = jobs().deadLetter(row.id()).getId();
        withoutExecutors(() -> {
            jobs().management().moveDeadLetterJobToExecutableJob(first, 3);
            Lab.eventually(
                    "another job", () -> !first.equals(Objects.requireNonNullElse(jobs().idOf(row.id()), first)));
            assertThat(jobs().count(row.id())).isEqualTo(1);
        });
    }

    private void withoutExecutors(Runnable work) {
        List<AsyncExecutor> executors = Stream.of(lab().node, Objects.requireNonNull(second))
                .map(node -> (ProcessEngineConfigurationImpl) node.engine.getProcessEngineConfiguration())
                .map(ProcessEngineConfigurationImpl::getAsyncExecutor)
                .toList();
        executors.forEach(AsyncExecutor::shutdown);
        try {
            work.run();
        } finally {
            executors.forEach(AsyncExecutor::start);
        }
    }

    @Test
    void deletedItIsDiscardedByWhoDidIt_inOneTransaction() {
        InboxTable.Row row = parked("sofort", "weg");
        String job = jobs().deadLetter(row.id()).getId();
        assertThatThrownBy(() -> jobs().management().executeCommand(context -> {
                    jobs().management().deleteDeadLetterJob(job);
                    throw new IllegalStateException("doch nicht");
                }))
                .hasMessageContaining("doch nicht");
        assertThat(state(row.id())).isEqualTo("PARKED");
        assertThat(jobs().deadLetter(row.id()).getId()).isEqualTo(job);
        lab().node.engine.getIdentityService().setAuthenticatedUserId("erika");
        try {
            jobs().management().deleteDeadLetterJob(job);
        } finally {
            lab().node.engine.getIdentityService().setAuthenticatedUserId(null);
        }
        assertThat(lab().inbox.rows("ID_ = " + row.id() + " and FINISHED_BY_ = 'erika' and FINISHED_AT_ is not null"))
                .extracting(InboxTable.Row::state, InboxTable.Row::reason)
                .containsExactly(Tuple.tuple("DISCARDED", "NO_MATCH"));
        assertThat(jobs().idOf(row.id())).isNull();
        assertThat(jobs().count(row.id())).isZero();
    }

    @Test
    void repairedBySqlItIsDeliveredAndItsJobGoesWithTheSameCommit() {
        InboxTable.Row row = parked("sofort", "sql");
        assertThat(jobs().count(row.id())).isEqualTo(1);
        lab().startOrder("auftrag-ausfuehrung", "sql");
        sql(REPAIR + row.id());
        lab().inbox.messageInState(row.messageId(), "DONE");
        assertThat(jobs().idOf(row.id())).isNull();
        assertThat(jobs().count(row.id())).isZero();
    }

    @Test
    void aMovedJobOfARowThatWasRepairedMeanwhileDoesNothing() {
        InboxTable.Row row = parked("sofort", "beides");
        String job = jobs().deadLetter(row.id()).getId();
        lab().startOrder("auftrag-ausfuehrung", "beides");
        withoutExecutors(() -> {
            jobs().management().moveDeadLetterJobToExecutableJob(job, 3);
            sql(REPAIR + row.id());
            lab().inbox.messageInState(row.messageId(), "DONE");
            jobs().awaitNone(row.id());
        });
        assertThat(lab().inbox.rows("ID_ = " + row.id()))
                .extracting(InboxTable.Row::state, InboxTable.Row::attempts)
                .containsExactly(Tuple.tuple("DONE", 1));
    }

    @Test
    void discardedOrDeletedBySqlItLosesItsJob() {
        InboxTable.Row discarded = parked("sofort", "verworfen");
        InboxTable.Row deleted = parked("sofort", "geloescht");
        assertThat(jobs().count(discarded.id()) + jobs().count(deleted.id())).isEqualTo(2);
        sql("update FLW_PUBSUB_INBOX set STATE_ = 'DISCARDED' where ID_ = " + discarded.id());
        sql("delete from FLW_PUBSUB_INBOX where ID_ = " + deleted.id());
        jobs().awaitNone(discarded.id());
        jobs().awaitNone(deleted.id());
        assertThat(state(discarded.id())).isEqualTo("DISCARDED");
    }

    @Test
    void aParkedRowWhoseJobWasDeletedBySqlGetsAnotherOne() {
        InboxTable.Row row = parked("sofort", "ohneJob");
        String job = jobs().deadLetter(row.id()).getId();
        sql("delete from ACT_RU_DEADLETTER_JOB where ID_ = '" + job + "'");
        Lab.eventually("another job", () -> jobs().count(row.id()) == 1);
        assertThat(jobs().awaitDeadLetter(row.id()).getId()).isNotEqualTo(job);
    }

    @Test
    void bothNodesTogetherGiveEachRowThatSqlHasParkedOneJob() {
        InboxTable.Row row = parked("ohne", "vorlage");
        for (int i = 0; i < MANY; i++) {
            sql("insert into FLW_PUBSUB_INBOX (CHANNEL_KEY_, MESSAGE_ID_, BODY_HASH_, ORDER_KEY_, STATE_, ATTEMPTS_,"
                    + " ATTRIBUTES_, PUBLISHED_AT_, RECEIVED_AT_) select 'sofort', 'viele" + i
                    + "', BODY_HASH_, 'viele',"
                    + " 'PARKED', 1, '{}', PUBLISHED_AT_, RECEIVED_AT_ from FLW_PUBSUB_INBOX where ID_ = " + row.id());
        }
        Lab.eventually(
                "all have one",
                () -> lab().database.count("FLW_PUBSUB_INBOX", "ORDER_KEY_ = 'viele' and JOB_ID_ is null") == 0);
        List<String> rows = lab().database.strings("select ID_ from FLW_PUBSUB_INBOX where ORDER_KEY_ = 'viele'");
        assertThat(lab().database
                        .strings("select j.HANDLER_CFG_ from ACT_RU_DEADLETTER_JOB j join FLW_PUBSUB_INBOX i"
                                + " on i.JOB_ID_ = j.ID_ where i.ORDER_KEY_ = 'viele'"))
                .containsExactlyInAnyOrderElementsOf(rows);
        assertThat(lab().database.strings("select HANDLER_CFG_ from ACT_RU_DEADLETTER_JOB"))
                .doesNotHaveDuplicates();
        assertThat(jobs().deadLetter(Long.parseLong(rows.get(0))).getExceptionMessage())
                .isEqualTo("PARKED: no error is known");
    }

    /** The last row is parked after the others: when it has its job, they were looked at, too. */
    @Test
    void channelsAndEventsThatWantNoneHaveNone_whateverTheirKeysAreMadeOf() {
        InboxTable.Row none = parked("ohne", "keiner");
        String rocket = lab().publish("gemischt", "{\"typ\": \"🚀\", \"auftragId\": \"1\"}");
        String moon = lab().publish("gemischt", "{\"typ\": \"🌙\", \"auftragId\": \"1\"}");
        InboxTable.Row without = lab().inbox.messageInState(rocket, "PARKED");
        InboxTable.Row with = lab().inbox.messageInState(moon, "PARKED");
        assertThat(jobs().awaitDeadLetter(with.id()).getElementName()).isEqualTo("\uFFFD");
        InboxTable.Row last = parked("sofort", "danach");
        sql("update FLW_PUBSUB_INBOX set JOB_ID_ = null where ID_ = " + last.id());
        Lab.eventually("healed", () -> jobs().idOf(last.id()) != null);
        assertThat(jobs().idOf(none.id())).isNull();
        assertThat(jobs().idOf(without.id())).isNull();
        assertThat(jobs().count(none.id()) + jobs().count(without.id())).isZero();
    }

    @Test
    void aMessageThatIsStoredAsParkedHasItsJobAtOnce() {
        String first =
                lab().publish("geschaeft", ByteString.copyFromUtf8(Models.completion("g", 1)), Map.of("ereignis", "7"));
        lab().inbox.messageInState(first, "PARKED");
        String other =
                lab().publish("geschaeft", ByteString.copyFromUtf8(Models.completion("g", 2)), Map.of("ereignis", "7"));
        Job job = jobs().deadLetter(lab().inbox.messageInState(other, "PARKED").id());
        assertThat(job.getExceptionMessage()).startsWith("DUPLICATE_CONFLICT: ");
    }

    @Test
    void whatAParkedMessageHeldBackGoesOnWhenItsJobIsDeleted() {
        InboxTable.Row first = parked("wartet", "reihe");
        String next = lab().publish("wartet", Models.completion("reihe", 2));
        assertThat(lab().inbox.messageInState(next, "WAITING").reason()).isEqualTo("HELD_BACK");
        lab().startOrder("auftrag-ausfuehrung", "reihe");
        jobs().management().deleteDeadLetterJob(jobs().deadLetter(first.id()).getId());
        lab().inbox.messageInState(next, "DONE");
    }
}
