package io.github.flowablepubsub.server;

import com.google.pubsub.v1.ReceivedMessage;

/**
 * One delivery that is neither acked nor given back yet. Replaced when its deadline moves.
 *
 * @param number unique within the subscription; the ack id is made of it
 * @param attempt the how manieth delivery attempt it is, from 1; 0 where attempts are not counted
 * @param deadline when it expires, {@link System#nanoTime()}
 */
record Lease(String ackId, long number, QueuedMessage message, Lane lane, Lessee lessee, int attempt, long deadline) {

    boolean isOver(long now) {
        return deadline - now <= 0;
    }

    Lease until(long newDeadline) {
        return new Lease(ackId, number, message, lane, lessee, attempt, newDeadline);
    }

    ReceivedMessage received() {
        return ReceivedMessage.newBuilder()
                .setAckId(ackId)
                .setMessage(message.message())
                .setDeliveryAttempt(attempt)
                .build();
    }
}
