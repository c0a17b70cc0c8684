package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Contract.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.pubsub.v1.StreamingPullRequest;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams at stub level: heartbeats, flow control, keys and refusals. */
class StreamingPullTest {

    private PubSubServer server;
    private ManagedChannel channel;

    @BeforeEach
    void start() {
        server = PubSubServer.start();
        server.createTopic("topic");
        server.createSubscription("sub", "topic", SubscriptionOptions.ordered());
        channel = ManagedChannelBuilder.forTarget(server.endpoint())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.close();
    }

    @Test
    void everyPingIsAnswered() {
        RawStream stream = open(initial().setProtocolVersion(1));
        eventually().until(() -> stream.responses() == 1);
        for (int ping = 1; ping <= 3; ping++) {
            stream.send(StreamingPullRequest.getDefaultInstance());
            int expected = 1 + ping;
            eventually().until(() -> stream.responses() == expected);
        }
        assertThat(stream.bodies()).isEmpty();
    }

    @Test
    void outstandingMessagesAreLimited() {
        RawStream stream = open(initial().setMaxOutstandingMessages(2));
        for (int i = 0; i < 5; i++) {
            publish("m" + i, "");
        }
        eventually().until(() -> stream.bodies().size() == 2);
        stream.send(ack(stream.ackIds().get(0)));
        eventually().until(() -> stream.bodies().size() == 3);
        stream.send(nack(stream.ackIds().get(1)));
        eventually().until(() -> stream.bodies().size() == 4);
        assertThat(server.stats("sub").outstanding()).isEqualTo(2);
        assertThat(server.stats("sub").backlog()).isEqualTo(2);
    }

    @Test
    void outstandingBytesAreLimited() {
        RawStream stream = open(initial().setMaxOutstandingBytes(1000));
        String body = "x".repeat(900);
        for (int i = 0; i < 4; i++) {
            publish(body, "");
        }
        // The one that reaches the limit is still sent.
        eventually().until(() -> stream.bodies().size() == 2);
        stream.send(ack(stream.ackIds().get(0)));
        eventually().until(() -> stream.bodies().size() == 3);
        assertThat(server.stats("sub").outstanding()).isEqualTo(2);
    }

    @Test
    void keyStaysWithOneStreamWhileItHasMessages() {
        RawStream first = open(initial().setMaxOutstandingMessages(1));
        publish("a", "k");
        eventually().until(() -> first.bodies().equals(List.of("a")));
        RawStream second = open(initial().setMaxOutstandingMessages(1));
        publish("b", "k");
        publish("other", "l");
        eventually().until(() -> second.bodies().equals(List.of("other")));

        second.send(ack(second.ackIds().get(0)));
        first.send(ack(first.ackIds().get(0)));

        eventually().until(() -> first.bodies().size() + second.bodies().size() == 3);
        assertThat(server.stats("sub").deliveries()).isEqualTo(3);
    }

    @Test
    void reconnectedClientGoesOnWithItsKeys() {
        RawStream first = open(initial().setClientId("client"));
        publish("a", "k");
        eventually().until(() -> first.bodies().equals(List.of("a")));
        first.halfClose();
        eventually().until(() -> first.end() != null);
        publish("b", "k");

        RawStream stranger = open(initial().setClientId("other"));
        RawStream second = open(initial().setClientId("client"));

        eventually().until(() -> second.bodies().equals(List.of("b")));
        assertThat(stranger.bodies()).isEmpty();
    }

    @Test
    void expiredAckChangesNothingAndMalformedAckEndsTheStream() {
        RawStream stream = open(initial());
        publish("a", "");
        eventually().until(() -> stream.bodies().size() == 1);
        stream.send(nack(stream.ackIds().get(0)));
        eventually().until(() -> stream.bodies().size() == 2);
        stream.send(ack(stream.ackIds().get(0)));
        eventually().until(() -> server.stats("sub").ignoredAcks() == 1);
        assertThat(server.unacked("sub")).isEqualTo(1);

        stream.send(ack("nonsense"));
        assertEnds(stream, Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void wrongRequestsEndTheStream() {
        assertEnds(open(initial().clearSubscription()), Status.Code.INVALID_ARGUMENT);
        assertEnds(open(initial().setStreamAckDeadlineSeconds(9)), Status.Code.INVALID_ARGUMENT);
        assertEnds(open(initial().setSubscription("projects/sample/subscriptions/not-there")), Status.Code.NOT_FOUND);
        RawStream twice = open(initial());
        twice.send(initial().build());
        assertEnds(twice, Status.Code.INVALID_ARGUMENT);
        RawStream uneven = open(initial());
        uneven.send(StreamingPullRequest.newBuilder()
                .addModifyDeadlineAckIds("ack-1")
                .build());
        assertEnds(uneven, Status.Code.INVALID_ARGUMENT);
        eventually().until(() -> server.stats("sub").openStreams() == 0);
    }

    private static void assertEnds(RawStream stream, Status.Code code) {
        eventually().untilAsserted(() -> assertThat(stream.end())
                .isNotNull()
                .extracting(Status::getCode)
                .isEqualTo(code));
    }

    private RawStream open(StreamingPullRequest.Builder initial) {
        RawStream stream = new RawStream(channel);
        stream.send(initial.build());
        return stream;
    }

    private static StreamingPullRequest.Builder initial() {
        return StreamingPullRequest.newBuilder()
                .setSubscription("projects/sample/subscriptions/sub")
                .setStreamAckDeadlineSeconds(60);
    }

    private static StreamingPullRequest ack(String ackId) {
        return StreamingPullRequest.newBuilder().addAckIds(ackId).build();
    }

    private static StreamingPullRequest nack(String ackId) {
        return StreamingPullRequest.newBuilder()
                .addModifyDeadlineAckIds(ackId)
                .addModifyDeadlineSeconds(0)
                .build();
    }

    private void publish(String text, String key) {
        server.publish("topic", text.getBytes(StandardCharsets.UTF_8), Map.of(), key);
    }
}
