package io.github.flowablepubsub.inbox;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What holds for messages with a business key.
 *
 * @param parkConflicts the same key with another body is stored as {@code PARKED}, {@code DUPLICATE_CONFLICT}; else it is not
 *     stored
 * @param window how long a finished row holds its key
 */
public record DedupRule(boolean parkConflicts, Duration window) {

    long windowMicros() {
        return TimeUnit.NANOSECONDS.toMicros(window.toNanos());
    }
}
