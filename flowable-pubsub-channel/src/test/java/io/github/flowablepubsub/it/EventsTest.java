package io.github.flowablepubsub.it;

import static io.github.flowablepubsub.it.Lab.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.events.FlowablePubSubEvent;
import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.events.Measures;
import io.github.flowablepubsub.events.Observers;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.testdb.TestDatabase;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.flowable.common.engine.api.delegate.event.AbstractFlowableEventListener;
import org.flowable.common.engine.api.delegate.event.FlowableEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What listeners hear after the commit, of the plugin's own interface and of the engine's dispatcher. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventsTest {

    private static final String SECRET = "Geheimnis";
    private static final String NO_BUFFER = "{\"buffer\": {\"timeToLive\": \"PT0S\"}}";

    private final List<InboxEvent> heard = new CopyOnWriteArrayList<>();
    private final List<FlowablePubSubEvent.Type> dispatched = new CopyOnWriteArrayList<>();
    private final List<String> statesWhenHeard = new CopyOnWriteArrayList<>();
    private final CountDownLatch blocked = new CountDownLatch(1);

    private final Lab lab = Lab.start(
            TestDatabase.H2.create(),
            Map.of(),
            settings -> settings.withObservers(new Observers(
                    List.of(
                            event -> {
                                throw new IllegalStateException("a listener that always fails");
                            },
                            this::hear),
                    new Measures() {
                        @Override
                        public void happened(InboxEvent event) {
                            throw new IllegalStateException("metrics that always fail");
                        }
                    })));

    private final Jobs jobs = new Jobs(lab);

    private void hear(InboxEvent event) {
        if (event instanceof InboxEvent.Parked parked) {
            statesWhenHeard.addAll(lab.inbox.rows("ID_ = " + parked.message().row()).stream()
                    .map(InboxTable.Row::state)
                    .toList());
        }
        heard.add(event);
        if (event instanceof InboxEvent.Delivered delivered && "blockiert".equals(key(delivered.message()))) {
            try {
                blocked.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String key(InboxEvent.Message message) {
        return String.valueOf(message.correlationKey());
    }

    @BeforeAll
    void start() {
        lab.node.deployProcess(Models.PROCESS);
        lab.channel("ereignis", NO_BUFFER);
        lab.channel("wartet", "{\"buffer\": {\"alarmAfter\": \"PT0.1S\"}}");
        lab.node.engine.getRuntimeService().addEventListener(new AbstractFlowableEventListener() {
            @Override
            public void onEvent(FlowableEvent event) {
                if (event instanceof FlowablePubSubEvent ours) {
                    dispatched.add(ours.getType());
                    throw new IllegalStateException("an engine listener that always fails");
                }
            }

            @Override
            public boolean isFailOnException() {
                return true;
            }
        });
    }

    @AfterAll
    void stop() {
        blocked.countDown();
        lab.close();
    }

    private <E extends InboxEvent> E await(Class<E> type, Predicate<E> which) {
        eventually(type.getSimpleName(), () -> heard.stream()
                .anyMatch(event -> type.isInstance(event) && which.test(type.cast(event))));
        return heard.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .filter(which)
                .findFirst()
                .orElseThrow();
    }

    private String park(String auftragId) {
        return lab.publish("ereignis", "{\"auftragId\": \"" + auftragId + "\", \"status\": \"" + SECRET + "\"}");
    }

    @Test
    void ofAMessageThatIsParkedMovedAndDelivered() {
        String id = park("weg");
        InboxEvent.Parked parked =
                await(InboxEvent.Parked.class, e -> key(e.message()).equals("weg"));
        assertThat(parked.reason()).isEqualTo(Reason.NO_MATCH);
        assertThat(parked.message().messageId()).isEqualTo(id);
        assertThat(parked.message().eventKey()).isEqualTo("auftragAbgeschlossen");
        Long row = Objects.requireNonNull(parked.message().row());
        assertThat(statesWhenHeard).as("committed before").isNotEmpty().containsOnly("PARKED");
        lab.startOrder("auftrag-ausfuehrung", "weg");
        jobs.management()
                .moveDeadLetterJobToExecutableJob(jobs.awaitDeadLetter(row).getId(), 3);
        await(InboxEvent.Repaired.class, e -> row.equals(e.message().row()));
        await(InboxEvent.Delivered.class, e -> row.equals(e.message().row()));
        assertThat(heard.toString()).as("no payload").doesNotContain(SECRET);
        assertThat(dispatched)
                .contains(
                        FlowablePubSubEvent.Type.PUBSUB_MESSAGE_PARKED,
                        FlowablePubSubEvent.Type.PUBSUB_MESSAGE_REPAIRED,
                        FlowablePubSubEvent.Type.PUBSUB_MESSAGE_DELIVERED);
    }

    @Test
    void ofAMessageThatAPersonDiscards() {
        String id = park("verworfen");
        Long row = await(InboxEvent.Parked.class, e -> key(e.message()).equals("verworfen"))
                .message()
                .row();
        lab.node.engine.getIdentityService().setAuthenticatedUserId("kermit");
        try {
            jobs.management()
                    .deleteDeadLetterJob(
                            jobs.awaitDeadLetter(Objects.requireNonNull(row)).getId());
        } finally {
            lab.node.engine.getIdentityService().setAuthenticatedUserId(null);
        }
        InboxEvent.Discarded discarded =
                await(InboxEvent.Discarded.class, e -> e.message().messageId().equals(id));
        assertThat(discarded.by()).isEqualTo("kermit");
        assertThat(discarded.reason()).isNull();
        eventually("dispatched", () -> dispatched.contains(FlowablePubSubEvent.Type.PUBSUB_MESSAGE_DISCARDED));
    }

    @Test
    void ofAMessageThatWaitsForLong() {
        String id = lab.publish("wartet", "{\"auftragId\": \"lange\", \"status\": \"" + SECRET + "\"}");
        InboxEvent.Alarmed alarmed =
                await(InboxEvent.Alarmed.class, e -> e.message().messageId().equals(id));
        assertThat(alarmed.reason()).isEqualTo(Reason.NO_MATCH);
        assertThat(Objects.requireNonNull(alarmed.expiresAt()))
                .isEqualTo(alarmed.waitingSince().plusDays(7));
        eventually("dispatched", () -> dispatched.contains(FlowablePubSubEvent.Type.PUBSUB_MESSAGE_ALARMED));
    }

    @Test
    void ofAConsumerThatFailsAndRecovers() {
        lab.channel("krank", "{}");
        lab.server.failStreams("krank-sub", Status.PERMISSION_DENIED.withDescription("entzogen"));
        InboxEvent.ConsumerFailed failed =
                await(InboxEvent.ConsumerFailed.class, e -> e.channel().key().equals("krank"));
        assertThat(failed.error()).contains("PERMISSION_DENIED");
        assertThat(failed.subscription()).isEqualTo("projects/sample/subscriptions/krank-sub");
        lab.server.heal("krank-sub");
        await(InboxEvent.ConsumerRecovered.class, e -> e.channel().key().equals("krank"));
    }

    /** The lab's other listeners are behind it, messages are not. */
    @Test
    void aListenerThatBlocksKeepsNoMessageBack() {
        String first = lab.startOrder("auftrag-ausfuehrung", "blockiert");
        lab.publish("ereignis", Models.completion("blockiert", 1));
        await(InboxEvent.Delivered.class, e -> key(e.message()).equals("blockiert"));
        String second = lab.startOrder("auftrag-ausfuehrung", "danach");
        lab.publish("ereignis", Models.completion("danach", 1));
        try {
            eventually("both delivered", () -> lab.tasks(first) == 1 && lab.tasks(second) == 1);
            eventually("done", () -> lab.inbox.rows("CORRELATION_KEY_ = 'danach'").stream()
                    .allMatch(row -> row.state().equals("DONE")));
        } finally {
            blocked.countDown();
        }
        await(InboxEvent.Delivered.class, e -> key(e.message()).equals("danach"));
    }
}
