package io.github.flowablepubsub.server;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import com.google.pubsub.v1.PubsubMessage;
import org.jspecify.annotations.Nullable;

/** One message in one subscription, with what has become of it. Guarded by the subscription's lock. */
final class QueuedMessage {

    private final PubsubMessage message;
    private final int size;
    private @Nullable Lease lease;
    private boolean acked;
    private boolean retained;
    private int failures;
    private int failedAttempts;
    private boolean backingOff;
    private long due;

    QueuedMessage(PubsubMessage message) {
        this.message = message;
        this.size = message.getSerializedSize();
    }

    PubsubMessage message() {
        return message;
    }

    /** Bytes that it counts in flow control. */
    int size() {
        return size;
    }

    /** The lease that runs, null while there is none. */
    @Nullable
    Lease lease() {
        return lease;
    }

    void lease(@Nullable Lease value) {
        lease = value;
    }

    boolean acked() {
        return acked;
    }

    void acked(boolean value) {
        acked = value;
    }

    /** Whether it stays in the subscription although it is acked. */
    boolean retained() {
        return retained;
    }

    void retained(boolean value) {
        retained = value;
    }

    Timestamp publishTime() {
        return message.getPublishTime();
    }

    boolean publishedBefore(Timestamp time) {
        return Timestamps.compare(message.getPublishTime(), time) < 0;
    }

    /** How many delivery attempts have failed of those that were counted. */
    int failedAttempts() {
        return failedAttempts;
    }

    /** How many deliveries have failed in a row. */
    int failures() {
        return failures;
    }

    /** It was nacked, or its deadline ran out. */
    void failed(boolean counted) {
        failures++;
        if (counted) {
            failedAttempts++;
        }
    }

    /** Not to be delivered again before then, {@link System#nanoTime()}. */
    void backOffUntil(long nanoTime) {
        backingOff = true;
        due = nanoTime;
    }

    boolean backsOff() {
        return backingOff;
    }

    long due() {
        return due;
    }

    /** Whether it did back off. */
    boolean endBackOff() {
        boolean ended = backingOff;
        backingOff = false;
        return ended;
    }
}
