package io.github.flowablepubsub.mirror;

import java.time.Duration;

/**
 * How this node mirrors messages as jobs of the engine. Which ones is decided by each channel's policy.
 *
 * @param showPayload whether jobs show bodies, and errors that may quote them, to whoever may see jobs; default false.
 *     Jobs that are there already stay as they are
 * @param interval pause between two looks for what plain SQL has changed; 100 ms to 10 s, default 8 s
 */
public record MirrorSettings(boolean showPayload, Duration interval) {

    /** The defaults. */
    public static final MirrorSettings DEFAULTS = new MirrorSettings(false, Duration.ofSeconds(8));

    /**
     * Refuses values out of range.
     *
     * @throws IllegalArgumentException naming the value and the range
     */
    public MirrorSettings {
        if (interval.toMillis() < 100 || interval.toSeconds() > 10) {
            throw new IllegalArgumentException(
                    "The interval of the mirrors is " + interval + ", allowed: PT0.1S to PT10S");
        }
    }

    /** The same, with or without bodies. */
    public MirrorSettings withShowPayload(boolean show) {
        return new MirrorSettings(show, interval);
    }
}
