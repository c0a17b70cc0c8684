package io.github.flowablepubsub.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The messages acked last, for redelivering them on request. Bounded. Guarded by the subscription's lock. */
final class AckedHistory {

    static final int MAX_MESSAGES = 10_000;
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    /** A finished message and the key of the lane that it was in. */
    record Entry(String key, QueuedMessage message) {}

    private final Deque<Entry> entries = new ArrayDeque<>();
    private long bytes;

    void add(String key, QueuedMessage message) {
        entries.addLast(new Entry(key, message));
        bytes += message.size();
        while (entries.size() > MAX_MESSAGES || bytes > MAX_BYTES) {
            bytes -= entries.removeFirst().message().size();
        }
    }

    /** Empties it; the latest message comes first. */
    List<Entry> drainLatestFirst() {
        List<Entry> result = new ArrayList<>(entries.size());
        entries.descendingIterator().forEachRemaining(result::add);
        entries.clear();
        bytes = 0;
        return result;
    }
}
