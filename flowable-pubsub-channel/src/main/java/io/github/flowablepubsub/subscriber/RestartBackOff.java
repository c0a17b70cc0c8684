package io.github.flowablepubsub.subscriber;

import java.time.Duration;

/** Pauses before restarts: one second, twice as long each time, at most a minute. Not thread safe. */
final class RestartBackOff {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration MAX = Duration.ofMinutes(1);

    private int failures;

    /** @param anew whether it was healthy before this failure */
    Duration next(boolean anew) {
        failures = anew ? 1 : Math.min(failures + 1, 20);
        return Duration.ofMillis(Math.min(FIRST.toMillis() << Math.min(failures - 1, 10), MAX.toMillis()));
    }

    /** In a row, counted up to 20. */
    int failures() {
        return failures;
    }
}
