package io.github.flowablepubsub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.inbox.DirectMessage;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.Payload;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is in hand of a lane, and what goes back with a message that is nacked. */
class DirectQueueTest {

    private static final OffsetDateTime START = OffsetDateTime.parse("2026-12-01T00:00:00Z");
    private static final Lane LANE = new Lane("kanal", "", "o1");

    private final DirectQueue queue = new DirectQueue();

    private record Message(NewMessage message) implements DirectMessage {

        @Override
        public boolean isLeaving() {
            return false;
        }

        @Override
        public void committed(boolean duplicate) {
            throw new IllegalStateException("a queue answers nothing");
        }

        @Override
        public void rolledBack() {
            throw new IllegalStateException("a queue answers nothing");
        }

        @Override
        public void databaseAway() {
            throw new IllegalStateException("a queue answers nothing");
        }
    }

    /** The id's number is the second of its publication. */
    private static Message message(String id, @Nullable String orderingKey) {
        return new Message(new NewMessage(
                LANE.channelKey(),
                "",
                "",
                id,
                "ereignis",
                "o1",
                LANE.orderKey(),
                new Payload("{}", null),
                "hash",
                "{}",
                orderingKey,
                START.plusSeconds(Long.parseLong(id))));
    }

    private boolean add(String id, @Nullable String orderingKey) {
        return queue.add(message(id, orderingKey));
    }

    private NewMessage poll() {
        return Objects.requireNonNull(queue.poll(LANE)).message().message();
    }

    private List<String> drain() {
        List<String> ids = new ArrayList<>();
        while (queue.has(LANE)) {
            ids.add(poll().messageId());
        }
        return ids;
    }

    private static List<String> ids(List<DirectMessage> messages) {
        return messages.stream().map(message -> message.message().messageId()).toList();
    }

    @Test
    void theOldestIsFirst_alsoOneThatWasPutBack() {
        List.of("3", "1", "2").forEach(id -> add(id, null));
        DirectQueue.Entry first = Objects.requireNonNull(queue.poll(LANE));
        add("4", null);
        queue.put(first.busy());
        assertThat(drain()).containsExactly("1", "2", "3", "4");
    }

    @Test
    void withANackedMessageGoWhatIsInHandOfItsOrderingKey() {
        add("1", "k");
        add("4", "k");
        add("2", "other");
        add("3", "k");
        add("5", null);
        assertThat(ids(queue.interrupt(poll()))).containsExactly("3", "4");
        assertThat(drain()).containsExactly("2", "5");
    }

    @Test
    void withoutOrderingKeyNothingElseGoes() {
        add("1", null);
        add("2", null);
        assertThat(queue.interrupt(poll())).isEmpty();
        assertThat(add("3", null)).isTrue();
        assertThat(drain()).containsExactly("2", "3");
    }

    /** Successors that were on their way when the nack went out are of the delivery before. */
    @Test
    void untilTheNewDeliveryBeginsLateSuccessorsGoBack() {
        add("1", "k");
        add("2", "k");
        assertThat(ids(queue.interrupt(poll()))).containsExactly("2");
        assertThat(add("3", "k")).isFalse();
        assertThat(add("4", "k")).isFalse();
        assertThat(add("3", "other")).as("another key").isTrue();
        assertThat(add("1", "k")).as("the new delivery").isTrue();
        assertThat(add("2", "k")).isTrue();
        assertThat(add("5", "k")).isTrue();
    }

    /** The nacked one went to the dead-letter topic: its successors are not given back for ever. */
    @Test
    void aKeyGoesOnWithoutItsFirstMessage() {
        add("1", "k");
        queue.interrupt(poll());
        assertThat(add("2", "k")).isFalse();
        assertThat(add("2", "k")).isTrue();
        queue.interrupt(poll());
        AtomicInteger next = new AtomicInteger(3);
        await().until(() -> add(Integer.toString(next.getAndIncrement()), "k"));
        assertThat(next.get()).as("given back for a while").isGreaterThan(4);
    }
}
