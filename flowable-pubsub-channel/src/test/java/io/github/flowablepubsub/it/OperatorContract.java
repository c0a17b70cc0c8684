package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.events.Observers;
import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.InboxMessage.Seen;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.operations.InboxBulk;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.relay.RepairResult;
import io.github.flowablepubsub.relay.RepairResult.Busy;
import io.github.flowablepubsub.relay.RepairResult.Done;
import io.github.flowablepubsub.relay.RepairResult.NotAsSeen;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.flowable.engine.delegate.JavaDelegate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What operators do to messages, beside a relay that works, on a database where everything is different; one subclass each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OperatorContract {

    private static final int MANY = 130;

    private final TestDatabase kind;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch inDelivery = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<InboxEvent> heard = new CopyOnWriteArrayList<>();
    private @Nullable Lab started;

    OperatorContract(TestDatabase kind) {
        this.kind = kind;
    }

    private Lab lab() {
        return Objects.requireNonNull(started);
    }

    private PubSubInboxService service() {
        return lab().node.pubsub.inbox();
    }

    @BeforeAll
    void start() {
        JavaDelegate slow = execution -> {
            inDelivery.countDown();
            await(goOn);
        };
        started = Lab.start(
                kind.createHostile(),
                Map.of("langsam", slow),
                settings -> settings.withObservers(Observers.listener(heard::add)));
        lab().node.deployProcess(Models.PROCESS);
        lab().node.deployEvents(Map.of("l.event", Models.event("langsam")));
        lab().node
                .deployProcess(Models.chain(
                        "langsam",
                        Models.catchEvent("w", "langsam"),
                        Models.service("s", "langsam"),
                        Models.userTask("t")));
        lab().channel("sofort", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}");
        lab().channel("puffer", "{}");
        lab().channel("langsam", "{}", "{\"fixedValue\": \"langsam\"}");
        lab().channel(
                        "einmal",
                        "{\"deduplication\": {\"key\": \"attribute:ereignis\"}, \"buffer\": {\"timeToLive\": \"PT0S\"}}");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterAll
    void stop() {
        goOn.countDown();
        threads.shutdownNow();
        lab().close();
    }

    private InboxTable.Row inState(String channel, String order, String state) {
        return lab().inbox.messageInState(lab().publish(channel, Models.completion(order, 4711)), state);
    }

    private Seen seen(long row) {
        return service().get(row).orElseThrow().seen();
    }

    private InboxTable.Row row(long id) {
        return lab().inbox.rows("ID_ = " + id).get(0);
    }

    private @Nullable String by(long id) {
        return service().get(id).orElseThrow().finishedBy();
    }

    private RepairResult act(String what, long row) {
        return switch (what) {
            case "retry" -> service().retry(seen(row), "erika");
            case "discard" -> service().discard(seen(row), "erika", "weg damit");
            case "park" -> service().park(seen(row), "erika", "spaeter");
            default -> service().deliver(seen(row), "4711", "erika");
        };
    }

    @Test
    void whatIsInWorkIsNotTakenAway() throws Exception {
        String instance = lab().startOrder("langsam", "l1");
        String message = lab().publish("langsam", "{\"auftragId\": \"l1\"}");
        await(inDelivery);
        InboxFilter filter = InboxFilter.UNFINISHED.withChannel("langsam");
        Seen seen = service().find(filter, 0, 10).messages().get(0).seen();
        assertThat(service().discardAll(filter, 0, 10, "erika", "weg").examples())
                .hasOnlyElementsOfType(Busy.class);
        Future<RepairResult> discard = threads.submit(() -> service().discard(seen, "erika", "weg"));
        goOn.countDown();
        assertThat(discard.get(60, TimeUnit.SECONDS)).isEqualTo(new NotAsSeen(seen.id(), MessageState.DONE));
        lab().inbox.messageInState(message, "DONE");
        assertThat(lab().tasks(instance)).isEqualTo(1);
    }

    @Test
    void theJobLeavesWithTheRow_andComesWithOneThatIsParkedByHand() {
        Jobs jobs = new Jobs(lab());
        long retried = inState("sofort", "job1", "PARKED").id();
        long discarded = inState("sofort", "job2", "PARKED").id();
        assertThat(jobs.count(retried) + jobs.count(discarded)).isEqualTo(2);
        String instance = lab().startOrder("auftrag-ausfuehrung", "job1");
        assertThat(act("retry", retried)).isInstanceOf(Done.class);
        assertThat(jobs.count(retried)).isZero();
        assertThat(act("discard", discarded)).isInstanceOf(Done.class);
        assertThat(jobs.count(discarded)).isZero();
        Lab.eventually("delivered", () -> lab().tasks(instance) == 1);
        assertThat(by(retried)).isEqualTo("erika");
        long parked = inState("puffer", "job3", "WAITING").id();
        assertThat(act("park", parked)).isInstanceOf(Done.class);
        assertThat(jobs.deadLetter(parked).getExceptionMessage())
                .startsWith("PARKED_BY_OPERATOR: Parked by hand: spaeter");
        assertThat(lab().database.count("FLW_PUBSUB_MATCH_KEY", "INBOX_ID_ = " + parked))
                .isZero();
        lab().startOrder("auftrag-ausfuehrung", "job3");
        assertThat(row(parked).state()).as("out of the way").isEqualTo("PARKED");
        Lab.eventually(
                "told",
                () -> heard.stream()
                                .map(InboxEvent::toString)
                                .filter(event -> event.contains("by=erika"))
                                .filter(event -> event.contains("row=" + retried + ",")
                                        || event.contains("row=" + discarded + ",")
                                        || event.contains("row=" + parked + ","))
                                .count()
                        == 3);
    }

    @Test
    void aMessageThatHasFailedAgainMeanwhileIsNotAsSeen_thoughItLooksTheSame() {
        long row = inState("sofort", "wieder", "PARKED").id();
        Seen seen = seen(row);
        assertThat(service().retry(seen, "erika")).isInstanceOf(Done.class);
        Lab.eventually("failed again", () -> row(row).state().equals("PARKED"));
        assertThat(row(row).attempts()).isEqualTo(seen.attempts());
        assertThat(service().discard(seen, "kermit", "weg")).isEqualTo(new NotAsSeen(row, MessageState.PARKED));
        assertThat(service().discard(seen(row), "kermit", "weg")).isInstanceOf(Done.class);
    }

    @Test
    void whatItHeldBackGoesOn() {
        long first = inState("puffer", "reihe", "WAITING").id();
        InboxTable.Row second = inState("puffer", "reihe", "WAITING");
        assertThat(second.reason()).isEqualTo("HELD_BACK");
        assertThat(act("park", first)).isInstanceOf(Done.class);
        Lab.eventually("goes on", () -> "NO_MATCH".equals(row(second.id()).reason()));
        InboxTable.Row third = inState("puffer", "reihe", "WAITING");
        assertThat(act("discard", second.id())).isInstanceOf(Done.class);
        Lab.eventually("goes on", () -> "NO_MATCH".equals(row(third.id()).reason()));
        assertThat(act("retry", third.id())).isInstanceOf(Done.class);
        Lab.eventually("looked at again", () -> row(third.id()).state().equals("WAITING"));
        String instance = lab().startOrder("auftrag-ausfuehrung", "reihe");
        Lab.eventually("delivered", () -> lab().tasks(instance) == 1);
    }

    @Test
    void aDiscardedMessageKeepsItsBusinessKey() {
        ByteString body = ByteString.copyFromUtf8(Models.completion("g", 1));
        InboxTable.Row first =
                lab().inbox.messageInState(lab().publish("einmal", body, Map.of("ereignis", "7")), "PARKED");
        assertThat(act("discard", first.id())).isInstanceOf(Done.class);
        lab().publish("einmal", body, Map.of("ereignis", "7"));
        Lab.eventually("counted", () -> row(first.id()).duplicates() == 1);
        assertThat(lab().inbox.rows("CHANNEL_KEY_ = 'einmal'")).hasSize(1);
    }

    @Test
    void manyAreTriedAgainOrDiscardedPageByPage() {
        List<String> messages = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            messages.add(lab().publish("sofort", Models.completion("viele" + i, 1)));
        }
        messages.forEach(message -> lab().inbox.messageInState(message, "PARKED"));
        for (int i = 0; i < MANY; i++) {
            lab().startOrder("auftrag-ausfuehrung", "viele" + i);
        }
        InboxFilter filter = InboxFilter.PARKED.withChannel("sofort").withErrorText("no subscription");
        InboxBulk firstCall = service().retryAll(filter, 0, 30, "erika");
        assertThat(firstCall.done()).isEqualTo(30);
        InboxBulk rest = service().retryAll(filter, Objects.requireNonNull(firstCall.next()), 100_000, "erika");
        assertThat(rest.done()).isGreaterThanOrEqualTo(MANY - 30);
        assertThat(rest.next()).isNull();
        assertThat(rest.stalled()).isFalse();
        messages.forEach(message -> lab().inbox.messageInState(message, "DONE"));
    }

    /** Rows of a channel that no node knows: no relay touches them (rule R10). */
    private void parkForNobody(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(lab().inbox
                            .sql("insert into FLW_PUBSUB_INBOX (CHANNEL_KEY_, MESSAGE_ID_, BODY_HASH_, ORDER_KEY_,"
                                    + " STATE_, ATTEMPTS_, NEXT_ATTEMPT_, ATTRIBUTES_, PUBLISHED_AT_, RECEIVED_AT_)"
                                    + " values ('niemand', 'd" + i + "', 'h', 'd" + i
                                    + "', 'PARKED', 1, CURRENT_TIMESTAMP, '{}',"
                                    + " CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)"))
                    .isEqualTo(1);
        }
    }

    @Test
    void whereNobodyRelaysNoMoreThanOnePageIsOpened_theRestIsGoneOnWith() {
        parkForNobody(MANY);
        InboxFilter filter = InboxFilter.PARKED.withChannel("niemand");
        InboxBulk stalled = service().retryAll(filter, "erika");
        assertThat(stalled.stalled()).isTrue();
        assertThat(stalled.done()).isEqualTo(100);
        assertThat(lab().database.count("FLW_PUBSUB_INBOX", "CHANNEL_KEY_ = 'niemand' and STATE_ = 'OPEN'"))
                .isEqualTo(100);
        InboxBulk discarded =
                service().discardAll(InboxFilter.UNFINISHED.withChannel("niemand"), 0, 1000, "erika", "aufgegeben");
        assertThat(discarded.done()).isEqualTo(MANY);
        assertThat(discarded.next()).isNull();
        assertThatThrownBy(() -> service().retryAll(filter.withStates(MessageState.DONE), "erika"))
                .hasMessageContaining("only states that are final");
    }

    /** The first two are one event, whose younger message is held back; with strict order another event is, too. */
    @Test
    void whatIsHeldBackIsDiscardedWithTheRest_notDelivered() {
        lab().channel("streng", "{\"order\": \"strict\"}", "{\"jsonField\": \"typ\"}");
        String instance = lab().startOrder("langsam", "st1");
        List<String> ids = new ArrayList<>();
        for (String event : List.of("auftragAbgeschlossen", "auftragAbgeschlossen", "langsam")) {
            ids.add(lab().publish("streng", "{\"typ\": \"" + event + "\", \"auftragId\": \"st1\"}"));
            lab().inbox.messageInState(ids.get(ids.size() - 1), "WAITING");
        }
        InboxBulk all =
                service().discardAll(InboxFilter.UNFINISHED.withChannel("streng"), 0, 100, "erika", "storniert");
        assertThat(all.done()).as(all.toString()).isEqualTo(3);
        assertThat(all.others()).isZero();
        ids.forEach(id -> lab().inbox.messageInState(id, "DISCARDED"));
        assertThat(lab().tasks(instance)).isZero();
    }
}
