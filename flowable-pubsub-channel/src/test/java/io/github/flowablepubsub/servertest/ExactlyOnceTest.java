package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static io.github.flowablepubsub.servertest.Contract.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.pubsub.v1.AckResponse;
import io.github.flowablepubsub.server.PubSubServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the real subscriber is told when its acks fail. */
class ExactlyOnceTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private PubSubServer server;
    private Clients clients;
    private String subscription;

    @BeforeEach
    void start() throws Exception {
        server = PubSubServer.start();
        clients = new Clients(server.endpoint());
        subscription = clients.subscription(settings -> settings.setEnableExactlyOnceDelivery(true));
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void ackAfterTheDeadlineIsInvalid() {
        Runnable expire = () -> {
            if (server.stats(subscription).expirations() == 0) {
                server.expireLeases(subscription);
            }
        };
        AckResponses receiver = new AckResponses(expire);
        clients.toldSubscriber(subscription, receiver);
        clients.publish(message("a"));
        eventually().untilAsserted(() -> assertThat(receiver.responses())
                .containsExactlyInAnyOrder(AckResponse.INVALID, AckResponse.SUCCESSFUL));
        assertThat(receiver.bodies()).containsExactly("a", "a");
        server.awaitEmpty(subscription, TIMEOUT);
    }

    @Test
    void ackIsRepeatedUntilTheServiceIsAvailable() {
        server.loseAcks(subscription, true);
        AckResponses receiver = new AckResponses(() -> {});
        clients.toldSubscriber(subscription, receiver);
        clients.publish(message("a"));
        eventually().until(() -> server.stats(subscription).ignoredAcks() > 1);
        assertThat(receiver.responses()).isEmpty();

        server.loseAcks(subscription, false);

        eventually().untilAsserted(() -> assertThat(receiver.responses()).containsExactly(AckResponse.SUCCESSFUL));
        assertThat(receiver.bodies()).containsExactly("a");
        server.awaitEmpty(subscription, TIMEOUT);
    }
}
