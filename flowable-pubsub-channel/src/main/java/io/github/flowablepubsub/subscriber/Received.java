package io.github.flowablepubsub.subscriber;

import com.google.cloud.pubsub.v1.AckReplyConsumerWithResponse;
import com.google.pubsub.v1.PubsubMessage;
import java.util.function.BooleanSupplier;

/**
 * A message with the way to answer it. Each is acked or nacked exactly once.
 *
 * @param replaced see {@link #isReplaced()}
 * @param answered runs when it is acked or nacked
 */
record Received(
        PubsubMessage message, AckReplyConsumerWithResponse reply, BooleanSupplier replaced, Runnable answered) {

    void ack() {
        answered.run();
        var unused = reply.ack();
    }

    void nack() {
        answered.run();
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
