package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.FailureKind;
import io.github.flowablepubsub.relay.FailureClassifier;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.flowable.common.engine.api.FlowableException;
import org.flowable.common.engine.api.FlowableOptimisticLockingException;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Deliveries that fail: what is the process's fault, what the infrastructure's, what a race. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailuresTest {

    private static final String QUICK = "\"retry\": {\"initialDelay\": \"PT0.05S\", \"maxDelay\": \"PT0.2S\"%s}";

    private final Work work = new Work();
    private final Lab lab = Lab.start(TestDatabase.H2, Map.of("arbeit", work));

    /** Fails as planned for an order, so many times; counts its runs. */
    private static final class Work implements JavaDelegate {
        private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
        private final Map<String, Supplier<Throwable>> failures = new ConcurrentHashMap<>();
        private final Map<String, Integer> times = new ConcurrentHashMap<>();
        private final CountDownLatch blocked = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        void fail(String auftragId, int count, Supplier<Throwable> failure) {
            times.put(auftragId, count);
            failures.put(auftragId, failure);
        }

        int runs(String auftragId) {
            AtomicInteger count = runs.get(auftragId);
            return count == null ? 0 : count.get();
        }

        @Override
        public void execute(DelegateExecution execution) {
            String auftragId = String.valueOf(execution.getVariable("auftragId"));
            int run =
                    runs.computeIfAbsent(auftragId, key -> new AtomicInteger()).incrementAndGet();
            if (auftragId.startsWith("blockiert")) {
                blocked.countDown();
                awaitQuietly();
            }
            Supplier<Throwable> failure = failures.get(auftragId);
            if (failure != null && run <= times.getOrDefault(auftragId, 0)) {
                Throwable toThrow = failure.get();
                if (toThrow instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) toThrow;
            }
        }

        private void awaitQuietly() {
            try {
                assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @BeforeAll
    void start() {
        lab.channel("geduldig", "{" + QUICK.formatted("") + "}")
                .channel("ungeduldig", "{" + QUICK.formatted(", \"giveUpAfter\": \"PT1S\"") + "}")
                .channel("sofort", "{" + QUICK.formatted(", \"giveUpAfter\": \"PT0S\"") + "}");
        lab.node.deployProcess(Models.chain(
                "arbeiten",
                Models.catchEvent("warten", "auftragAbgeschlossen"),
                Models.service("tun", "arbeit"),
                Models.userTask("danach")));
        lab.node.deployProcess(Models.chain(
                "zuschauen", Models.catchEvent("warten", "auftragAbgeschlossen"), Models.userTask("danach")));
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private InboxTable.Row afterFailures(String channel, String auftragId, int times, Supplier<Throwable> failure) {
        work.fail(auftragId, times, failure);
        String instance = lab.startOrder("arbeiten", auftragId);
        InboxTable.Row row = lab.inbox.messageInState(lab.publish(channel, Models.completion(auftragId, 1)), "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
        return row;
    }

    @Test
    void aFailingProcessIsRetriedUntilItSucceeds() {
        InboxTable.Row row = afterFailures("geduldig", "p1", 4, () -> new IllegalStateException("noch nicht"));
        assertThat(row.attempts()).isEqualTo(5);
        assertThat(work.runs("p1")).isEqualTo(5);
        assertThat(row.reason()).isNull();
    }

    @Test
    void anErrorOfTheProcessIsRetriedToo() {
        assertThat(afterFailures("geduldig", "p2", 2, () -> new AssertionError("kaputt"))
                        .attempts())
                .isEqualTo(3);
    }

    @Test
    void camunda1811_aProcessThatGoesOnFailingIsGivenUp_itsInstanceUnmoved() {
        work.fail("p3", Integer.MAX_VALUE, () -> new IllegalStateException("nie und nimmer"));
        String instance = lab.startOrder("arbeiten", "p3");
        String id = lab.publish("ungeduldig", Models.completion("p3", 1));
        InboxTable.Row row = lab.inbox.messageInState(id, "PARKED");
        assertThat(row.reason()).isEqualTo("PROCESS_FAILED");
        assertThat(row.error()).contains("nie und nimmer", "PT1S");
        assertThat(row.attempts()).as("retried for a second").isBetween(5, 40);
        assertThat(lab.tasks(instance)).isZero();
        assertThat(lab.node
                        .engine
                        .getRuntimeService()
                        .createEventSubscriptionQuery()
                        .processInstanceId(instance)
                        .count())
                .isEqualTo(1);
    }

    @Test
    void flowableSourceAllOrNone_aSecondReceiverThatFailsLeavesTheFirstUnmoved() {
        work.fail("p4", 1, () -> new IllegalStateException("erst einmal nicht"));
        String watching = lab.startOrder("zuschauen", "p4");
        String working = lab.startOrder("arbeiten", "p4");
        String id = lab.publish("sofort", Models.completion("p4", 1));
        InboxTable.Row row = lab.inbox.messageInState(id, "PARKED");
        assertThat(row.reason()).isEqualTo("PROCESS_FAILED");
        assertThat(lab.tasks(watching)).isZero();
        assertThat(lab.tasks(working)).isZero();
        repair(row);
        lab.inbox.messageInState(id, "DONE");
        assertThat(lab.tasks(watching)).isEqualTo(1);
        assertThat(lab.tasks(working)).isEqualTo(1);
    }

    @Test
    void aDatabaseFailureIsRetriedPastGiveUp_howeverItIsWrapped() {
        InboxTable.Row row = afterFailures(
                "sofort",
                "i1",
                6,
                () -> new FlowableException("wrapped", new RuntimeException(new SQLTransientException("weg"))));
        assertThat(row.attempts()).isEqualTo(7);
    }

    @Test
    void aDeadlockAndALostConnectionAreRetriedPastGiveUp() {
        afterFailures("sofort", "i2", 5, () -> new FlowableException("x", new SQLException("deadlock", "40P01")));
        afterFailures("sofort", "i3", 5, () -> new FlowableException("x", new SQLException("connection", "08006")));
    }

    @Test
    void aViolatedConstraintIsTheProcessesFault() {
        work.fail("i4", 1, () -> new FlowableException("x", new SQLException("not null", "23502")));
        lab.startOrder("arbeiten", "i4");
        assertThat(lab.inbox
                        .messageInState(lab.publish("sofort", Models.completion("i4", 1)), "PARKED")
                        .reason())
                .isEqualTo("PROCESS_FAILED");
    }

    @Test
    void flowable2124_optimisticLockingIsRetriedPastGiveUp() {
        InboxTable.Row row =
                afterFailures("sofort", "o1", 10, () -> new FlowableOptimisticLockingException("jemand war schneller"));
        assertThat(row.attempts()).as("races are first tried again at once").isBetween(2, 10);
        assertThat(work.runs("o1")).isEqualTo(11);
    }

    @Test
    void anInfrastructureFailureAfterARepairDoesNotCountAsFailingSinceBefore() {
        AtomicInteger run = new AtomicInteger();
        work.fail("f1", Integer.MAX_VALUE, () -> switch (run.incrementAndGet()) {
            case 2 -> new FlowableException("x", new SQLTransientException("kurz weg"));
            default -> new IllegalStateException("Lauf " + run.get());
        });
        lab.startOrder("arbeiten", "f1");
        String id = lab.publish("ungeduldig", Models.completion("f1", 1));
        InboxTable.Row first = lab.inbox.messageInState(id, "PARKED");
        assertThat(first.reason()).isEqualTo("PROCESS_FAILED");
        run.set(1); // the next run is the second
        repair(first);
        Lab.eventually("parked again", () -> run.get() > 3 && state(id).equals("PARKED"));
        assertThat(lab.inbox.rows("MESSAGE_ID_ = '" + id + "'").get(0).attempts())
                .as("a new series of its own")
                .isGreaterThan(4);
    }

    @Test
    void theAppsOwnClassifierDecides_andOneThatFailsStopsNothing() {
        work.fail("k1", 4, () -> new IllegalStateException("Dienst ist weg"));
        work.fail("k2", 4, () -> new IllegalArgumentException("Klassifizierer scheitert"));
        Database database = TestDatabase.H2.create();
        AtomicInteger asked = new AtomicInteger();
        FailureClassifier own = failure -> {
            asked.incrementAndGet();
            if (hasCause(failure, IllegalArgumentException.class)) {
                throw new IllegalStateException("selbst kaputt");
            }
            return hasCause(failure, IllegalStateException.class) ? FailureKind.INFRASTRUCTURE : null;
        };
        try (Lab other = Lab.start(database, Map.of("arbeit", work), settings -> settings.withFailureClassifier(own))) {
            other.channel("sofort", "{" + QUICK.formatted(", \"giveUpAfter\": \"PT0S\"") + "}");
            other.node.deployProcess(Models.chain(
                    "arbeiten", Models.catchEvent("warten", "auftragAbgeschlossen"), Models.service("tun", "arbeit")));
            other.startOrder("arbeiten", "k1");
            other.startOrder("arbeiten", "k2");
            String service = other.publish("sofort", Models.completion("k1", 1));
            String failing = other.publish("sofort", Models.completion("k2", 1));
            assertThat(other.inbox.messageInState(service, "DONE").attempts()).isEqualTo(5);
            assertThat(other.inbox.messageInState(failing, "PARKED").reason()).isEqualTo("PROCESS_FAILED");
            assertThat(asked.get()).isGreaterThanOrEqualTo(5);
        }
    }

    private static boolean hasCause(Throwable failure, Class<?> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(type::isInstance);
    }

    private String state(String messageId) {
        return lab.inbox.rows("MESSAGE_ID_ = '" + messageId + "'").get(0).state();
    }

    @Test
    void aSubscriptionThatVanishesDuringDeliveryIsParkedAtOnce() throws InterruptedException {
        String instance = lab.startOrder("arbeiten", "blockiert-1");
        String id = lab.publish("geduldig", Models.completion("blockiert-1", 1));
        assertThat(work.blocked.await(20, TimeUnit.SECONDS)).isTrue();
        lab.node.engine.getRuntimeService().deleteProcessInstance(instance, "weg damit");
        work.goOn.countDown();
        InboxTable.Row row = lab.inbox.messageInState(id, "PARKED");
        assertThat(row.reason()).isEqualTo("SUBSCRIPTION_GONE");
        assertThat(work.runs("blockiert-1")).isEqualTo(1);
    }

    private void repair(InboxTable.Row row) {
        assertThat(lab.inbox.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0,"
                        + " NEXT_ATTEMPT_ = CURRENT_TIMESTAMP WHERE ID_ = " + row.id()))
                .isEqualTo(1);
    }
}
