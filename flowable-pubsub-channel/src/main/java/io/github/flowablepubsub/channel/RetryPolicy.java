package io.github.flowablepubsub.channel;

import java.time.Duration;

/**
 * When a failed delivery is tried again. Jitter is the business of whoever applies it.
 *
 * @param initialDelay pause before the second attempt, at least one millisecond
 * @param multiplier factor by which each pause is longer than the one before, at least 1
 * @param maxDelay longest pause, at least {@code initialDelay}
 * @param giveUpAfter process failures are given up this long after the first of them, {@link Duration#ZERO} means after the
 *     first; infrastructure failures are never given up
 */
public record RetryPolicy(Duration initialDelay, double multiplier, Duration maxDelay, Duration giveUpAfter) {}
