package io.github.flowablepubsub.server;

/**
 * Counts of one subscription of {@link PubSubServer} since its creation.
 *
 * @param backlog messages that wait for delivery now
 * @param outstanding messages that are delivered and not acked now
 * @param unacked messages that are not acked now: backlog and outstanding together
 * @param deliveries messages sent, redeliveries included
 * @param acks acks that took effect
 * @param ignoredAcks acks without effect: of an ack id that had expired or was acked before, or lost by
 *     {@link PubSubServer#loseAcks}
 * @param nacks messages given back by a client with an ack deadline of zero
 * @param expirations messages whose ack deadline ran out
 * @param deadLettered messages forwarded to the dead-letter topic
 * @param openStreams streaming pulls that are open now
 * @param streamsOpened streaming pulls ever accepted
 */
public record SubscriptionStats(
        int backlog,
        int outstanding,
        int unacked,
        long deliveries,
        long acks,
        long ignoredAcks,
        long nacks,
        long expirations,
        long deadLettered,
        int openStreams,
        long streamsOpened) {}
