package io.github.flowablepubsub.subscriber;

import com.google.cloud.pubsub.v1.AckReplyConsumerWithResponse;
import com.google.pubsub.v1.PubsubMessage;

/** A message with the way to answer it. Each is acked or nacked exactly once. */
record Received(PubsubMessage message, AckReplyConsumerWithResponse reply) {

    void ack() {
        var unused = reply.ack();
    }

    void nack() {
        var unused = reply.nack();
    }

    int size() {
        return message.getSerializedSize();
    }
}
