package io.github.flowablepubsub.channel;

import java.time.Duration;

/**
 * What happens to a message that cannot be delivered at once, and to its row afterwards.
 *
 * @param timeToLive how long a message may wait for its subscription, from its first look-up that found none;
 *     {@link Duration#ZERO} means no buffering: the first look-up decides
 * @param retry when a failed delivery is tried again
 * @param retention how long finished rows are kept
 */
public record ChannelPolicy(Duration timeToLive, RetryPolicy retry, RetentionPolicy retention) {}
