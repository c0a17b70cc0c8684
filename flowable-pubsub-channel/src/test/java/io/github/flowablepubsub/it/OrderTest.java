package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Rule R4 on one node and two: one message of an order at a time, oldest first; other orders never wait. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrderTest {

    private static final String PATIENT = "{\"retry\": {\"initialDelay\": \"PT0.1S\", \"maxDelay\": \"PT0.1S\"}}";
    private static final String LANE =
            "insert into FLW_PUBSUB_LANE (CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_) values ('typen', '', '%s')";
    private static final String SHORT = "{\"buffer\": {\"timeToLive\": \"PT1S\"}}";

    private final Ledger ledger = new Ledger();
    private final Lab lab = Lab.start(TestDatabase.POSTGRES, Map.of("buch", ledger));

    /** Writes down what happens to each order, and whether two things happen at once. */
    private static final class Ledger implements JavaDelegate {
        private final Map<String, List<String>> lines = new ConcurrentHashMap<>();
        private final Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
        private final List<String> overlaps = new CopyOnWriteArrayList<>();
        private final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();

        @Override
        public void execute(DelegateExecution execution) {
            String order = String.valueOf(execution.getVariable("auftragId"));
            AtomicInteger entered = inside.computeIfAbsent(order, key -> new AtomicInteger());
            if (entered.incrementAndGet() > 1) {
                overlaps.add(order);
            }
            try {
                AtomicInteger failing = failures.get(order);
                if (failing != null && failing.decrementAndGet() >= 0) {
                    throw new IllegalStateException("noch nicht");
                }
                lines.computeIfAbsent(order, key -> new CopyOnWriteArrayList<>())
                        .add(execution.getCurrentActivityId());
            } finally {
                entered.decrementAndGet();
            }
        }

        List<String> of(String order) {
            return lines.getOrDefault(order, List.of());
        }
    }

    @BeforeAll
    void start() {
        for (String event : List.of("begonnen", "fertig")) {
            lab.node.deployEvents(Map.of(event + ".event", Models.event(event)));
        }
        lab.channel("typen", PATIENT, "{\"jsonField\": \"typ\"}");
        lab.channel("kurz", SHORT, "{\"jsonField\": \"typ\"}");
        // Both are waited for from the beginning: only the order of the messages decides what the ledger says.
        lab.node.deployProcess(Models.definitions(
                "beobachten",
                "<startEvent id=\"s\"/><parallelGateway id=\"g\"/>"
                        + Models.flow("s", "g")
                        + branch("begonnen")
                        + branch("fertig")));
        lab.node.deployProcess(Models.chain(
                "mehrfach",
                Models.catchEvent("w1", "begonnen"),
                Models.service("eins", "buch"),
                Models.catchEvent("w2", "begonnen"),
                Models.service("zwei", "buch"),
                Models.catchEvent("w3", "begonnen"),
                Models.service("drei", "buch"),
                Models.userTask("danach")));
    }

    private static String branch(String event) {
        return Models.catchEvent("w-" + event, event)
                + Models.service(event, "buch")
                + Models.userTask("t-" + event)
                + Models.flow("g", "w-" + event)
                + Models.flow("w-" + event, event)
                + Models.flow(event, "t-" + event);
    }

    @AfterAll
    void stop() {
        assertThat(ledger.overlaps).as("never two of one order at a time").isEmpty();
        lab.close();
    }

    private String publish(String channel, String event, String order, String text) {
        return lab.publish(
                channel, "{\"typ\": \"%s\", \"auftragId\": \"%s\", \"text\": \"%s\"}".formatted(event, order, text));
    }

    private String publish(String event, String order) {
        return publish("typen", event, order, "");
    }

    private InboxTable.Row row(String messageId) {
        return lab.inbox.rows("MESSAGE_ID_ = '" + messageId + "'").get(0);
    }

    /** Held back until all are stored: what one node has stored can else be done before the other stores the older one. */
    @Test
    void startedComesBeforeCompleted_onTwoNodesWithFourThreadsEach() throws Exception {
        List<String> orders = IntStream.range(0, 60).mapToObj(i -> "z" + i).toList();
        orders.forEach(order -> lab.startOrder("beobachten", order));
        orders.forEach(order -> lab.inbox.sql(LANE.formatted(order)));
        try (Node second = Node.start(
                        lab.database,
                        Node.settings(lab.server.endpoint()),
                        configuration -> configuration.setBeans(new java.util.HashMap<>(Map.of("buch", ledger))));
                Connection holder = lab.database.source().getConnection();
                Statement lock = holder.createStatement()) {
            assertThat(second.pubsub.isRunning()).isTrue();
            Lab.eventually("two nodes", () -> lab.server.stats("typen-sub").openStreams() == 2);
            holder.setAutoCommit(false);
            lock.execute("select * from FLW_PUBSUB_LANE where ORDER_KEY_ like 'z%' for update");
            orders.forEach(order -> publish("begonnen", order));
            long published = System.currentTimeMillis(); // that is how finely publish times are told
            Lab.eventually("the next one", () -> System.currentTimeMillis() > published);
            orders.forEach(order -> publish("fertig", order));
            Lab.eventually("all stored", () -> rows("OPEN") == 2 * orders.size());
            holder.rollback();
            Lab.eventually("all done", () -> rows("DONE") == 2 * orders.size());
        }
        assertThat(orders).allSatisfy(order -> assertThat(ledger.of(order)).containsExactly("begonnen", "fertig"));
    }

    private int rows(String state) {
        return lab.inbox
                .rows("ORDER_KEY_ like 'z%' and STATE_ = '" + state + "'")
                .size();
    }

    @Test
    void startedComesBeforeCompleted_whenOneConsumerReceivesThemTogether() {
        int orders = 200;
        for (int i = 0; i < orders; i++) {
            lab.startOrder("beobachten", "e" + i);
        }
        for (int i = 0; i < orders; i++) {
            publish("begonnen", "e" + i);
            publish("fertig", "e" + i);
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> lab.inbox
                                .rows("ORDER_KEY_ like 'e%' and STATE_ = 'DONE'")
                                .size()
                        == 2 * orders);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < orders; i++) {
            if (!ledger.of("e" + i).equals(List.of("begonnen", "fertig"))) {
                wrong.add("e" + i + ledger.of("e" + i));
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void workflowCore773_aWaitingMessageHoldsBackOnlyItsOwnEventType() {
        String first = publish("begonnen", "w1");
        lab.inbox.messageInState(first, "WAITING");
        String second = publish("begonnen", "w1");
        assertThat(lab.inbox.messageInState(second, "WAITING").reason()).isEqualTo("HELD_BACK");
        assertThat(row(second).attempts()).as("not looked up").isZero();
        String third = publish("begonnen", "w1");
        String other = publish("fertig", "w1");
        assertThat(lab.inbox.messageInState(other, "WAITING").reason()).isEqualTo("NO_MATCH");
        Lab.eventually("the third waits, too", () -> row(third).state().equals("WAITING"));
        String instance = lab.startOrder("mehrfach", "w1");
        lab.inbox.messageInState(third, "DONE");
        assertThat(row(first).state()).isEqualTo("DONE");
        assertThat(row(second).state()).isEqualTo("DONE");
        assertThat(row(other).state()).isEqualTo("WAITING");
        assertThat(ledger.of("w1")).containsExactly("eins", "zwei", "drei");
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void transactionOutbox788AndCamunda2446_aFailingMessageHoldsItsKeyAndNoOther() {
        ledger.failures.put("h1", new AtomicInteger(8));
        lab.startOrder("beobachten", "h1");
        lab.startOrder("beobachten", "h2");
        String failing = publish("begonnen", "h1");
        String behind = publish("fertig", "h1");
        String other = publish("begonnen", "h2");
        lab.inbox.messageInState(other, "DONE");
        Lab.eventually("tried", () -> row(failing).attempts() >= 2);
        assertThat(row(failing).state()).isEqualTo("OPEN");
        assertThat(row(behind).state()).isEqualTo("OPEN");
        assertThat(row(behind).attempts()).isZero();
        lab.inbox.messageInState(behind, "DONE");
        assertThat(ledger.of("h1")).containsExactly("begonnen", "fertig");
    }

    @Test
    void heldBackMessagesAreReleasedOneByOneWhenTheHeadExpires() {
        String first = publish("kurz", "begonnen", "x1", "1");
        lab.inbox.messageInState(first, "WAITING");
        String second = publish("kurz", "begonnen", "x1", "2");
        lab.inbox.messageInState(second, "WAITING");
        lab.inbox.messageInState(first, "PARKED");
        assertThat(lab.inbox.messageInState(second, "PARKED").reason()).isEqualTo("NO_MATCH");
        assertThat(row(second).attempts()).as("got a time to live of its own").isEqualTo(2);
    }

    @Test
    void aRepairedMessageIsDeliveredAlsoWhenLaterOnesPassed() {
        lab.startOrder("mehrfach", "p1");
        String twin = lab.startOrder("mehrfach", "p1");
        String first = publish("begonnen", "p1");
        assertThat(lab.inbox.messageInState(first, "PARKED").reason()).isEqualTo("AMBIGUOUS");
        lab.node.engine.getRuntimeService().deleteProcessInstance(twin, "doppelt");
        String second = publish("begonnen", "p1");
        lab.inbox.messageInState(second, "DONE");
        assertThat(ledger.of("p1")).containsExactly("eins");
        lab.inbox.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP"
                + " WHERE ID_ = " + row(first).id());
        lab.inbox.messageInState(first, "DONE");
        assertThat(ledger.of("p1")).containsExactly("eins", "zwei");
    }

    @Test
    void heldBackMessagesGoOnWhenAnOperatorTakesTheHeadAway() {
        String first = publish("begonnen", "o1");
        lab.inbox.messageInState(first, "WAITING");
        String second = publish("begonnen", "o1");
        assertThat(lab.inbox.messageInState(second, "WAITING").reason()).isEqualTo("HELD_BACK");
        lab.inbox.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'DISCARDED' WHERE ID_ = "
                + row(first).id());
        lab.startOrder("mehrfach", "o1");
        lab.inbox.messageInState(second, "DONE");
        assertThat(ledger.of("o1")).containsExactly("eins");
    }
}
