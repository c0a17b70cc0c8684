package io.github.flowablepubsub.servertest;

import com.google.cloud.pubsub.v1.AckReplyConsumer;
import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.pubsub.v1.PubsubMessage;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records what arrives; acks it, or nacks the first delivery of chosen bodies. */
final class Received implements MessageReceiver {

    private final List<PubsubMessage> messages = new CopyOnWriteArrayList<>();
    private final Set<String> toNack = ConcurrentHashMap.newKeySet();

    static Received nackingOnce(String... bodies) {
        Received received = new Received();
        received.toNack.addAll(List.of(bodies));
        return received;
    }

    @Override
    public void receiveMessage(PubsubMessage message, AckReplyConsumer reply) {
        messages.add(message);
        if (toNack.remove(message.getData().toStringUtf8())) {
            reply.nack();
        } else {
            reply.ack();
        }
    }

    List<PubsubMessage> messages() {
        return messages;
    }

    List<String> bodies() {
        return messages.stream()
                .map(message -> message.getData().toStringUtf8())
                .toList();
    }

    List<String> bodies(String orderingKey) {
        return messages.stream()
                .filter(message -> message.getOrderingKey().equals(orderingKey))
                .map(message -> message.getData().toStringUtf8())
                .toList();
    }

    List<String> ids() {
        return messages.stream().map(PubsubMessage::getMessageId).toList();
    }
}
