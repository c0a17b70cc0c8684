package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static io.github.flowablepubsub.servertest.Contract.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Ordering keys. */
interface OrderingContract extends Contract {

    @Test
    default void messagesOfAKeyArriveInOrder() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.orderedSubscription();
            Received received = new Received();
            clients.subscriber(subscription, received);
            Map<String, List<String>> expected = new TreeMap<>();
            PubsubMessage[] messages = new PubsubMessage[100];
            for (int i = 0; i < messages.length; i++) {
                String key = "key" + i % 3;
                messages[i] = message("m" + i, key);
                expected.computeIfAbsent(key, k -> new ArrayList<>()).add("m" + i);
            }
            clients.publish(messages);
            eventually().untilAsserted(() -> assertThat(received.messages()).hasSize(100));
            expected.forEach((key, bodies) -> assertThat(received.bodies(key)).isEqualTo(bodies));
        }
    }

    @Test
    default void nackedMessageIsDeliveredAgainBeforeItsSuccessors() throws Exception {
        assumeWithout(Gap.SUCCESSORS_NOT_REDELIVERED);
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.orderedSubscription();
            Received received = Received.nackingOnce("b");
            clients.publish(message("a", "k"), message("b", "k"), message("c", "k"), message("d", "k"));
            clients.subscriber(subscription, received);
            eventually().untilAsserted(() -> {
                List<String> bodies = received.bodies();
                int again = bodies.lastIndexOf("b");
                assertThat(again).isGreaterThan(bodies.indexOf("b"));
                assertThat(bodies.subList(again, bodies.size())).containsExactly("b", "c", "d");
            });
            assertThat(received.bodies()).startsWith("a", "b");
        }
    }

    @Test
    default void givenBackMessageBringsItsSuccessorsBack() throws Exception {
        assumeWithout(Gap.SUCCESSORS_NOT_REDELIVERED);
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.orderedSubscription();
            clients.publish(message("a", "k"), message("b", "k"), message("c", "k"));
            List<ReceivedMessage> first = pull(clients, subscription);
            assertThat(bodies(first)).containsExactly("a", "b", "c");
            clients.subscriptions.acknowledge(
                    subscription, List.of(first.get(0).getAckId(), first.get(2).getAckId()));
            clients.subscriptions.modifyAckDeadline(
                    subscription, List.of(first.get(1).getAckId()), 0);

            // As documented, even though c was acked.
            assertThat(bodies(pull(clients, subscription))).containsExactly("b", "c");
        }
    }

    private static List<ReceivedMessage> pull(Clients clients, String subscription) {
        return eventually()
                .until(() -> clients.subscriptions.pull(subscription, 10), response -> !isEmpty(response))
                .getReceivedMessagesList();
    }

    private static boolean isEmpty(PullResponse response) {
        return response.getReceivedMessagesCount() == 0;
    }

    private static List<String> bodies(List<ReceivedMessage> messages) {
        return messages.stream()
                .map(message -> message.getMessage().getData().toStringUtf8())
                .toList();
    }
}
