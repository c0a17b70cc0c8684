package io.github.flowablepubsub.server;

import com.google.protobuf.Timestamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * Acked messages: those that the subscription retains, until their time is over, and of the others the last ones, for
 * redelivering them on request. Guarded by the subscription's lock.
 */
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
        while ((entries.size() > MAX_MESSAGES || bytes > MAX_BYTES)
                && !entries.getFirst().message().retained()) {
            bytes -= entries.removeFirst().message().size();
        }
    }

    /** Takes out all, in the order of their acks. */
    List<Entry> removeAll() {
        return remove(entry -> true);
    }

    /** Takes out the retained ones published then or later, in the order of their acks. */
    List<Entry> removeRetainedSince(Timestamp time) {
        return remove(entry -> entry.message().retained() && !entry.message().publishedBefore(time));
    }

    /** Drops those published before. */
    void forgetBefore(Timestamp time) {
        var unused = remove(entry -> entry.message().publishedBefore(time));
    }

    /** The earliest publish time, the given one if there is no message. */
    Timestamp oldest(Timestamp ifEmpty) {
        return entries.stream().map(entry -> entry.message().publishTime()).reduce(ifEmpty, Backlog::min);
    }

    /** The subscription does not retain acked messages any more. */
    void endRetention() {
        entries.forEach(entry -> entry.message().retained(false));
    }

    private List<Entry> remove(Predicate<Entry> wanted) {
        List<Entry> removed = new ArrayList<>();
        // Once around, so that it takes linear time.
        for (int i = entries.size(); i > 0; i--) {
            Entry entry = entries.removeFirst();
            if (wanted.test(entry)) {
                bytes -= entry.message().size();
                removed.add(entry);
            } else {
                entries.addLast(entry);
            }
        }
        return removed;
    }
}
