package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.operations.InboxBulk;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.flowable.eventregistry.api.InboundEventFilter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An operator before ten thousand parked messages. */
@Tag("once") // on one Flowable line, see .ci/run
class OperatorScaleTest {

    private static final int MANY = 10_000;
    private static final long MAX_HEAP = 128L << 20;

    private static final String PARKED =
            """
            insert into FLW_PUBSUB_INBOX (CHANNEL_KEY_, MESSAGE_ID_, BODY_HASH_, EVENT_KEY_, CORRELATION_KEY_, ORDER_KEY_,
                STATE_, REASON_, ATTEMPTS_, NEXT_ATTEMPT_, PAYLOAD_, ATTRIBUTES_, PUBLISHED_AT_, RECEIVED_AT_)
            select 'viele', 'm' || n, 'h' || n, 'auftragAbgeschlossen', 'v' || n, 'v' || n, 'PARKED', 'NO_MATCH', 1,
                CURRENT_TIMESTAMP, '{"auftragId": "v' || n || '"}', '{"alt": "ja"}', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP
            from generate_series(1, %d) n
            """;

    private static final String LANES =
            "insert into FLW_PUBSUB_LANE (CHANNEL_KEY_, ORDER_KEY_) select 'viele', 'v' || n from generate_series(1, %d) n";

    /** Each is read and dropped by the channel's filter: deliveries are not measured. */
    @Test
    void looksAreQuick_andRetryingAllKeepsNothingInMemoryAndHoldsNoNewMessageBack() {
        InboundEventFilter<Object> onlyNew = (key, event) -> !event.getHeaders().containsKey("alt");
        try (Lab lab = Lab.start(TestDatabase.POSTGRES, Map.of("nurNeue", onlyNew))) {
            lab.node.deployProcess(Models.PROCESS);
            lab.server.createTopic("viele");
            lab.server.createSubscription("viele-sub", "viele");
            lab.node.deployEvents(Map.of(
                    "viele.channel",
                    Models.channel(
                            "viele",
                            "viele-sub",
                            "{\"parking\": {\"deadLetterJob\": false}}",
                            Lab.FIXED,
                            ", \"eventFilterDelegateExpression\": \"${nurNeue}\"")));
            lab.inbox.sql(PARKED.formatted(MANY));
            lab.inbox.sql(LANES.formatted(MANY));
            PubSubInboxService service = lab.node.pubsub.inbox();
            InboxFilter filter = InboxFilter.PARKED.withChannel("viele");
            assertThat(quick(() -> service.find(filter, 0, 100)).messages()).hasSize(100);
            assertThat(quick(() -> service.findNewest(filter, Long.MAX_VALUE, 100))
                            .messages())
                    .hasSize(100);
            assertThat(quick(service::groups).in(MessageState.PARKED)).isEqualTo(MANY);

            String instance = lab.startOrder("auftrag-ausfuehrung", "neu");
            long before = heap();
            CompletableFuture<InboxBulk> all = CompletableFuture.supplyAsync(() -> service.retryAll(filter, "erika"));
            Lab.eventually("some are looked at", () -> lab.database.rows("DISCARDED") > MANY / 10);
            String fresh = lab.publish("viele", Models.completion("neu", 1));
            lab.inbox.messageInState(fresh, "DONE");
            assertThat(lab.database.rows("PARKED"))
                    .as("delivered before the last is opened")
                    .isPositive();
            assertThat(lab.tasks(instance)).isEqualTo(1);
            assertThat(heap() - before).isLessThan(MAX_HEAP);
            InboxBulk done = all.orTimeout(120, TimeUnit.SECONDS).join();
            assertThat(done.done()).isEqualTo(MANY);
            assertThat(done.stalled()).isFalse();
            Lab.eventually("all are looked at", () -> lab.database.rows("DISCARDED") == MANY);
            assertThat(heap() - before).isLessThan(MAX_HEAP);
        }
    }

    /** The second time, as statements have to be prepared once. */
    private static <T> T quick(Supplier<T> look) {
        T unused = look.get();
        long start = System.nanoTime();
        T found = look.get();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
        return found;
    }

    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
