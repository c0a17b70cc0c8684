package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The whole way of a message, from publish to moved instance, on two nodes with one hostile database between them; one
 * subclass per database.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JourneyContract {

    private static final String QUICK = "\"retry\": {\"initialDelay\": \"PT0.05S\", \"maxDelay\": \"PT0.1S\"%s}";
    private static final int ORDERS = 20;
    private static final int STEPS = 3;

    private final TestDatabase kind;
    private final Work work = new Work();
    private @Nullable Lab started;
    private @Nullable Node second;

    JourneyContract(TestDatabase kind) {
        this.kind = kind;
    }

    /** The process's own step: writes a variable, then fails as often as it is told, and notes what went through. */
    private static final class Work implements JavaDelegate {
        private final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();
        private final Map<String, List<String>> done = new ConcurrentHashMap<>();
        private final Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
        private final List<String> overlaps = new CopyOnWriteArrayList<>();

        @Override
        public void execute(DelegateExecution execution) {
            String order = String.valueOf(execution.getVariable("auftragId"));
            AtomicInteger entered = inside.computeIfAbsent(order, key -> new AtomicInteger());
            if (entered.incrementAndGet() > 1) {
                overlaps.add(order);
            }
            try {
                execution.setVariable("spur", "geschrieben");
                AtomicInteger left = failures.get(order);
                if (left != null && left.getAndDecrement() > 0) {
                    throw new IllegalStateException("noch nicht");
                }
                done.computeIfAbsent(order, key -> new CopyOnWriteArrayList<>())
                        .add(String.valueOf(execution.getVariable("text")));
            } finally {
                entered.decrementAndGet();
            }
        }
    }

    @BeforeAll
    void start() {
        started = Lab.start(kind.createHostile(), Map.of("arbeit", work));
        second = lab().anotherNode();
        lab().channel("fest", "{" + QUICK.formatted("") + "}")
                .channel("kurz", "{\"buffer\": {\"timeToLive\": \"PT0.3S\"}}")
                .channel(
                        "ungeduldig",
                        "{" + QUICK.formatted(", \"giveUpAfter\": \"PT0S\"") + "}",
                        "{\"jsonField\": \"typ\"}")
                .channel("schritte", "{" + QUICK.formatted("") + "}", "{\"jsonField\": \"typ\"}");
        lab().node.deployEvents(Map.of("schritt.event", Models.event("schritt")));
        lab().node.deployProcess(Models.PROCESS);
        lab().node
                .deployProcess(
                        Models.chain("arbeiten", step(1), Models.service("s1", "arbeit"), Models.userTask("danach")));
        lab().node
                .deployProcess(Models.chain(
                        "folge",
                        step(1),
                        Models.service("s1", "arbeit"),
                        step(2),
                        Models.service("s2", "arbeit"),
                        step(3),
                        Models.service("s3", "arbeit"),
                        Models.userTask("danach")));
    }

    private static String step(int number) {
        return Models.catchEvent("w" + number, "schritt")
                .replace(
                        "</extensionElements>",
                        "<flowable:eventOutParameter source=\"text\" target=\"text\"/></extensionElements>");
    }

    @AfterAll
    void stop() {
        assertThat(work.overlaps).as("never two of one order at a time").isEmpty();
        Objects.requireNonNull(second).close();
        lab().close();
    }

    private Lab lab() {
        return Objects.requireNonNull(started);
    }

    private String publishStep(String channel, String order, int number) {
        return lab().publish(
                        channel,
                        "{\"typ\": \"schritt\", \"auftragId\": \"%s\", \"text\": \"%d\"}".formatted(order, number));
    }

    @Test
    void aMessageMovesTheInstanceThatWaitsForIt() {
        String instance = lab().startOrder("auftrag-ausfuehrung", "Ä-4711");
        String other = lab().startOrder("auftrag-ausfuehrung", "ä-4711");
        String id = lab().publish("fest", Models.completion("Ä-4711", 3000));
        InboxTable.Row row = lab().inbox.messageInState(id, "DONE");
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.correlationKey()).isEqualTo("Ä-4711");
        assertThat(row.payload()).isEqualTo(Models.completion("Ä-4711", 3000));
        assertThat(lab().tasks(instance)).isEqualTo(1);
        assertThat(lab().tasks(other)).isZero();
        assertThat(lab().node.engine.getRuntimeService().getVariable(instance, "erledigtePositionen"))
                .isEqualTo(3000);
        lab().server.awaitEmpty("fest-sub", Duration.ofSeconds(60));
    }

    @Test
    void flowable4189_aMessageThatCameFirstWaitsForItsInstance() {
        String id = lab().publish("fest", Models.completion("frueh", 1));
        assertThat(lab().inbox.messageInState(id, "WAITING").reason()).isEqualTo("NO_MATCH");
        String instance = lab().startOrder("auftrag-ausfuehrung", "frueh");
        lab().inbox.messageInState(id, "DONE");
        assertThat(lab().tasks(instance)).isEqualTo(1);
    }

    @Test
    void anAmbiguousMessageIsParkedAndRepairedBySql() {
        String kept = lab().startOrder("auftrag-ausfuehrung", "doppelt");
        String removed = lab().startOrder("auftrag-ausfuehrung", "doppelt");
        String id = lab().publish("fest", Models.completion("doppelt", 1));
        InboxTable.Row row = lab().inbox.messageInState(id, "PARKED");
        assertThat(row.reason()).isEqualTo("AMBIGUOUS");
        assertThat(row.error()).contains(kept, removed, "warten");
        assertThat(lab().tasks(kept) + lab().tasks(removed)).isZero();
        lab().node.engine.getRuntimeService().deleteProcessInstance(removed, "doppelt");
        assertThat(lab().inbox
                        .sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0,"
                                + " NEXT_ATTEMPT_ = CURRENT_TIMESTAMP WHERE ID_ = " + row.id()))
                .isEqualTo(1);
        lab().inbox.messageInState(id, "DONE");
        assertThat(lab().tasks(kept)).isEqualTo(1);
    }

    @Test
    void camunda11410_aMessageWhoseTimeToLiveIsOverIsParked() {
        String id = lab().publish("kurz", Models.completion("niemand", 1));
        InboxTable.Row row = lab().inbox.messageInState(id, "PARKED");
        assertThat(row.reason()).isEqualTo("NO_MATCH");
        assertThat(row.attempts()).as("looked up, and once more at the end").isEqualTo(2);
        assertThat(lab().database.count("FLW_PUBSUB_MATCH_KEY", "INBOX_ID_ = " + row.id()))
                .as("nothing wakes it")
                .isZero();
    }

    @Test
    void aFailedProcessIsRolledBackAndTriedAgain() {
        work.failures.put("dreimal", new AtomicInteger(3));
        String instance = lab().startOrder("arbeiten", "dreimal");
        String id = publishStep("schritte", "dreimal", 1);
        InboxTable.Row row = lab().inbox.messageInState(id, "DONE");
        // A failure that the other node came between is not counted: it is at the next try by then.
        assertThat(row.attempts()).isBetween(1, 4);
        assertThat(work.failures.get("dreimal")).hasNegativeValue();
        assertThat(work.done.get("dreimal")).containsExactly("1");
        assertThat(lab().tasks(instance)).isEqualTo(1);
    }

    @Test
    void aProcessThatIsGivenUpLeavesNothingBehind() {
        work.failures.put("immer", new AtomicInteger(Integer.MAX_VALUE));
        String instance = lab().startOrder("arbeiten", "immer");
        InboxTable.Row row = lab().inbox.messageInState(publishStep("ungeduldig", "immer", 1), "PARKED");
        assertThat(row.reason()).isEqualTo("PROCESS_FAILED");
        assertThat(row.error()).contains("noch nicht");
        assertThat(lab().tasks(instance)).isZero();
        var runtime = lab().node.engine.getRuntimeService();
        assertThat(runtime.getVariable(instance, "spur"))
                .as("written before it failed")
                .isNull();
        assertThat(runtime.createExecutionQuery()
                        .processInstanceId(instance)
                        .activityId("w1")
                        .count())
                .as("waits as before")
                .isEqualTo(1);
    }

    @Test
    void messagesOfAnOrderGoOneByOneInTheirOrderOverBothNodes() {
        List<String> instances = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (int order = 0; order < ORDERS; order++) {
            if (order % 2 == 0) { // the others begin when all of their messages are there
                instances.add(lab().startOrder("folge", "f" + order));
            }
        }
        for (int number = 1; number <= STEPS; number++) {
            for (int order = 0; order < ORDERS; order++) {
                ids.add(publishStep("schritte", "f" + order, number));
            }
            // Without ordering keys two nodes store in any order what was published within one millisecond.
            Lab.eventually("all stored", () -> ids.stream()
                    .noneMatch(
                            id -> lab().inbox.rows("MESSAGE_ID_ = '" + id + "'").isEmpty()));
        }
        for (int order = 1; order < ORDERS; order += 2) {
            instances.add(lab().startOrder("folge", "f" + order));
        }
        ids.forEach(id -> lab().inbox.messageInState(id, "DONE"));
        for (int order = 0; order < ORDERS; order++) {
            assertThat(work.done.get("f" + order)).as("f" + order).containsExactly("1", "2", "3");
        }
        assertThat(instances)
                .allSatisfy(instance -> assertThat(lab().tasks(instance)).isEqualTo(1));
    }
}
