package io.github.flowablepubsub.server;

import com.google.pubsub.v1.ReceivedMessage;

/**
 * One delivery that is neither acked nor given back yet. Replaced when its deadline moves.
 *
 * @param number unique within the subscription; the ack id is made of it
 * @param deadline when it expires, {@link System#nanoTime()}
 */
record Lease(String ackId, long number, QueuedMessage message, Lane lane, Lessee lessee, long deadline) {

    Lease until(long newDeadline) {
        return new Lease(ackId, number, message, lane, lessee, newDeadline);
    }

    ReceivedMessage received() {
        return ReceivedMessage.newBuilder()
                .setAckId(ackId)
                .setMessage(message.message())
                .build();
    }
}
