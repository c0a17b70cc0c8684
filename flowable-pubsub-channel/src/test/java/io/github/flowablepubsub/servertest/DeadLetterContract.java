package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static io.github.flowablepubsub.servertest.Contract.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.OutOfRangeException;
import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.protobuf.util.Timestamps;
import com.google.pubsub.v1.DeadLetterPolicy;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Delivery attempts and the dead-letter topic. */
interface DeadLetterContract extends Contract {

    int ATTEMPTS = 5;

    @Test
    default void nackedMessageIsForwardedAfterItsLastAttempt() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String deadLetterTopic = clients.newTopic();
            Pulls dead = new Pulls(clients, clients.subscriptionOn(deadLetterTopic, settings -> settings));
            String subscription = clients.subscription(settings -> settings.setDeadLetterPolicy(to(deadLetterTopic)));
            Pulls pulls = new Pulls(clients, subscription);
            PubsubMessage published =
                    message("a", "k").toBuilder().putAttributes("own", "1").build();
            clients.publish(published);

            PubsubMessage original = failAllAttempts(pulls);

            ReceivedMessage forwarded = forwarded(pulls, dead);
            assertThat(Pulls.body(forwarded)).isEqualTo("a");
            assertThat(forwarded.getMessage().getOrderingKey()).isEqualTo("k");
            assertThat(forwarded.getMessage().getMessageId()).isNotEqualTo(original.getMessageId());
            assertThat(forwarded.getMessage().getAttributesMap())
                    .isEqualTo(Map.of(
                            "own",
                            "1",
                            "CloudPubSubDeadLetterSourceDeliveryCount",
                            "5",
                            "CloudPubSubDeadLetterSourceSubscription",
                            subscription.substring(subscription.lastIndexOf('/') + 1),
                            "CloudPubSubDeadLetterSourceSubscriptionProject",
                            "sample",
                            "CloudPubSubDeadLetterSourceTopicPublishTime",
                            Timestamps.toString(original.getPublishTime())));
        }
    }

    @Test
    default void expiredDeadlinesAreFailedAttemptsToo() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String deadLetterTopic = clients.newTopic();
            Pulls dead = new Pulls(clients, clients.subscriptionOn(deadLetterTopic, settings -> settings));
            Pulls pulls = new Pulls(
                    clients, clients.subscription(settings -> settings.setDeadLetterPolicy(to(deadLetterTopic))));
            clients.publish(message("a"));
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                ReceivedMessage received = pulls.one();
                assertThat(received.getDeliveryAttempt()).isEqualTo(attempt);
                pulls.extend(1, received);
            }
            assertThat(Pulls.body(forwarded(pulls, dead))).isEqualTo("a");
        }
    }

    @Test
    default void subscriberSeesTheDeliveryAttempt() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String deadLetterTopic = clients.newTopic();
            Received dead = new Received();
            clients.subscriber(clients.subscriptionOn(deadLetterTopic, settings -> settings), dead);
            List<Integer> attempts = new CopyOnWriteArrayList<>();
            MessageReceiver nacking = (message, reply) -> {
                attempts.add(Subscriber.getDeliveryAttempt(message));
                reply.nack();
            };
            clients.subscriber(
                    clients.subscription(settings -> settings.setDeadLetterPolicy(to(deadLetterTopic))), nacking);
            clients.publish(message("a"));
            eventually().untilAsserted(() -> assertThat(dead.bodies()).containsExactly("a"));
            assertThat(attempts).containsExactly(1, 2, 3, 4, 5);
        }
    }

    @Test
    default void withoutPolicyThereIsNoDeliveryAttempt() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription());
            clients.publish(message("a"));
            for (int i = 0; i < 2 * ATTEMPTS; i++) {
                ReceivedMessage received = pulls.one();
                assertThat(received.getDeliveryAttempt()).isZero();
                pulls.nack(received);
            }
        }
    }

    @Test
    default void keyGoesOnInOrderAfterItsDeadMessage() throws Exception {
        assumeWithout(Gap.NACKED_MESSAGE_NOT_FIRST);
        try (Clients clients = new Clients(endpoint())) {
            String deadLetterTopic = clients.newTopic();
            Pulls dead = new Pulls(
                    clients,
                    clients.subscriptionOn(deadLetterTopic, settings -> settings.setEnableMessageOrdering(true)));
            Pulls pulls = new Pulls(clients, clients.subscription(settings -> settings.setEnableMessageOrdering(true)
                    .setDeadLetterPolicy(to(deadLetterTopic))));
            clients.publish(message("a", "k"), message("b", "k"), message("c", "k"));

            List<List<String>> deliveries = new ArrayList<>();
            for (int attempt = 1; attempt <= 2 * ATTEMPTS; attempt++) {
                List<ReceivedMessage> batch = pulls.now();
                deliveries.add(Pulls.bodies(batch));
                // Only the first failed: the others are delivered again, but it is not their attempt that failed.
                assertThat(batch.get(batch.size() - 1).getDeliveryAttempt()).isEqualTo(1);
                pulls.nack(batch.get(0));
            }

            assertThat(deliveries.subList(0, ATTEMPTS)).containsOnly(List.of("a", "b", "c"));
            assertThat(deliveries.subList(ATTEMPTS, 2 * ATTEMPTS)).containsOnly(List.of("b", "c"));
            assertThat(Pulls.bodies(pulls.some(1))).containsExactly("c");
            assertThat(Pulls.bodies(dead.some(2))).containsExactly("a", "b");
        }
    }

    @Test
    default void deadLetterPolicyIsCheckedAndShown() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String deadLetterTopic = clients.newTopic();
            assertThatThrownBy(() -> withAttempts(clients, deadLetterTopic, 4)).isInstanceOf(OutOfRangeException.class);
            assertThatThrownBy(() -> withAttempts(clients, deadLetterTopic, 101))
                    .isInstanceOf(OutOfRangeException.class);
            assertThatThrownBy(() -> withAttempts(clients, "projects/sample/topics/not-there", 5))
                    .isInstanceOf(NotFoundException.class);
            String name = withAttempts(clients, deadLetterTopic, 0);
            assertThat(clients.subscriptions.getSubscription(name).getDeadLetterPolicy())
                    .isEqualTo(to(deadLetterTopic).build());
            assertThat(clients.update(Subscription.newBuilder().setName(name), "dead_letter_policy")
                            .hasDeadLetterPolicy())
                    .isFalse();
            clients.update(
                    Subscription.newBuilder().setName(name).setDeadLetterPolicy(to(deadLetterTopic)),
                    "dead_letter_policy");
            assertThat(clients.subscriptions.getSubscription(name).getDeadLetterPolicy())
                    .isEqualTo(to(deadLetterTopic).build());
        }
    }

    /** Waits for the dead letter, and sees to it that the message is not delivered once more. */
    private static ReceivedMessage forwarded(Pulls pulls, Pulls dead) {
        return eventually()
                .until(
                        () -> {
                            // The emulator forwards when somebody asks the source for more.
                            assertThat(pulls.now()).isEmpty();
                            return dead.now(1);
                        },
                        messages -> !messages.isEmpty())
                .get(0);
    }

    private static PubsubMessage failAllAttempts(Pulls pulls) {
        PubsubMessage original = PubsubMessage.getDefaultInstance();
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            ReceivedMessage received = pulls.one();
            assertThat(received.getDeliveryAttempt()).isEqualTo(attempt);
            original = received.getMessage();
            pulls.nack(received);
        }
        return original;
    }

    private static DeadLetterPolicy.Builder to(String topic) {
        return DeadLetterPolicy.newBuilder().setDeadLetterTopic(topic).setMaxDeliveryAttempts(ATTEMPTS);
    }

    private static String withAttempts(Clients clients, String topic, int attempts) {
        return clients.subscription(settings -> settings.setDeadLetterPolicy(
                DeadLetterPolicy.newBuilder().setDeadLetterTopic(topic).setMaxDeliveryAttempts(attempts)));
    }
}
