package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.flowable.common.engine.api.lock.LockManager;
import org.flowable.common.engine.impl.interceptor.EngineConfigurationConstants;
import org.flowable.eventregistry.impl.EventRegistryEngineConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Reports from the field about other systems, see {@code docs/cases.md}: each number is the report's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FieldCasesTest {

    private static final String QUICK = "{\"retry\": {\"initialDelay\": \"PT0.05S\", \"maxDelay\": \"PT0.1S\"}}";

    private final Ledger ledger = new Ledger();
    private final Lab lab = Lab.start(TestDatabase.H2, Map.of("buch", ledger));

    @BeforeAll
    void start() {
        lab.node.deployEvents(Map.of("a.event", Models.event("begonnen"), "b.event", Models.event("eingang")));
        lab.node
                .deployProcess(Models.PROCESS)
                .deployProcess(Models.definitions(
                        "immer",
                        "<startEvent id=\"s\"/>" + Models.catchEvent("warten") + Models.service("tun", "buch")
                                + Models.flow("s", "warten")
                                + Models.flow("warten", "tun")
                                + Models.flow("tun", "warten")));
    }

    @AfterAll
    void stop() {
        assertThat(ledger.overlaps).as("never two of one order at a time").isEmpty();
        lab.close();
    }

    /** Healthy messages for an instance that will be there in a while went to the dead-letter topic. */
    @Test
    void connectors4837_aMessageThatWaitsIsNoDeadLetter() {
        lab.server.createTopic("tot");
        lab.server.createSubscription("tot-sub", "tot");
        lab.channel(
                "geduld",
                "{}",
                Lab.FIXED,
                SubscriptionOptions.DEFAULT
                        .withRetryPolicy(Duration.ofMillis(10))
                        .withDeadLetterTopic("tot", 5));
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ids.add(lab.publish("geduld", Models.completion("g" + i, i)));
        }
        ids.forEach(id -> lab.inbox.messageInState(id, "WAITING"));
        lab.server.awaitEmpty("geduld-sub", Duration.ofSeconds(60));
        for (int i = 0; i < 10; i++) {
            lab.startOrder("auftrag-ausfuehrung", "g" + i);
        }
        ids.forEach(id -> lab.inbox.messageInState(id, "DONE"));
        assertThat(lab.server.stats("geduld-sub").nacks()).isZero();
        assertThat(lab.server.stats("geduld-sub").deadLettered()).isZero();
        assertThat(lab.server.unacked("tot-sub")).isZero();
    }

    /** Two messages back to back; what waits for the second one is there only after the first one was taken. */
    @Test
    void camundaMessageStreaming17AndWorkflowCore773_theSecondWaitsForTheSubscriptionThatTheFirstOneBrings() {
        lab.channel("typen", QUICK, "{\"jsonField\": \"typ\"}");
        lab.node.deployProcess(Models.chain(
                "nacheinander",
                Models.catchEvent("erst", "begonnen"),
                Models.service("tun", "buch"),
                Models.catchEvent("dann"),
                Models.userTask("danach")));
        List<String> instances = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            instances.add(lab.startOrder("nacheinander", "m" + i));
            ids.add(lab.publish("typen", "{\"typ\": \"begonnen\", \"auftragId\": \"m%d\"}".formatted(i)));
            ids.add(lab.publish("typen", "{\"typ\": \"auftragAbgeschlossen\", \"auftragId\": \"m%d\"}".formatted(i)));
        }
        // And the other way round: the second one is there long before the first.
        String second = lab.publish("typen", "{\"typ\": \"auftragAbgeschlossen\", \"auftragId\": \"m99\"}");
        instances.add(lab.startOrder("nacheinander", "m99"));
        assertThat(lab.inbox.messageInState(second, "WAITING").reason()).isEqualTo("NO_MATCH");
        ids.add(second);
        ids.add(lab.publish("typen", "{\"typ\": \"begonnen\", \"auftragId\": \"m99\"}"));
        ids.forEach(id -> lab.inbox.messageInState(id, "DONE"));
        assertThat(instances)
                .allSatisfy(instance -> assertThat(lab.tasks(instance)).isEqualTo(1));
    }

    /** Flowable takes "lock not acquired" for handled: the event is dropped although nobody may start the instance. */
    @Test
    void flowableSourceStartLock_aUniqueStartThatIsLockedElsewhereIsRetried() {
        lab.channel("eingang", QUICK, "{\"fixedValue\": \"eingang\"}");
        lab.node.deployProcess(Models.definitions(
                "einmalig",
                """
                <startEvent id="beginn"><extensionElements><flowable:eventType>eingang</flowable:eventType>
                  <flowable:startEventCorrelationConfiguration>storeAsUniqueReferenceId</flowable:startEventCorrelationConfiguration>
                </extensionElements></startEvent><userTask id="danach"/>
                """
                        + Models.flow("beginn", "danach")));
        EventRegistryEngineConfiguration registry = (EventRegistryEngineConfiguration) Objects.requireNonNull(lab.node
                .engine
                .getProcessEngineConfiguration()
                .getEngineConfigurations()
                .get(EngineConfigurationConstants.KEY_EVENT_REGISTRY_CONFIG));
        String key = registry.getEventRegistry().generateKey(Map.of("auftragId", "l1"));
        LockManager elsewhere = lab.node.engine.getManagementService().getLockManager("belock" + key + "einmalig");
        assertThat(elsewhere.acquireLock(Duration.ofMinutes(5))).isTrue();
        String id = lab.publish("eingang", "{\"auftragId\": \"l1\"}");
        Lab.eventually(
                "tried again",
                () -> lab.inbox
                                .rows("MESSAGE_ID_ = '" + id + "' and ATTEMPTS_ >= 3")
                                .size()
                        == 1);
        InboxTable.Row row = lab.inbox.rows("MESSAGE_ID_ = '" + id + "'").get(0);
        assertThat(row.state()).isEqualTo("OPEN");
        assertThat(row.reason()).isEqualTo("INFRASTRUCTURE_FAILED");
        assertThat(row.error()).contains("is locked by another thread or node");
        assertThat(lab.tasksOf("einmalig")).isZero();
        elsewhere.releaseLock();
        assertThat(lab.inbox.messageInState(id, "DONE").reason()).isNull();
        assertThat(lab.tasksOf("einmalig")).isEqualTo(1);
    }

    /** A backlog of ordering keys with acks that get lost, leases that expire and messages that come again and again. */
    @Test
    void javaPubsub2555And1889And1974_orderAndOnceHoldWhatever_theServiceRedelivers() {
        lab.channel("reihe", "{}", Lab.FIXED, SubscriptionOptions.ordered());
        int keys = 5;
        int each = 40;
        IntStream.range(0, keys).forEach(key -> lab.startOrder("immer", "r" + key));
        lab.server.loseAcks("reihe-sub", true);
        for (int position = 0; position < each; position++) {
            for (int key = 0; key < keys; key++) {
                lab.server.publish(
                        "reihe", ByteString.copyFromUtf8(Models.completion("r" + key, position)), Map.of(), "r" + key);
            }
        }
        Lab.eventually("acks lost", () -> lab.server.stats("reihe-sub").ignoredAcks() >= keys);
        lab.server.expireLeases("reihe-sub");
        lab.server.loseAcks("reihe-sub", false);
        lab.server.expireLeases("reihe-sub");
        lab.server.redeliver("reihe-sub");
        Lab.eventually("half of it", () -> ledger.of("r0").size() > each / 2);
        lab.server.redeliver("reihe-sub");
        lab.server.awaitEmpty("reihe-sub", Duration.ofSeconds(60));
        Lab.eventually("all of it", () -> IntStream.range(0, keys)
                .allMatch(key -> ledger.of("r" + key).size() >= each));
        List<Object> inOrder =
                IntStream.range(0, each).boxed().map(i -> (Object) i).toList();
        for (int key = 0; key < keys; key++) {
            assertThat(ledger.of("r" + key)).containsExactlyElementsOf(inOrder);
        }
        assertThat(lab.server.stats("reihe-sub").deliveries()).isGreaterThan(keys * (long) each + 50);
    }

    /** Small messages and more duplicates than messages: each once, and new ones are not kept waiting. */
    @Test
    void googleCloudJava2465_moreThanHalfAreDuplicates_eachMovesOnceAndNewOnesGoThrough() {
        lab.channel("klein", "{}");
        int count = 100;
        List<String> instances = new ArrayList<>();
        for (int i = 0; i < 2 * count; i++) {
            instances.add(lab.startOrder("auftrag-ausfuehrung", "k" + i));
        }
        lab.server.loseAcks("klein-sub", true);
        IntStream.range(0, count).forEach(i -> lab.publish("klein", Models.completion("k" + i, i)));
        for (int round = 1; round <= 3; round++) {
            int acks = round * count;
            Lab.eventually("acks lost", () -> lab.server.stats("klein-sub").ignoredAcks() >= acks);
            lab.server.expireLeases("klein-sub");
        }
        lab.server.loseAcks("klein-sub", false);
        IntStream.range(count, 2 * count).forEach(i -> lab.publish("klein", Models.completion("k" + i, i)));
        lab.server.expireLeases("klein-sub");
        Lab.eventually("each once", () -> instances.stream().allMatch(instance -> lab.tasks(instance) == 1));
        lab.server.awaitEmpty("klein-sub", Duration.ofSeconds(60));
        assertThat(lab.inbox.rows("CHANNEL_KEY_ = 'klein'")).hasSize(2 * count).allMatch(row -> row.state()
                .equals("DONE"));
        assertThat(lab.inbox.count("select sum(DUPLICATES_) from FLW_PUBSUB_INBOX where CHANNEL_KEY_ = 'klein'"))
                .isGreaterThan(2L * count);
    }
}
