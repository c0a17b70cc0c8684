package io.github.flowablepubsub.server;

import com.google.protobuf.Timestamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are delivered in order: those of one ordering key, or a single one without order. Guarded by the
 * subscription's lock.
 *
 * <p>As the service, it delivers several messages of a key without waiting for acks, to one client at a time, and when
 * one comes back, it and all its successors are delivered again, acked ones included.
 */
final class Lane {

    private final String key;
    private final Deque<QueuedMessage> delivered = new ArrayDeque<>();
    private final Deque<QueuedMessage> pending = new ArrayDeque<>();
    private @Nullable Lessee holder;
    private int holds;

    Lane(String key) {
        this.key = key;
    }

    /** The ordering key, empty for a message without order. */
    String key() {
        return key;
    }

    boolean isEmpty() {
        return pending.isEmpty() && delivered.isEmpty();
    }

    boolean hasPending() {
        return !pending.isEmpty();
    }

    /** Whether its next message, and so everything after it, waits for its time. */
    boolean backsOff() {
        return hasPending() && pending.getFirst().backsOff();
    }

    /** When the back-off of the next message ends, {@link System#nanoTime()}; only while it backs off. */
    long due() {
        return pending.getFirst().due();
    }

    /** Ends the back-off of the next message if it is due; false if it is not, or does not back off. */
    boolean endBackOff(long now) {
        return backsOff() && due() - now <= 0 && pending.getFirst().endBackOff();
    }

    /** Whether nothing may be delivered because a message is on its way to the dead-letter topic. */
    boolean isHeld() {
        return holds > 0;
    }

    void hold() {
        holds++;
    }

    void release() {
        holds--;
    }

    /** Takes out a message for good; false if it is not pending. */
    boolean remove(QueuedMessage message) {
        return pending.remove(message);
    }

    void add(QueuedMessage message) {
        pending.addLast(message);
    }

    /** Puts back a message that had left the lane before all others in it. */
    void restore(QueuedMessage message) {
        pending.addFirst(message);
    }

    boolean offersTo(Lessee lessee) {
        return hasPending() && (delivered.isEmpty() || holder == null || lessee.continues(holder));
    }

    /** The next message, which is from now on the lessee's; only where it is offered. */
    QueuedMessage take(Lessee lessee) {
        QueuedMessage message = pending.removeFirst();
        delivered.addLast(message);
        holder = lessee;
        return message;
    }

    /** Takes out the messages from the head that are acked and can never come back. */
    List<QueuedMessage> removeFinished() {
        List<QueuedMessage> finished = new ArrayList<>(1);
        while (!delivered.isEmpty() && delivered.getFirst().acked()) {
            finished.add(delivered.removeFirst());
        }
        while (delivered.isEmpty() && hasPending() && pending.getFirst().acked()) {
            finished.add(pending.removeFirst());
        }
        return finished;
    }

    /** Makes a delivered message and all its successors pending again; returns those that were delivered, in order. */
    List<QueuedMessage> rewind(QueuedMessage message) {
        List<QueuedMessage> back = new ArrayList<>(1);
        QueuedMessage last;
        do {
            last = delivered.removeLast();
            pending.addFirst(last);
            back.add(last);
        } while (last != message);
        Collections.reverse(back);
        return back;
    }

    boolean isFirstDelivered(QueuedMessage message) {
        return delivered.peekFirst() == message;
    }

    List<QueuedMessage> unackedBefore(Timestamp time) {
        return Stream.concat(delivered.stream(), pending.stream())
                .filter(message -> !message.acked() && message.publishedBefore(time))
                .toList();
    }

    /** The earliest publish time, the given one if there is no message. */
    Timestamp oldest(Timestamp ifEmpty) {
        return Stream.concat(delivered.stream(), pending.stream())
                .map(QueuedMessage::publishTime)
                .reduce(ifEmpty, Backlog::min);
    }

    /** The first acked message that is still here because an earlier one can come back, and that is retained. */
    @Nullable
    QueuedMessage firstRetainedAcked() {
        return delivered.stream()
                .filter(message -> message.acked() && message.retained())
                .findFirst()
                .orElse(null);
    }

    /** The first message that is delivered and can come back. */
    @Nullable
    QueuedMessage firstDelivered() {
        return delivered.peekFirst();
    }
}
