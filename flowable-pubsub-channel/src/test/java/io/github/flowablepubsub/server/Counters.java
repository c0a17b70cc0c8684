package io.github.flowablepubsub.server;

/** What has happened in a subscription. Guarded by its lock. */
final class Counters {

    long deliveries;
    long acks;
    long ignoredAcks;
    long nacks;
    long expirations;
    long deadLettered;
    long streamsOpened;

    void acked(boolean effective) {
        if (effective) {
            acks++;
        } else {
            ignoredAcks++;
        }
    }

    SubscriptionStats stats(MessageQueue queue, int openStreams) {
        int backlog = queue.unacked() - queue.outstanding();
        return new SubscriptionStats(
                backlog,
                queue.outstanding(),
                queue.unacked(),
                deliveries,
                acks,
                ignoredAcks,
                nacks,
                expirations,
                deadLettered,
                openStreams,
                streamsOpened);
    }
}
