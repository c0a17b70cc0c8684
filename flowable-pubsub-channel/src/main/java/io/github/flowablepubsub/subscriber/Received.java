package io.github.flowablepubsub.subscriber;

import com.google.cloud.pubsub.v1.AckReplyConsumerWithResponse;
import com.google.pubsub.v1.PubsubMessage;
import java.util.function.BooleanSupplier;

/**
 * A message with the way to answer it. Each is acked or nacked exactly once.
 *
 * @param replaced see {@link #isReplaced()}
 */
record Received(PubsubMessage message, AckReplyConsumerWithResponse reply, BooleanSupplier replaced) {

    void ack() {
        var unused = reply.ack();
    }

    void nack() {
        var unused = reply.nack();
    }

    /** Whether the subscriber that brought it was replaced meanwhile. */
    boolean isReplaced() {
        return replaced.getAsBoolean();
    }

    int size() {
        return message.getSerializedSize();
    }
}
