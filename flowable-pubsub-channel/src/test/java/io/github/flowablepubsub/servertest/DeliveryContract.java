package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static io.github.flowablepubsub.servertest.Contract.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Publishing, delivery, acks, nacks and deadlines. */
interface DeliveryContract extends Contract {

    @Test
    default void messageArrivesAsPublished() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.subscription();
            Received received = new Received();
            clients.subscriber(subscription, received);
            byte[] body = new byte[256];
            for (int i = 0; i < body.length; i++) {
                body[i] = (byte) i;
            }
            PubsubMessage published = PubsubMessage.newBuilder()
                    .setData(ByteString.copyFrom(body))
                    .putAttributes("ereignisTyp", "auftragStatus")
                    .putAttributes("umlaut", "äöü €")
                    .setOrderingKey("k")
                    .build();

            String id = clients.publisher().publish(published).get();

            eventually().untilAsserted(() -> assertThat(received.messages()).hasSize(1));
            PubsubMessage message = received.messages().get(0);
            assertThat(message.getData().toByteArray()).isEqualTo(body);
            assertThat(message.getAttributesMap()).isEqualTo(published.getAttributesMap());
            assertThat(message.getOrderingKey()).isEqualTo("k");
            assertThat(message.getMessageId()).isEqualTo(id);
            Instant time = Instant.ofEpochSecond(message.getPublishTime().getSeconds());
            assertThat(Duration.between(time, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        }
    }

    @Test
    default void backlogIsDeliveredOnConnect() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.subscription();
            List<String> ids = clients.publish(message("a"), message("b"));
            Received received = new Received();
            clients.subscriber(subscription, received);
            eventually().untilAsserted(() -> assertThat(received.ids()).containsExactlyInAnyOrderElementsOf(ids));
        }
    }

    @Test
    default void ackedMessageIsNotDeliveredAgain() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.subscription();
            clients.publish(message("a"));
            ReceivedMessage pulled = pullOne(clients, subscription);
            // Without the ack it would come back after a second.
            clients.subscriptions.modifyAckDeadline(subscription, List.of(pulled.getAckId()), 1);
            clients.subscriptions.acknowledge(subscription, List.of(pulled.getAckId()));

            Received received = new Received();
            clients.subscriber(subscription, received);
            Thread.sleep(2500);
            assertThat(received.messages()).isEmpty();
        }
    }

    @Test
    default void nackedMessageIsDeliveredAgainWithTheSameId() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.subscription();
            Received received = Received.nackingOnce("a");
            clients.subscriber(subscription, received);
            String id = clients.publish(message("a")).get(0);
            eventually().untilAsserted(() -> assertThat(received.ids()).containsExactly(id, id));
        }
    }

    @Test
    default void messageIsDeliveredAgainWhenItsDeadlineIsOver() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.subscription();
            clients.publish(message("a"));
            ReceivedMessage first = pullOne(clients, subscription);
            clients.subscriptions.modifyAckDeadline(subscription, List.of(first.getAckId()), 1);

            ReceivedMessage second = pullOne(clients, subscription);

            assertThat(second.getMessage()).isEqualTo(first.getMessage());
            assertThat(second.getAckId()).isNotEqualTo(first.getAckId());
        }
    }

    @Test
    default void extendedDeadlineKeepsTheMessage() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.subscription();
            clients.publish(message("a"));
            ReceivedMessage pulled = pullOne(clients, subscription);
            clients.subscriptions.modifyAckDeadline(subscription, List.of(pulled.getAckId()), 1);
            clients.subscriptions.modifyAckDeadline(subscription, List.of(pulled.getAckId()), 60);

            Received received = new Received();
            clients.subscriber(subscription, received);
            Thread.sleep(2500);
            assertThat(received.messages()).isEmpty();
        }
    }

    @Test
    default void everySubscriptionGetsEveryMessage() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Received one = new Received();
            Received two = new Received();
            clients.subscriber(clients.subscription(), one);
            clients.subscriber(clients.subscription(), two);
            List<String> ids = clients.publish(message("a"), message("b"), message("c"));
            eventually().untilAsserted(() -> assertThat(List.of(one, two))
                    .allSatisfy(received -> assertThat(received.ids()).containsExactlyInAnyOrderElementsOf(ids)));
        }
    }

    @Test
    default void subscribersOfOneSubscriptionShareItsMessages() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.subscription();
            Received one = new Received();
            Received two = new Received();
            clients.subscriber(subscription, slow(one), 4);
            clients.subscriber(subscription, slow(two), 4);
            List<String> ids = new ArrayList<>();
            // How fast the streams connect is not what is tested: publishes until both are served.
            eventually().until(() -> {
                ids.addAll(clients.publish(message("m")));
                return !one.ids().isEmpty() && !two.ids().isEmpty();
            });
            eventually().untilAsserted(() -> {
                List<String> all = new ArrayList<>(one.ids());
                all.addAll(two.ids());
                assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
            });
        }
    }

    @Test
    default void messageOfTenMegabytesGoesThrough() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.subscription();
            Received received = new Received();
            clients.subscriber(subscription, received);
            byte[] body = new byte[10_000_000 - 1_000];
            new Random(1).nextBytes(body);
            PubsubMessage large = PubsubMessage.newBuilder()
                    .setData(ByteString.copyFrom(body))
                    .build();
            clients.publisher().publish(large).get();
            eventually().untilAsserted(() -> assertThat(received.messages()).hasSize(1));
            assertThat(received.messages().get(0).getData()).isEqualTo(large.getData());
        }
    }

    private static MessageReceiver slow(Received received) {
        return (message, reply) -> {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            received.receiveMessage(message, reply);
        };
    }

    private static ReceivedMessage pullOne(Clients clients, String subscription) {
        // A pull may come back empty.
        return eventually()
                .until(
                        () -> clients.subscriptions.pull(subscription, 1).getReceivedMessagesList(),
                        messages -> !messages.isEmpty())
                .get(0);
    }
}
