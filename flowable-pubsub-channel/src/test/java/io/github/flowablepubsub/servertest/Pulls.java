package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Contract.eventually;

import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.SeekRequest;
import java.util.ArrayList;
import java.util.List;

/** Unary pulls of one subscription. */
final class Pulls {

    private static final int MANY = 100;

    private final Clients clients;
    private final String subscription;

    Pulls(Clients clients, String subscription) {
        this.clients = clients;
        this.subscription = subscription;
    }

    PullRequest.Builder request(int max) {
        return PullRequest.newBuilder().setSubscription(subscription).setMaxMessages(max);
    }

    /** What there is now, perhaps nothing. */
    List<ReceivedMessage> now(int max) {
        PullRequest request = immediate(request(max));
        return clients.subscriptions.pullCallable().call(request).getReceivedMessagesList();
    }

    List<ReceivedMessage> now() {
        return now(MANY);
    }

    /** Waits for the next message. */
    ReceivedMessage one() {
        return eventually().until(() -> now(1), messages -> !messages.isEmpty()).get(0);
    }

    /** Waits until so many have come, with as many pulls as it takes, none of them acked. */
    List<ReceivedMessage> some(int count) {
        List<ReceivedMessage> received = new ArrayList<>();
        eventually().until(() -> {
            received.addAll(now(count - received.size()));
            return received.size() == count;
        });
        return received;
    }

    void ack(ReceivedMessage... messages) {
        clients.subscriptions.acknowledge(subscription, ackIds(messages));
    }

    void nack(ReceivedMessage... messages) {
        extend(0, messages);
    }

    /** Moves the deadline to so many seconds from now. */
    void extend(int seconds, ReceivedMessage... messages) {
        clients.subscriptions.modifyAckDeadline(subscription, ackIds(messages), seconds);
    }

    /** Seeks the subscription to a time. */
    void seek(Timestamp time) {
        clients.subscriptions.seek(SeekRequest.newBuilder()
                .setSubscription(subscription)
                .setTime(time)
                .build());
    }

    static String body(ReceivedMessage message) {
        return message.getMessage().getData().toStringUtf8();
    }

    static List<String> bodies(List<ReceivedMessage> messages) {
        return messages.stream().map(Pulls::body).toList();
    }

    @SuppressWarnings("deprecation") // of return_immediately, without which a pull of nothing waits
    private static PullRequest immediate(PullRequest.Builder request) {
        return request.setReturnImmediately(true).build();
    }

    private static List<String> ackIds(ReceivedMessage... messages) {
        return List.of(messages).stream().map(ReceivedMessage::getAckId).toList();
    }
}
