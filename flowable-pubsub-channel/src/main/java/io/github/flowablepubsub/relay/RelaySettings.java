package io.github.flowablepubsub.relay;

import java.time.Duration;

/**
 * How this node relays.
 *
 * @param enabled false for a node that only stores, and does not consume channels with {@code policy.ack:
 *     afterCorrelation}; default true
 * @param threads messages correlated at the same time, each with a database connection; as many again for channels with
 *     {@code policy.ack: afterCorrelation}, if there are any; 1 to 256, default 4
 * @param sweepInterval pause between looks at the table when this node is idle; 100 ms to 1 h, default 5 s
 */
public record RelaySettings(boolean enabled, int threads, Duration sweepInterval) {

    /** The defaults. */
    public static final RelaySettings DEFAULTS = new RelaySettings(true, 4, Duration.ofSeconds(5));

    /**
     * Refuses values out of range.
     *
     * @throws IllegalArgumentException naming property, value and range
     */
    public RelaySettings {
        if (threads < 1 || threads > 256) {
            throw new IllegalArgumentException("flowable.pubsub.relay.threads is " + threads + ", allowed: 1 to 256");
        }
        if (sweepInterval.toMillis() < 100 || sweepInterval.toHours() > 1) {
            throw new IllegalArgumentException(
                    "flowable.pubsub.relay.sweep-interval is " + sweepInterval + ", allowed: PT0.1S to PT1H");
        }
    }
}
