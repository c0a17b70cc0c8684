package io.github.flowablepubsub.operations;

import java.time.Duration;

/**
 * How this node clears and removes finished rows. What is due is decided by each channel's policy.
 *
 * @param enabled false for a node that leaves it to others; default true. Some node has to do it
 * @param interval pause between two rounds; 1 s to 1 day, default 1 minute. After rounds without work it grows to ten times
 */
public record RetentionSettings(boolean enabled, Duration interval) {

    /** The defaults. */
    public static final RetentionSettings DEFAULTS = new RetentionSettings(true, Duration.ofMinutes(1));

    /**
     * Refuses values out of range.
     *
     * @throws IllegalArgumentException naming property, value and range
     */
    public RetentionSettings {
        if (interval.toMillis() < 1000 || interval.toDays() > 1) {
            throw new IllegalArgumentException(
                    "flowable.pubsub.retention.interval is " + interval + ", allowed: PT1S to P1D");
        }
    }
}
