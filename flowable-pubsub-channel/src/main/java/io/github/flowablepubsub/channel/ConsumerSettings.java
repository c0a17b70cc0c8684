package io.github.flowablepubsub.channel;

import java.time.Duration;

/**
 * How messages are pulled.
 *
 * @param parallelPullCount number of streams, 1 to 32
 * @param maxOutstandingMessages messages that a stream may have pulled and not yet acknowledged, at least 1
 * @param maxOutstandingBytes the same in bytes of message, at least 1
 * @param maxAckExtension how long the client goes on extending the ack deadline of a message; {@link Duration#ZERO}: not at
 *     all
 * @param pauseAtBacklog with more unfinished rows of the channel than this (open and waiting ones) it stops pulling, until there
 *     are fewer than half; 0: never
 */
public record ConsumerSettings(
        int parallelPullCount,
        long maxOutstandingMessages,
        long maxOutstandingBytes,
        Duration maxAckExtension,
        int pauseAtBacklog) {}
