package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.DedupRule;

/**
 * What happens to a message that cannot be delivered at once, and to its row afterwards.
 *
 * @param cardinality how many receivers a message may have
 * @param order which messages are worked on one after the other
 * @param deduplication by what a message is known to have come before, besides its Pub/Sub id
 * @param buffer how long a message may wait for its subscription
 * @param parking what becomes of messages that nobody took
 * @param retry when a failed delivery is tried again
 * @param retention how long finished rows are kept
 */
public record ChannelPolicy(
        Cardinality cardinality,
        Order order,
        Deduplication deduplication,
        BufferPolicy buffer,
        ParkingPolicy parking,
        RetryPolicy retry,
        RetentionPolicy retention) {

    /** What holds for messages with a business key, as the inbox needs to know it. */
    public DedupRule dedupRule() {
        return new DedupRule(deduplication.parkConflicts(), retention.window());
    }
}
