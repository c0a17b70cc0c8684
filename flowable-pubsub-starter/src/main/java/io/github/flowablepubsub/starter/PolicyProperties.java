package io.github.flowablepubsub.starter;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What holds for all channels whose files say nothing. Words and ranges are those of the channel file.
 *
 * @param ack when a message is acked: afterStore or afterCorrelation
 * @param cardinality how many receivers a message may have: onePerDefinition, one or all
 * @param order what is worked on one message at a time: correlationKey, strict, parameter:NAME,
 *     orderingKey or none
 * @param deduplication recognising duplicates
 * @param buffer waiting for a subscription
 * @param retry trying again
 * @param parking what becomes of messages that nobody took
 * @param retention what is kept of finished messages
 */
public record PolicyProperties(
        @DefaultValue("afterStore") String ack,
        @DefaultValue("onePerDefinition") String cardinality,
        @DefaultValue("correlationKey") String order,
        @DefaultValue Deduplication deduplication,
        @DefaultValue Buffer buffer,
        @DefaultValue Retry retry,
        @DefaultValue Parking parking,
        @DefaultValue Retention retention) {

    /**
     * Recognising duplicates.
     *
     * @param key business key of a message, besides its Pub/Sub id: none, correlationKey, attribute:NAME or payload:NAME
     * @param onConflict what becomes of a message with the same business key but another body: park or ignore
     * @param window how long a finished row is kept to recognise duplicates; 10 minutes to 3650 days
     */
    public record Deduplication(
            @DefaultValue("none") String key,
            @DefaultValue("park") String onConflict,
            @DefaultValue("7d") Duration window) {}

    /**
     * Waiting for a subscription.
     *
     * @param timeToLive how long a message waits for its subscription, from its first look-up; 0 to 3650 days
     * @param timeToLiveAttribute Pub/Sub attribute in which a message may have its own, as an ISO 8601 duration
     * @param alarmAfter a message that waits longer raises the alarm and goes on waiting; 0 to 3650 days, 0 for none
     */
    public record Buffer(
            @DefaultValue("7d") Duration timeToLive,
            @Nullable String timeToLiveAttribute,
            @DefaultValue("1h") Duration alarmAfter) {}

    /**
     * Trying again.
     *
     * @param initialDelay pause before the second attempt; 1 ms to 3650 days
     * @param multiplier factor by which each pause is longer than the one before; 1 to 100
     * @param maxDelay longest pause; not below the initial delay
     * @param giveUpAfter a process that keeps failing is given up so long after its first failure; 0 to 3650 days
     */
    public record Retry(
            @DefaultValue("1s") Duration initialDelay,
            @DefaultValue("2") double multiplier,
            @DefaultValue("5m") Duration maxDelay,
            @DefaultValue("1d") Duration giveUpAfter) {}

    /**
     * What becomes of messages that nobody took.
     *
     * @param onNoMatch without a subscription within the time to live: park or discard
     * @param onUnknownEvent without an event definition within the time to live: park or discard
     * @param laterMessages whether later messages of the same key pass a parked one: continue or wait
     * @param deadLetterJob whether a parked message is a dead-letter job of the engine, too
     */
    public record Parking(
            @DefaultValue("park") String onNoMatch,
            @DefaultValue("park") String onUnknownEvent,
            @DefaultValue("continue") String laterMessages,
            @DefaultValue("true") boolean deadLetterJob) {}

    /**
     * What is kept of finished messages.
     *
     * @param payload bodies and attributes are cleared so long after the message was finished; 0 to 3650 days
     */
    public record Retention(@DefaultValue("1d") Duration payload) {}
}
