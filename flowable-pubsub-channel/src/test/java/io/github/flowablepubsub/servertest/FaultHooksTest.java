package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Contract.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.core.ApiService;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.cloud.pubsub.v1.Subscriber;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The faults that tests of a consumer can inject. */
class FaultHooksTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final String subscription = "s-" + UUID.randomUUID();
    private final String fullName = "projects/" + PubSubServer.PROJECT + "/subscriptions/" + subscription;
    private final Received received = new Received();
    private PubSubServer server;
    private Clients clients;

    @BeforeEach
    void start() throws Exception {
        server = PubSubServer.start();
        clients = new Clients(server.endpoint());
        server.createSubscription(subscription, clients.topic, SubscriptionOptions.ordered());
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void retryableOutageIsSurvived() {
        Subscriber subscriber = clients.subscriber(fullName, received);
        publishAndAwait("a");

        server.failStreams(subscription, Status.UNAVAILABLE.withDescription("outage"));
        publish("b");
        assertThat(server.stats(subscription).openStreams()).isZero();
        eventually().until(() -> clients.streams.opened() > 2);
        assertThat(received.bodies()).containsExactly("a");

        server.heal(subscription);
        server.awaitEmpty(subscription, TIMEOUT);
        assertThat(received.bodies()).containsExactly("a", "b");
        assertThat(subscriber.state()).isEqualTo(ApiService.State.RUNNING);
    }

    @Test
    void revokedPermissionFailsTheSubscriber() {
        Subscriber subscriber = clients.subscriber(fullName, received);
        publishAndAwait("a");
        server.failStreams(subscription, Status.PERMISSION_DENIED);
        eventually().until(() -> subscriber.state() == ApiService.State.FAILED);
        assertThat(subscriber.failureCause()).isInstanceOf(PermissionDeniedException.class);
    }

    @Test
    void outageNeedsAnErrorStatus() {
        assertThatThrownBy(() -> server.failStreams(subscription, Status.OK))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void redeliverRepeatsAckedMessagesInOrderWithTheirIds() {
        clients.subscriber(fullName, received);
        String a = publishAndAwait("a");
        String b = publishAndAwait("b");

        server.redeliver(subscription);

        eventually().untilAsserted(() -> assertThat(received.ids()).containsExactly(a, b, a, b));
        server.awaitEmpty(subscription, TIMEOUT);

        server.redeliver(subscription);
        eventually().untilAsserted(() -> assertThat(received.ids()).containsExactly(a, b, a, b, a, b));
    }

    @Test
    void redeliverVoidsAckIdsHandedOut() {
        publish("a");
        String ackId =
                clients.subscriptions.pull(fullName, 1).getReceivedMessages(0).getAckId();
        server.redeliver(subscription);
        clients.subscriptions.acknowledge(fullName, List.of(ackId));
        assertThat(server.unacked(subscription)).isEqualTo(1);
        assertThat(server.stats(subscription).ignoredAcks()).isEqualTo(1);
    }

    @Test
    void lostAcksBringTheMessageBack() {
        server.loseAcks(subscription, true);
        clients.subscriber(fullName, received);
        String id = publish("a");
        eventually().until(() -> server.stats(subscription).ignoredAcks() == 1);
        assertThat(server.unacked(subscription)).isEqualTo(1);

        server.loseAcks(subscription, false);
        server.expireLeases(subscription);

        server.awaitEmpty(subscription, TIMEOUT);
        assertThat(received.ids()).containsExactly(id, id);
        assertThat(server.stats(subscription).expirations()).isEqualTo(1);
        assertThat(server.stats(subscription).acks()).isEqualTo(1);
    }

    @Test
    void awaitEmptyTellsWhatIsLeft() {
        publish("a");
        assertThatThrownBy(() -> server.awaitEmpty(subscription, Duration.ofMillis(50)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(subscription)
                .hasMessageContaining("unacked=1");
    }

    @Test
    void closingEndsStreamsAndIsBounded() {
        clients.subscriber(fullName, received);
        publishAndAwait("a");
        long start = System.nanoTime();
        server.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        server.close();
    }

    private String publish(String text) {
        return server.publish(clients.topic, text.getBytes(StandardCharsets.UTF_8), Map.of(), "k");
    }

    private String publishAndAwait(String text) {
        String id = publish(text);
        eventually().until(() -> received.ids().contains(id));
        server.awaitEmpty(subscription, TIMEOUT);
        return id;
    }
}
