package io.github.flowablepubsub.events;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.Reason;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Hears the numbers that metrics are made of, after the commit and on the thread that did the work: must return at once. An
 * exception is logged and changes nothing. Does nothing by default.
 */
public interface Measures {

    /** Measures nothing. */
    Measures NONE = new Measures() {};

    /**
     * Messages were taken from Pub/Sub and acked.
     *
     * @param messages all of them
     * @param duplicates those of them that were there already
     */
    default void received(ChannelId channel, int messages, int duplicates) {}

    /**
     * A batch was stored.
     *
     * @param took from its first message in hand to its commit
     */
    default void stored(ChannelId channel, Duration took) {}

    /** Messages were given back to Pub/Sub, which delivers them again. */
    default void nacked(ChannelId channel, int messages) {}

    /** A message without a row was nacked (ack after correlation). */
    default void rejected(ChannelId channel, Reason reason) {}

    /** Messages came with the business key of another one and with another body, whatever became of them. */
    default void conflicts(ChannelId channel, int messages) {}

    /**
     * A message has reached its receivers.
     *
     * @param took its transaction, from the lock to the commit, tries that failed included
     * @param delay from its publication to the commit, by the clocks of Pub/Sub and the database; never negative
     */
    default void correlated(ChannelId channel, Duration took, Duration delay) {}

    /** The same as listeners hear, but at once and all of it. */
    default void happened(InboxEvent event) {}

    /**
     * This node begins to consume a channel.
     *
     * @param up whether its consumer runs or pauses; never blocks
     * @param paused whether it pauses, see {@code consumer.pauseAtBacklog}; never blocks
     */
    default void consumes(ChannelId channel, BooleanSupplier up, BooleanSupplier paused) {}

    /** This node consumes the channel no more. */
    default void consumesNoMore(ChannelId channel) {}
}
