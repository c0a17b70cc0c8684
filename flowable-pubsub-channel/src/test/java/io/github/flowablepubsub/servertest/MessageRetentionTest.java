package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.Subscription;
import io.github.flowablepubsub.server.PubSubServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of messages when their retention is over, with a clock that the test moves. */
class MessageRetentionTest {

    private static final Instant START = Instant.parse("2026-12-01T10:00:00Z");

    private final AtomicReference<Instant> clock = new AtomicReference<>(START);
    private PubSubServer server;
    private Clients clients;
    private String subscription;
    private Pulls pulls;

    @BeforeEach
    void start() throws Exception {
        server = PubSubServer.start(0, clock::get);
        clients = new Clients(server.endpoint());
        subscription = clients.subscription(settings ->
                settings.setRetainAckedMessages(true).setMessageRetentionDuration(Durations.fromMinutes(10)));
        pulls = new Pulls(clients, subscription);
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void unackedMessagesAreDropped() {
        clients.publish(message("outstanding"));
        ReceivedMessage outstanding = pulls.one();
        clients.publish(message("backlog"));
        pass(Duration.ofMinutes(6));
        clients.publish(message("later"));
        assertThat(server.unacked(subscription)).isEqualTo(3);

        pass(Duration.ofMinutes(6));

        Contract.eventually().until(() -> server.unacked(subscription) == 1);
        assertThat(Pulls.bodies(pulls.some(1))).containsExactly("later");
        pulls.nack(outstanding);
        assertThat(pulls.now()).isEmpty();
        pass(Duration.ofMinutes(6));
        server.awaitEmpty(subscription, Duration.ofSeconds(60));
    }

    @Test
    void seekReplaysNoOlderOnes() {
        clients.publish(message("old"));
        pass(Duration.ofMinutes(6));
        clients.publish(message("young"));
        List<ReceivedMessage> both = pulls.some(2);
        pulls.ack(both.toArray(ReceivedMessage[]::new));
        pass(Duration.ofMinutes(6));
        pulls.seek(Timestamps.fromMillis(START.toEpochMilli()));
        assertThat(Pulls.bodies(pulls.some(1))).containsExactly("young");
        assertThat(pulls.now()).isEmpty();
    }

    @Test
    void retentionThatIsSwitchedOffForgets() {
        clients.publish(message("a"));
        pulls.ack(pulls.one());
        clients.update(Subscription.newBuilder().setName(subscription), "retain_acked_messages");
        pulls.seek(Timestamps.fromMillis(START.toEpochMilli()));
        assertThat(pulls.now()).isEmpty();
    }

    private void pass(Duration time) {
        clock.updateAndGet(now -> now.plus(time));
    }
}
