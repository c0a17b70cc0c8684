package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a person does to a job wakes the relay at once; what SQL did to many rows is followed in one look. */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MirrorPromptnessTest {

    private static final int MANY = 3000;

    private final Lab lab = Lab.withoutSweep(TestDatabase.H2);
    private final Jobs jobs = new Jobs(lab);

    @BeforeAll
    void start() {
        lab.node.deployProcess(Models.PROCESS);
        lab.channel("sofort", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}");
        lab.channel("wartet", "{\"buffer\": {\"timeToLive\": \"PT0S\"}, \"parking\": {\"laterMessages\": \"wait\"}}");
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private InboxTable.Row parked(String channel, String order) {
        return lab.inbox.messageInState(lab.publish(channel, Models.completion(order, 1)), "PARKED");
    }

    @Test
    void aMovedJobWakesTheRelay() {
        InboxTable.Row row = parked("sofort", "bewegt");
        lab.startOrder("auftrag-ausfuehrung", "bewegt");
        jobs.management()
                .moveDeadLetterJobToExecutableJob(jobs.deadLetter(row.id()).getId(), 3);
        lab.inbox.messageInState(row.messageId(), "DONE");
    }

    @Test
    void aDeletedJobLetsWhatItHeldBackGoOn() {
        InboxTable.Row first = parked("wartet", "reihe");
        String next = lab.publish("wartet", Models.completion("reihe", 2));
        assertThat(lab.inbox.messageInState(next, "WAITING").reason()).isEqualTo("HELD_BACK");
        lab.startOrder("auftrag-ausfuehrung", "reihe");
        jobs.management().deleteDeadLetterJob(jobs.deadLetter(first.id()).getId());
        lab.inbox.messageInState(next, "DONE");
    }

    /** Walking over the jobs, a page of 500 a look, would take a minute. */
    @Test
    void manyRowsThatSqlDiscardedLoseTheirJobsInOneLook() {
        InboxTable.Row row = parked("sofort", "vorlage");
        assertThat(lab.inbox.sql("insert into FLW_PUBSUB_INBOX (CHANNEL_KEY_, MESSAGE_ID_, BODY_HASH_, ORDER_KEY_,"
                        + " STATE_, ATTEMPTS_, ATTRIBUTES_, PUBLISHED_AT_, RECEIVED_AT_) select 'sofort',"
                        + " 'viele-' || n.X, BODY_HASH_, 'viele', 'PARKED', 1, '{}', PUBLISHED_AT_, RECEIVED_AT_"
                        + " from FLW_PUBSUB_INBOX, system_range(1, " + MANY + ") n where ID_ = " + row.id()))
                .isEqualTo(MANY);
        awaitJobsAfterALook(MANY);
        assertThat(lab.inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'DISCARDED', FINISHED_AT_ = CURRENT_TIMESTAMP"
                        + " where ORDER_KEY_ = 'viele' and mod(ID_, 3) = 0"))
                .isEqualTo(MANY / 3);
        awaitJobsAfterALook(MANY - MANY / 3);
        assertThat(lab.database.count("FLW_PUBSUB_INBOX", "STATE_ = 'DISCARDED' and JOB_ID_ is not null"))
                .isZero();
    }

    private void awaitJobsAfterALook(int expected) {
        Node another = lab.anotherNode(); // begins with a look
        try {
            Lab.eventually(
                    expected + " rows have a job",
                    () -> lab.database.count("FLW_PUBSUB_INBOX", "ORDER_KEY_ = 'viele' and JOB_ID_ is not null")
                            == expected);
        } finally {
            another.close();
        }
        assertThat(lab.database.count(
                        "ACT_RU_DEADLETTER_JOB",
                        "ID_ in (select JOB_ID_ from FLW_PUBSUB_INBOX where ORDER_KEY_ = 'viele')"))
                .isEqualTo(expected);
    }
}
