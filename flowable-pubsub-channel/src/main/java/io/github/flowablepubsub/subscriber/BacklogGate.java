package io.github.flowablepubsub.subscriber;

import java.util.function.IntToLongFunction;

/**
 * Whether a channel has so many unfinished rows that its consumer is to leave the rest in Pub/Sub. It closes beyond the limit and
 * opens below half of it, so that a backlog around the limit does not make the consumer come and go. One thread at a time.
 */
final class BacklogGate {

    private final int limit;
    private final IntToLongFunction count;
    private boolean closed;

    /**
     * @param limit unfinished rows, at least 1
     * @param count counts unfinished rows, exactly up to a number
     */
    BacklogGate(int limit, IntToLongFunction count) {
        this.limit = limit;
        this.count = count;
    }

    int limit() {
        return limit;
    }

    /**
     * Counts, and closes or opens.
     *
     * @return whether it is closed
     * @throws RuntimeException when the database failed; the gate stays as it is
     */
    synchronized boolean isClosed() {
        int half = limit / 2 + limit % 2;
        int enough = closed ? half : limit == Integer.MAX_VALUE ? limit : limit + 1;
        closed = count.applyAsLong(enough) >= enough;
        return closed;
    }
}
