package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.DirectMessage;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.NewMessage;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Messages without a row that this node has in hand, by lane: oldest first, by publish time, then receipt. Thread safe. */
final class DirectQueue {

    /**
     * A message in hand.
     *
     * @param busySince {@link System#nanoTime()} of its first try that was not its own fault, null before it
     */
    record Entry(DirectMessage message, long receipt, @Nullable Long busySince) {

        Lane lane() {
            return message.message().lane();
        }

        OffsetDateTime publishedAt() {
            return message.message().publishedAt();
        }

        /** The same, after a try that was not its own fault. */
        Entry busy() {
            return busySince != null ? this : new Entry(message, receipt, System.nanoTime());
        }

        boolean isBusyFor(Duration time) {
            return busySince != null && System.nanoTime() - busySince > time.toNanos();
        }
    }

    private static final Comparator<Entry> OLDEST_FIRST =
            Comparator.comparing(Entry::publishedAt).thenComparing(Entry::receipt);

    private final Map<Lane, PriorityQueue<Entry>> lanes = new HashMap<>();
    private final Interruptions interruptions = new Interruptions();
    private long receipts;

    /** Takes a message in; false when it must be given back, as one before it in its ordering key was. */
    synchronized boolean add(DirectMessage message) {
        if (interruptions.concern(message.message())) {
            return false;
        }
        put(new Entry(message, receipts++, null));
        return true;
    }

    /** Hands the oldest of a lane out. */
    synchronized @Nullable Entry poll(Lane lane) {
        PriorityQueue<Entry> entries = lanes.get(lane);
        Entry oldest = entries == null ? null : entries.poll();
        if (entries != null && entries.isEmpty()) {
            lanes.remove(lane);
        }
        return oldest;
    }

    /** Takes one back that was handed out, to its place. */
    synchronized void put(Entry entry) {
        lanes.computeIfAbsent(entry.lane(), lane -> new PriorityQueue<>(OLDEST_FIRST))
                .add(entry);
    }

    synchronized boolean has(Lane lane) {
        return lanes.containsKey(lane);
    }

    /**
     * A message that was handed out is to be given back: takes those of its lane out that have its ordering key, for Pub/Sub
     * delivers them once more, after it.
     */
    synchronized List<DirectMessage> interrupt(NewMessage nacked) {
        if (nacked.orderingKey() == null) {
            return List.of();
        }
        List<DirectMessage> out = remove(
                nacked.lane(), message -> Objects.equals(message.message().orderingKey(), nacked.orderingKey()));
        interruptions.begin(nacked, out.stream().map(DirectMessage::message).toList());
        return out;
    }

    /** Takes one out; false when it is not there any more. */
    synchronized boolean remove(DirectMessage message) {
        return !remove(message.message().lane(), other -> other == message).isEmpty();
    }

    /** Takes everything of some lanes out. */
    synchronized List<DirectMessage> drain(Predicate<Lane> some) {
        List<DirectMessage> out = new ArrayList<>();
        List.copyOf(lanes.keySet()).stream().filter(some).forEach(lane -> out.addAll(remove(lane, message -> true)));
        return out;
    }

    private List<DirectMessage> remove(Lane lane, Predicate<DirectMessage> some) {
        PriorityQueue<Entry> entries = lanes.getOrDefault(lane, new PriorityQueue<>(OLDEST_FIRST));
        List<DirectMessage> out = entries.stream()
                .sorted(OLDEST_FIRST)
                .map(Entry::message)
                .filter(some)
                .toList();
        entries.removeIf(entry -> some.test(entry.message()));
        if (entries.isEmpty()) {
            lanes.remove(lane);
        }
        return out;
    }
}
