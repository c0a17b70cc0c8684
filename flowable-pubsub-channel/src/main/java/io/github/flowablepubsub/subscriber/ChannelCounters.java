package io.github.flowablepubsub.subscriber;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a channel's consumer has done since this node started. Thread safe. */
final class ChannelCounters {

    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong duplicates = new AtomicLong();
    private final AtomicLong nacked = new AtomicLong();
    private volatile @Nullable Instant lastMessage;
    private volatile @Nullable Instant lastStall;

    void stored(int newMessages, int duplicateMessages) {
        stored.addAndGet(newMessages);
        duplicates.addAndGet(duplicateMessages);
        lastMessage = Instant.now();
    }

    void nacked(int messages) {
        nacked.addAndGet(messages);
    }

    void stalled() {
        lastStall = Instant.now();
    }

    long stored() {
        return stored.get();
    }

    long duplicates() {
        return duplicates.get();
    }

    long nacked() {
        return nacked.get();
    }

    @Nullable
    Instant lastMessage() {
        return lastMessage;
    }

    @Nullable
    Instant lastStall() {
        return lastStall;
    }
}
