package io.github.flowablepubsub.channel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long one message may wait.
 *
 * @param duration from its first look-up that found no subscription
 * @param note why it is not what the message itself says; null when there is nothing to say
 */
public record TimeToLive(Duration duration, @Nullable String note) {}
