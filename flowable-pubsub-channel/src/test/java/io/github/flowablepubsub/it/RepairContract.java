package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract's one line of SQL repairs a parked message, whatever the reason, once its cause is mended; with a dead-letter
 * job, which then is gone, and without. One subclass per database.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RepairContract {

    private final TestDatabase kind;
    private final AtomicBoolean broken = new AtomicBoolean();
    private final Meeting meeting = new Meeting();
    private @Nullable Lab started;

    RepairContract(TestDatabase kind) {
        this.kind = kind;
    }

    /** Meets the test in the middle of a delivery, once. */
    private static final class Meeting implements JavaDelegate {
        private volatile CountDownLatch arrived = new CountDownLatch(1);
        private volatile CountDownLatch goOn = new CountDownLatch(1);

        void prepare() {
            arrived = new CountDownLatch(1);
            goOn = new CountDownLatch(1);
        }

        @Override
        public void execute(DelegateExecution execution) {
            arrived.countDown();
            try {
                assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What the process's own step does while it is to fail. */
    void fail(DelegateExecution execution) {
        throw new IllegalStateException("The service provider is not there");
    }

    final Lab lab() {
        return Objects.requireNonNull(started);
    }

    @BeforeAll
    void start() {
        JavaDelegate step = execution -> {
            if (broken.get()) {
                fail(execution);
            }
        };
        started = Lab.start(kind.createHostile(), Map.of("schritt", step, "treffen", meeting));
        for (boolean job : new boolean[] {true, false}) {
            String policy = "{\"buffer\": {\"timeToLive\": \"PT0S\"}, \"retry\": {\"giveUpAfter\": \"PT0S\"},"
                    + " \"deduplication\": {\"key\": \"attribute:ereignis\"}, \"parking\": {\"deadLetterJob\": " + job
                    + "}}";
            lab().channel("sofort-" + job, policy).channel("typen-" + job, policy, "{\"jsonField\": \"typ\"}");
        }
        lab().node.deployProcess(Models.PROCESS);
        for (String key : new String[] {"schritt", "treffen"}) {
            lab().node.deployEvents(Map.of(key + ".event", Models.event(key)));
            lab().node
                    .deployProcess(Models.chain(
                            key, Models.catchEvent("w", key), Models.service("s", key), Models.userTask("t")));
        }
    }

    @AfterAll
    void stop() {
        meeting.goOn.countDown();
        lab().close();
    }

    private InboxTable.Row parked(boolean job, String messageId, String reason) {
        InboxTable.Row row = lab().inbox.messageInState(messageId, "PARKED");
        assertThat(row.reason()).as(row.toString()).isEqualTo(reason);
        assertThat(new Jobs(lab()).count(row.id())).isEqualTo(job ? 1 : 0);
        return row;
    }

    private void repairedTo(String state, InboxTable.Row row) {
        assertThat(lab().inbox
                        .sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0,"
                                + " NEXT_ATTEMPT_ = CURRENT_TIMESTAMP WHERE ID_ = " + row.id()))
                .isEqualTo(1);
        lab().inbox.messageInState(row.messageId(), state);
        if (state.equals("DONE")) {
            new Jobs(lab()).awaitNone(row.id());
        }
    }

    private void deliveredOnce(InboxTable.Row row, String instance) {
        assertThat(lab().tasks(instance)).isZero();
        repairedTo("DONE", row);
        assertThat(lab().tasks(instance)).isEqualTo(1);
    }

    private String publish(boolean job, String body) {
        return lab().publish("sofort-" + job, body);
    }

    private String publishTyped(boolean job, String event, String order) {
        return lab().publish("typen-" + job, "{\"typ\": \"%s\", \"auftragId\": \"%s\"}".formatted(event, order));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noMatch(boolean job) {
        InboxTable.Row row = parked(job, publish(job, Models.completion("r1" + job, 1)), "NO_MATCH");
        deliveredOnce(row, lab().startOrder("auftrag-ausfuehrung", "r1" + job));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ambiguous(boolean job) {
        String kept = lab().startOrder("auftrag-ausfuehrung", "r2" + job);
        String removed = lab().startOrder("auftrag-ausfuehrung", "r2" + job);
        InboxTable.Row row = parked(job, publish(job, Models.completion("r2" + job, 1)), "AMBIGUOUS");
        lab().node.engine.getRuntimeService().deleteProcessInstance(removed, "doppelt");
        deliveredOnce(row, kept);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noEventDefinition(boolean job) {
        String event = "neu" + job;
        InboxTable.Row row = parked(job, publishTyped(job, event, "r3"), "NO_EVENT_DEFINITION");
        lab().node.deployEvents(Map.of("n.event", Models.event(event)));
        lab().node.deployProcess(Models.chain(event, Models.catchEvent("w", event), Models.userTask("t")));
        deliveredOnce(row, lab().startOrder(event, "r3"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unreadable_afterTheBodyWasMended(boolean job) {
        String instance = lab().startOrder("auftrag-ausfuehrung", "r4" + job);
        InboxTable.Row row = parked(job, publish(job, "{\"auftragId\": \"r4" + job + "\""), "UNREADABLE");
        lab().inbox.sql("update FLW_PUBSUB_INBOX set PAYLOAD_ = concat(PAYLOAD_, '}') where ID_ = " + row.id());
        deliveredOnce(row, instance);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noCorrelationValue_afterTheBodyWasMended(boolean job) {
        String instance = lab().startOrder("auftrag-ausfuehrung", "r5" + job);
        InboxTable.Row row = parked(job, publish(job, "{\"auftragId\": \"\"}"), "NO_CORRELATION_VALUE");
        lab().inbox
                .sql("update FLW_PUBSUB_INBOX set PAYLOAD_ = '{\"auftragId\": \"r5" + job + "\"}' where ID_ = "
                        + row.id());
        deliveredOnce(row, instance);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void duplicateConflict(boolean job) {
        Map<String, String> event = Map.of("ereignis", "e" + job);
        String first = lab().startOrder("auftrag-ausfuehrung", "r6" + job);
        String second = lab().startOrder("auftrag-ausfuehrung", "r7" + job);
        lab().inbox.messageInState(publish(job, "r6" + job, event), "DONE");
        InboxTable.Row row = parked(job, publish(job, "r7" + job, event), "DUPLICATE_CONFLICT");
        deliveredOnce(row, second);
        assertThat(lab().tasks(first)).isEqualTo(1);
    }

    private String publish(boolean job, String order, Map<String, String> attributes) {
        return lab().publish("sofort-" + job, ByteString.copyFromUtf8(Models.completion(order, 1)), attributes);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void subscriptionGone(boolean job) throws InterruptedException {
        meeting.prepare();
        String instance = lab().startOrder("treffen", "r8" + job);
        String id = publishTyped(job, "treffen", "r8" + job);
        assertThat(meeting.arrived.await(60, TimeUnit.SECONDS)).isTrue();
        lab().node.engine.getRuntimeService().deleteProcessInstance(instance, "storniert");
        meeting.goOn.countDown();
        deliveredOnce(parked(job, id, "SUBSCRIPTION_GONE"), lab().startOrder("treffen", "r8" + job));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void processFailed(boolean job) {
        broken.set(true);
        String instance = lab().startOrder("schritt", "r9" + job);
        InboxTable.Row row = parked(job, publishTyped(job, "schritt", "r9" + job), "PROCESS_FAILED");
        broken.set(false);
        deliveredOnce(row, instance);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutMendingItIsParkedAgain(boolean job) {
        InboxTable.Row row = parked(job, publish(job, "kaputt"), "UNREADABLE");
        repairedTo("PARKED", row);
        Lab.eventually(
                "looked at once",
                () -> lab().inbox.rows("ID_ = " + row.id()).get(0).attempts() == 1);
        if (job) {
            new Jobs(lab()).awaitDeadLetter(row.id());
        }
    }
}
