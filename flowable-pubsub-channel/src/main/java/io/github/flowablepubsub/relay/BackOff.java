package io.github.flowablepubsub.relay;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Slows a worker down while the database is away, so that it neither spins nor floods the log. */
final class BackOff {

    private static final long MAX_MILLIS = 10_000;

    private int failures;

    void succeeded() {
        failures = 0;
    }

    Duration failed() {
        failures = Math.min(failures + 1, 20);
        return current();
    }

    void pause() throws InterruptedException {
        if (failures > 0) {
            TimeUnit.MILLISECONDS.sleep(current().toMillis());
        }
    }

    private Duration current() {
        return Duration.ofMillis(Math.min(100L << Math.min(failures, 10), MAX_MILLIS));
    }
}
