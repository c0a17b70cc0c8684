package io.github.flowablepubsub.channel;

import java.time.Duration;

/** What holds where a {@code .channel} file says nothing. */
public final class ChannelDefaults {

    /** {@code deserializerType}. */
    public static final String DESERIALIZER_TYPE = "json";

    /** {@code policy.buffer.timeToLive}, 7 days. */
    public static final Duration TIME_TO_LIVE = Duration.ofDays(7);

    /** {@code policy.buffer.alarmAfter}, 1 hour. */
    public static final Duration ALARM_AFTER = Duration.ofHours(1);

    /** {@code policy.retry.initialDelay}, 1 second. */
    public static final Duration RETRY_INITIAL_DELAY = Duration.ofSeconds(1);

    /** {@code policy.retry.multiplier}. */
    public static final double RETRY_MULTIPLIER = 2;

    /** {@code policy.retry.maxDelay}, 5 minutes. */
    public static final Duration RETRY_MAX_DELAY = Duration.ofMinutes(5);

    /** {@code policy.retry.giveUpAfter}, 1 day. */
    public static final Duration RETRY_GIVE_UP_AFTER = Duration.ofDays(1);

    /** {@code policy.retention.payload}, 1 day. */
    public static final Duration RETENTION_PAYLOAD = Duration.ofDays(1);

    /** {@code policy.deduplication.window}, 7 days: as long as a Pub/Sub subscription retains messages by default. */
    public static final Duration DEDUPLICATION_WINDOW = Duration.ofDays(7);

    /** {@code consumer.parallelPullCount}. */
    public static final int PARALLEL_PULL_COUNT = 1;

    /** {@code consumer.maxOutstandingMessages}. */
    public static final long MAX_OUTSTANDING_MESSAGES = 1000;

    /** {@code consumer.maxOutstandingBytes}, 100 MB of 1024 x 1024 bytes, as in the Pub/Sub client. */
    public static final long MAX_OUTSTANDING_BYTES = 100L * 1024 * 1024;

    /** {@code consumer.maxAckExtension}, 1 hour. */
    public static final Duration MAX_ACK_EXTENSION = Duration.ofHours(1);

    /** {@code consumer.pauseAtBacklog}, never. */
    public static final int PAUSE_AT_BACKLOG = 0;

    /** {@code policy} as a whole. */
    public static final ChannelPolicy POLICY = new ChannelPolicy(
            Cardinality.ONE_PER_DEFINITION,
            Order.CORRELATION_KEY,
            Deduplication.NONE,
            new BufferPolicy(TIME_TO_LIVE, null, ALARM_AFTER),
            new ParkingPolicy(false, false, false, true),
            new RetryPolicy(RETRY_INITIAL_DELAY, RETRY_MULTIPLIER, RETRY_MAX_DELAY, RETRY_GIVE_UP_AFTER),
            new RetentionPolicy(RETENTION_PAYLOAD, DEDUPLICATION_WINDOW));

    /** {@code consumer} as a whole. */
    public static final ConsumerSettings CONSUMER = new ConsumerSettings(
            PARALLEL_PULL_COUNT, MAX_OUTSTANDING_MESSAGES, MAX_OUTSTANDING_BYTES, MAX_ACK_EXTENSION, PAUSE_AT_BACKLOG);

    private ChannelDefaults() {}
}
