package io.github.flowablepubsub.channel;

import java.time.Duration;

/**
 * What happens to a message that cannot be delivered at once, and to its row afterwards.
 *
 * @param cardinality how many receivers a message may have
 * @param order which messages are worked on one after the other
 * @param timeToLive how long a message may wait for its subscription, from its first look-up that found none;
 *     {@link Duration#ZERO} means no buffering: the first look-up decides
 * @param parking what becomes of messages that nobody took
 * @param retry when a failed delivery is tried again
 * @param retention how long finished rows are kept
 */
public record ChannelPolicy(
        Cardinality cardinality,
        Order order,
        Duration timeToLive,
        ParkingPolicy parking,
        RetryPolicy retry,
        RetentionPolicy retention) {

    /** The same with another time to live. */
    public ChannelPolicy withTimeToLive(Duration other) {
        return new ChannelPolicy(cardinality, order, other, parking, retry, retention);
    }
}
