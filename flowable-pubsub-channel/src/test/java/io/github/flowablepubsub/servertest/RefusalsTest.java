package io.github.flowablepubsub.servertest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.api.gax.rpc.UnimplementedException;
import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.SeekRequest;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.UpdateSubscriptionRequest;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server does not do is refused, never accepted and ignored; the Java API has the service's errors. */
class RefusalsTest {

    private PubSubServer server;
    private Clients clients;

    @BeforeEach
    void start() throws Exception {
        server = PubSubServer.start();
        clients = new Clients(server.endpoint());
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void unsupportedSettingsAreNamed() {
        assertRefused(settings -> settings.setFilter("attributes:a"), "filter");
    }

    @Test
    void unsupportedUpdatesAreNamed() {
        String name = clients.subscription();
        assertThatThrownBy(() -> update(name, "push_config"))
                .isInstanceOf(UnimplementedException.class)
                .hasMessageContaining("push_config");
        assertThatThrownBy(() -> clients.subscriptions.seek(SeekRequest.newBuilder()
                        .setSubscription(name)
                        .setSnapshot("projects/sample/snapshots/snap")
                        .build()))
                .isInstanceOf(UnimplementedException.class)
                .hasMessageContaining("snapshot");
        assertThatThrownBy(() -> update(name, "topic")).isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> update(name, "nonsense")).isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void limitsOfTheServiceHold() {
        String topic = server.createTopic("topic");
        assertCode(Status.Code.INVALID_ARGUMENT, () -> server.publish(topic, "", Map.of()));
        assertCode(Status.Code.INVALID_ARGUMENT, () -> server.publish(topic, "a", Map.of("k", "v".repeat(1025))));
        assertCode(
                Status.Code.INVALID_ARGUMENT,
                () -> server.publish(topic, ByteString.copyFrom(new byte[10 * 1024 * 1024 + 1]), Map.of(), ""));
        assertCode(Status.Code.INVALID_ARGUMENT, () -> server.createTopic("goog-topic"));
        assertCode(
                Status.Code.INVALID_ARGUMENT,
                () -> server.createSubscription(
                        "sub", topic, SubscriptionOptions.DEFAULT.withAckDeadline(Duration.ofSeconds(5))));
    }

    @Test
    void javaApiHasTheErrorsOfTheService() {
        String topic = server.createTopic("topic");
        assertThat(topic).isEqualTo("projects/sample/topics/topic");
        assertCode(Status.Code.ALREADY_EXISTS, () -> server.createTopic("topic"));
        assertCode(Status.Code.NOT_FOUND, () -> server.createSubscription("sub", "other"));
        assertCode(Status.Code.NOT_FOUND, () -> server.publish("other", "a", Map.of()));
        assertCode(Status.Code.NOT_FOUND, () -> server.stats("sub"));
        assertCode(Status.Code.NOT_FOUND, () -> server.deleteSubscription("sub"));
        assertThat(server.createSubscription("sub", topic)).isEqualTo("projects/sample/subscriptions/sub");
        server.deleteSubscription("sub");
        server.deleteTopic("topic");
        assertCode(Status.Code.NOT_FOUND, () -> server.deleteTopic("topic"));
    }

    @Test
    void takenPortIsReported() {
        assertThatThrownBy(() -> PubSubServer.start(server.port()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(server.endpoint());
    }

    @Test
    void listingsComeInPages() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            names.add(server.createTopic("projects/paged/topics/topic-" + i));
        }
        ListTopicsRequest request = ListTopicsRequest.newBuilder()
                .setProject("projects/paged")
                .setPageSize(2)
                .build();
        assertThat(clients.topics.listTopics(request).getPage().getValues()).hasSize(2);
        assertThat(clients.topics.listTopics(request).iterateAll())
                .extracting(topic -> topic.getName())
                .isEqualTo(names);
    }

    private void update(String name, String path) {
        clients.subscriptions.updateSubscription(UpdateSubscriptionRequest.newBuilder()
                .setSubscription(Subscription.newBuilder().setName(name))
                .setUpdateMask(FieldMask.newBuilder().addPaths(path))
                .build());
    }

    private void assertRefused(UnaryOperator<Subscription.Builder> settings, String field) {
        assertThatThrownBy(() -> clients.subscription(settings))
                .isInstanceOf(UnimplementedException.class)
                .hasMessageContaining(field);
    }

    private static void assertCode(Status.Code code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> assertThat(
                        e.getStatus().getCode())
                .isEqualTo(code));
    }
}
