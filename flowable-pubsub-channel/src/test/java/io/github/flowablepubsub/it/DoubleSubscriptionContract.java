package io.github.flowablepubsub.it;

import static io.github.flowablepubsub.it.Lab.eventually;
import static io.github.flowablepubsub.it.Models.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.crash.LogLines;
import io.github.flowablepubsub.events.FlowablePubSubEvent;
import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.events.InboxEvent.DoubleSubscription;
import io.github.flowablepubsub.events.InboxEvent.Receiver;
import io.github.flowablepubsub.events.Observers;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.flowable.common.engine.api.delegate.event.AbstractFlowableEventListener;
import org.flowable.common.engine.api.delegate.event.FlowableEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The warning ahead: a second subscription of one event and key is told when it commits, not when its message comes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DoubleSubscriptionContract {

    private static final String POLICY =
            "{\"events\": {\"alle\": {\"cardinality\": \"all\"}, \"einer\": {\"cardinality\": \"one\"}}}";

    private final List<InboxEvent> heard = new CopyOnWriteArrayList<>();
    private final List<FlowableEvent> dispatched = new CopyOnWriteArrayList<>();
    private final LogLines log = new LogLines();
    private final TestDatabase kind;
    private @Nullable Lab started;

    DoubleSubscriptionContract(TestDatabase kind) {
        this.kind = kind;
    }

    private Lab lab() {
        return Objects.requireNonNull(started);
    }

    @BeforeAll
    void start() {
        started =
                Lab.start(kind.create(), Map.of(), settings -> settings.withObservers(Observers.listener(heard::add)));
        lab().channel("doppelt", POLICY, "{\"jsonField\": \"typ\"}");
        for (String event : List.of("auftrag", "alle", "einer")) {
            lab().node.deployEvents(Map.of(event + ".event", Models.event(event)));
            deploy(
                    event + "-warten",
                    "<startEvent id=\"start\"/>" + Models.catchEvent("warten", event) + "<endEvent id=\"ende\"/>"
                            + flow("start", "warten") + flow("warten", "ende"));
        }
        deploy("zweig", fork(Models.userTask("nebenan")));
        deploy("gabel", fork(Models.catchEvent("nebenan", "auftrag")));
        deploy(
                "schleife",
                "<startEvent id=\"start\"/>" + Models.catchEvent("warten", "auftrag") + flow("start", "warten")
                        + flow("warten", "warten"));
        deploy(
                "einer-auch",
                "<startEvent id=\"start\"/>" + Models.catchEvent("warten", "einer") + "<endEvent id=\"ende\"/>"
                        + flow("start", "warten") + flow("warten", "ende"));
        lab().node.engine.getRuntimeService().addEventListener(new AbstractFlowableEventListener() {
            @Override
            public void onEvent(FlowableEvent event) {
                if (event.getType() == FlowablePubSubEvent.Type.PUBSUB_DOUBLE_SUBSCRIPTION) {
                    dispatched.add(event);
                }
            }

            @Override
            public boolean isFailOnException() {
                return false;
            }
        });
    }

    @AfterAll
    void stop() {
        log.close();
        lab().close();
    }

    private void deploy(String key, String content) {
        lab().node.deployProcess(Models.definitions(key, content));
    }

    private static String fork(String other) {
        return "<startEvent id=\"start\"/><parallelGateway id=\"gabelung\"/>" + Models.catchEvent("warten", "auftrag")
                + other + "<endEvent id=\"ende\"/>" + flow("start", "gabelung") + flow("gabelung", "warten")
                + flow("gabelung", "nebenan") + flow("warten", "ende") + flow("nebenan", "ende");
    }

    private Stream<DoubleSubscription> of(String instance) {
        return heard.stream()
                .filter(DoubleSubscription.class::isInstance)
                .map(DoubleSubscription.class::cast)
                .filter(event -> event.receivers().stream().anyMatch(r -> instance.equals(r.instance())));
    }

    private DoubleSubscription await(String instance) {
        eventually("told of " + instance, () -> of(instance).findAny().isPresent());
        return of(instance).findFirst().orElseThrow();
    }

    /** Subscriptions are looked at in their order: what comes before this pair has been looked at, and would be told. */
    private void everythingIsLookedAt(String key) {
        lab().startOrder("auftrag-warten", key);
        await(lab().startOrder("auftrag-warten", key));
    }

    @Test
    void twoInstancesWithTheSameKey() {
        String first = lab().startOrder("auftrag-warten", "zwei");
        String second = lab().startOrder("auftrag-warten", "zwei");
        DoubleSubscription event = await(second);
        assertThat(event.eventKey()).isEqualTo("auftrag");
        assertThat(event.receivers()).extracting(Receiver::instance).containsExactlyInAnyOrder(first, second);
        assertThat(event.receivers()).allSatisfy(receiver -> {
            assertThat(receiver.definition()).isEqualTo("auftrag-warten");
            assertThat(receiver.activity()).isEqualTo("warten");
            assertThat(receiver.execution()).isNotNull();
            assertThat(receiver.since()).isNotNull();
        });
        assertThat(log.all()).anySatisfy(line -> assertThat(line)
                .startsWith("WARN 2 subscriptions have the same event auftrag")
                .contains(first, second, "activity warten since 20", "AMBIGUOUS", "Remove all but one"));
        eventually("dispatched", () -> dispatched.stream()
                .anyMatch(dispatch -> ((FlowablePubSubEvent) dispatch).event().equals(event)));

        String third = lab().startOrder("auftrag-warten", "zwei");
        assertThat(await(third).receivers()).hasSize(3);
        everythingIsLookedAt("danach-zwei");
        assertThat(of(first)).as("once for two, once for three").hasSize(2);
    }

    @Test
    void aTokenThatIsMovedBesideAnother() {
        String instance = lab().startOrder("zweig", "verschoben");
        everythingIsLookedAt("vor-verschoben");
        assertThat(of(instance)).isEmpty();
        lab().node
                .engine
                .getRuntimeService()
                .createChangeActivityStateBuilder()
                .processInstanceId(instance)
                .moveActivityIdTo("nebenan", "warten")
                .changeState();
        assertThat(await(instance).receivers())
                .hasSize(2)
                .allSatisfy(receiver -> assertThat(receiver.instance()).isEqualTo(instance))
                .extracting(Receiver::execution)
                .doesNotHaveDuplicates();
    }

    @Test
    void twoTokensBehindAParallelGatewayAreToldOnce() {
        String instance = lab().startOrder("gabel", "gabel");
        assertThat(await(instance).receivers())
                .extracting(Receiver::activity)
                .containsExactlyInAnyOrder("warten", "nebenan");
        everythingIsLookedAt("nach-gabel");
        assertThat(of(instance)).hasSize(1);
    }

    @Test
    void aLoopThatWaitsAnewIsNone() {
        String instance = lab().startOrder("schleife", "schleife");
        for (int i = 0; i < 3; i++) {
            lab().inbox
                    .messageInState(
                            lab().publish("doppelt", "{\"typ\": \"auftrag\", \"auftragId\": \"schleife\"}"), "DONE");
        }
        everythingIsLookedAt("nach-schleife");
        assertThat(of(instance)).isEmpty();
    }

    @Test
    void theCardinalityDecides() {
        String all = lab().startOrder("alle-warten", "viele");
        lab().startOrder("alle-warten", "viele");
        String one = lab().startOrder("einer-warten", "einer");
        String other = lab().startOrder("einer-auch", "einer");
        assertThat(await(one).receivers())
                .as("one at all: of two definitions, too")
                .extracting(Receiver::instance)
                .containsExactlyInAnyOrder(one, other);
        String perDefinition = lab().startOrder("zweig", "je eine");
        lab().startOrder("auftrag-warten", "je eine");
        everythingIsLookedAt("danach-je-eine");
        assertThat(of(all)).as("all").isEmpty();
        assertThat(of(perDefinition)).as("one of each definition").isEmpty();
    }

    @Test
    void ofTwoThatCommitAtTheSameTimeOneIsTold() throws Exception {
        try (Node other = lab().anotherNode()) {
            for (int i = 0; i < 5; i++) {
                String key = "zugleich" + i;
                CyclicBarrier together = new CyclicBarrier(2);
                List<String> instances = Stream.of(lab().node, other)
                        .map(node -> CompletableFuture.supplyAsync(() -> start(node, key, together)))
                        .toList()
                        .stream()
                        .map(CompletableFuture::join)
                        .toList();
                assertThat(await(instances.get(0)).receivers())
                        .extracting(Receiver::instance)
                        .containsExactlyInAnyOrderElementsOf(instances);
            }
        }
    }

    private static String start(Node node, String key, CyclicBarrier together) {
        try {
            together.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return node.engine
                .getRuntimeService()
                .startProcessInstanceByKey("auftrag-warten", Map.of("auftragId", key))
                .getId();
    }
}
