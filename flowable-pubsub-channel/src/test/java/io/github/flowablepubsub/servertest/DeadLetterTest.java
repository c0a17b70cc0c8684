package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.pubsub.v1.DeadLetterPolicy;
import com.google.pubsub.v1.ReceivedMessage;
import io.github.flowablepubsub.server.PubSubServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Dead letters that have nowhere to go. */
class DeadLetterTest {

    @Test
    void messageIsKeptWhileItsDeadLetterTopicIsGone() throws Exception {
        try (PubSubServer server = PubSubServer.start();
                Clients clients = new Clients(server.endpoint())) {
            String deadLetterTopic = clients.newTopic();
            String subscription =
                    clients.subscription(settings -> settings.setDeadLetterPolicy(DeadLetterPolicy.newBuilder()
                            .setDeadLetterTopic(deadLetterTopic)
                            .setMaxDeliveryAttempts(5)));
            Pulls pulls = new Pulls(clients, subscription);
            clients.publish(message("a"));
            server.deleteTopic(deadLetterTopic);
            for (int attempt = 1; attempt <= 7; attempt++) {
                ReceivedMessage received = pulls.one();
                assertThat(received.getDeliveryAttempt()).isEqualTo(attempt);
                pulls.nack(received);
            }
            assertThat(server.unacked(subscription)).isEqualTo(1);

            server.createTopic(deadLetterTopic);
            pulls.nack(pulls.one());

            server.awaitEmpty(subscription, Duration.ofSeconds(60));
            assertThat(server.stats(subscription).deadLettered()).isEqualTo(1);
        }
    }
}
