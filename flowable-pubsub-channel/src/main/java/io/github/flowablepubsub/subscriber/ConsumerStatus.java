package io.github.flowablepubsub.subscriber;

import io.github.flowablepubsub.inbox.ChannelId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a channel's consumer is, from local state: reading it never blocks.
 *
 * @param channel key and tenant
 * @param subscription full name
 * @param state what it does
 * @param since when it began to
 * @param error why it restarts or pauses, null while it runs
 * @param lastMessage when it last stored a message, null when it has not yet
 * @param lastStall when a subscriber was last found to have delivered nothing although messages were there; null for never
 * @param stored messages stored since this node started; with {@code afterCorrelation} those that were correlated
 * @param duplicates redeliveries acked since this node started
 * @param nacked messages given back since this node started
 */
public record ConsumerStatus(
        ChannelId channel,
        String subscription,
        State state,
        Instant since,
        @Nullable String error,
        @Nullable Instant lastMessage,
        @Nullable Instant lastStall,
        long stored,
        long duplicates,
        long nacked) {

    /** Running, or pausing on purpose. */
    public boolean isUp() {
        return state == State.RUNNING || state == State.PAUSED;
    }

    /** What a consumer does. */
    public enum State {
        /** Connected, or on the way to it for the first time. */
        RUNNING,
        /** More unfinished rows than {@code consumer.pauseAtBacklog}: it pulls nothing, messages stay in Pub/Sub. */
        PAUSED,
        /** Its subscriber died and is started again, with back-off. */
        RESTARTING,
        /** Stopped with the node or the channel. */
        STOPPED
    }
}
