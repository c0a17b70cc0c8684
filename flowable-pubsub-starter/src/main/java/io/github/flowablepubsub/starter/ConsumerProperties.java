package io.github.flowablepubsub.starter;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How messages are pulled for all channels whose files say nothing.
 *
 * @param parallelPullCount streams of a channel on this node; 1 to 32
 * @param maxOutstandingMessages messages that a stream may have pulled and not yet acknowledged
 * @param maxOutstandingBytes the same in bytes of message
 * @param maxAckExtension how long the client goes on extending the ack deadline of a message; 0 to 31 days
 * @param pauseAtBacklog unfinished rows above which pulling pauses; 0 is never
 */
public record ConsumerProperties(
        @DefaultValue("1") int parallelPullCount,
        @DefaultValue("1000") long maxOutstandingMessages,
        @DefaultValue("100MB") DataSize maxOutstandingBytes,
        @DefaultValue("1h") Duration maxAckExtension,
        @DefaultValue("0") long pauseAtBacklog) {}
