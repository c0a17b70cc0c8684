package io.github.flowablepubsub.server;

import java.util.concurrent.atomic.AtomicLong;

/** Message ids: numbers as text, as the service's. */
final class MessageIds {

    // From the clock, so that a later process does not repeat ids that a database remembers from an earlier one.
    private static final AtomicLong LAST = new AtomicLong(System.currentTimeMillis() * 100_000);

    private MessageIds() {}

    static String next() {
        return Long.toString(LAST.incrementAndGet());
    }
}
