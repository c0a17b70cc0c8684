package io.github.flowablepubsub.channel;

import java.time.Duration;

/**
 * What happens to a message that cannot be delivered at once.
 *
 * @param timeToLive how long a message may wait for its subscription, from its first look-up that found none;
 *     {@link Duration#ZERO} means no buffering: the first look-up decides
 * @param retry when a failed delivery is tried again
 */
public record ChannelPolicy(Duration timeToLive, RetryPolicy retry) {}
