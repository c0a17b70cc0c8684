package io.github.flowablepubsub.servertest;

import com.google.cloud.pubsub.v1.AckReplyConsumerWithResponse;
import com.google.cloud.pubsub.v1.AckResponse;
import com.google.cloud.pubsub.v1.MessageReceiverWithAckResponse;
import com.google.pubsub.v1.PubsubMessage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/** Acks what arrives, each after a step of the test's choice, and records what the client is told about the acks. */
final class AckResponses implements MessageReceiverWithAckResponse {

    private final List<PubsubMessage> messages = new CopyOnWriteArrayList<>();
    private final List<AckResponse> responses = new CopyOnWriteArrayList<>();
    private final Executor sameThread = Runnable::run;
    private final Runnable beforeAck;

    AckResponses(Runnable beforeAck) {
        this.beforeAck = beforeAck;
    }

    @Override
    public void receiveMessage(PubsubMessage message, AckReplyConsumerWithResponse reply) {
        messages.add(message);
        beforeAck.run();
        var response = reply.ack();
        response.addListener(
                () -> {
                    try {
                        responses.add(response.get());
                    } catch (InterruptedException | ExecutionException e) {
                        throw new IllegalStateException(e);
                    }
                },
                sameThread);
    }

    List<AckResponse> responses() {
        return responses;
    }

    List<String> bodies() {
        return messages.stream()
                .map(message -> message.getData().toStringUtf8())
                .toList();
    }
}
