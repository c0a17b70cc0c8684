package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static io.github.flowablepubsub.servertest.Contract.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.cloud.pubsub.v1.AckResponse;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.Subscription;
import com.google.rpc.ErrorInfo;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Acks that are checked and answered. */
interface ExactlyOnceContract extends Contract {

    String INVALID = "PERMANENT_FAILURE_INVALID_ACK_ID";
    String UNORDERED = "TRANSIENT_FAILURE_UNORDERED_ACK_ID";

    @Test
    default void subscriberLearnsThatItsAcksSucceeded() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            AckResponses receiver = new AckResponses(() -> {});
            clients.toldSubscriber(exactlyOnce(clients, false), receiver);
            clients.publish(message("a"), message("b"));
            eventually().untilAsserted(() -> assertThat(receiver.responses())
                    .containsExactly(AckResponse.SUCCESSFUL, AckResponse.SUCCESSFUL));
            assertThat(receiver.bodies()).containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    default void orderedMessagesAreAckedOnceEachByTheSubscriber() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            AckResponses receiver = new AckResponses(() -> {});
            clients.toldSubscriber(exactlyOnce(clients, true), receiver);
            List<String> bodies = IntStream.range(0, 50).mapToObj(i -> "m" + i).toList();
            clients.publish(bodies.stream().map(body -> message(body, "k")).toArray(PubsubMessage[]::new));
            eventually().untilAsserted(() -> assertThat(receiver.responses()).hasSize(50));
            assertThat(receiver.responses()).containsOnly(AckResponse.SUCCESSFUL);
            assertThat(receiver.bodies()).isEqualTo(bodies);
        }
    }

    @Test
    default void onlyTheLatestAckIdCounts() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, exactlyOnce(clients, false));
            clients.publish(message("a"));
            ReceivedMessage first = pulls.one();
            assertThat(pulls.now()).as("leased").isEmpty();
            pulls.nack(first);
            assertFails(() -> pulls.ack(first), Map.of(first.getAckId(), INVALID));
            ReceivedMessage second = pulls.one();
            assertFails(() -> pulls.ack(first), Map.of(first.getAckId(), INVALID));
            assertFails(() -> pulls.nack(first), Map.of(first.getAckId(), INVALID));
            assertFails(() -> pulls.extend(10, first), Map.of(first.getAckId(), INVALID));
            pulls.extend(10, second);
            pulls.ack(second);
            assertThat(pulls.now()).isEmpty();
            assertFails(() -> pulls.ack(second), Map.of(second.getAckId(), INVALID));
            assertFails(() -> pulls.nack(second), Map.of(second.getAckId(), INVALID));
            assertThat(pulls.now()).isEmpty();
        }
    }

    @Test
    default void whatIsValidInARequestTakesEffect() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, exactlyOnce(clients, false));
            clients.publish(message("a"), message("b"));
            List<ReceivedMessage> both = pulls.some(2);
            pulls.ack(both.get(0));
            assertFails(
                    () -> pulls.ack(both.get(0), both.get(1)),
                    Map.of(both.get(0).getAckId(), INVALID));
            assertFails(() -> pulls.ack(both.get(1)), Map.of(both.get(1).getAckId(), INVALID));
        }
    }

    @Test
    default void keyIsAckedInOrder() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, exactlyOnce(clients, true));
            clients.publish(message("a", "k"), message("b", "k"));
            List<ReceivedMessage> both = pulls.now();
            assertThat(Pulls.bodies(both)).containsExactly("a", "b");
            assertFails(() -> pulls.ack(both.get(1)), Map.of(both.get(1).getAckId(), UNORDERED));
            pulls.ack(both.get(0));
            pulls.ack(both.get(1));
            assertThat(pulls.now()).isEmpty();
        }
    }

    @Test
    default void streamConfirmsAcksAndDeadlines() throws Exception {
        assumeWithout(Gap.STREAM_DOES_NOT_CONFIRM);
        ManagedChannel channel =
                ManagedChannelBuilder.forTarget(endpoint()).usePlaintext().build();
        try (Clients clients = new Clients(endpoint())) {
            String subscription = exactlyOnce(clients, true);
            clients.publish(message("a"), message("b"), message("c", "k"), message("d", "k"));
            RawStream stream = new RawStream(channel);
            stream.send(StreamingPullRequest.newBuilder()
                    .setSubscription(subscription)
                    .setStreamAckDeadlineSeconds(60)
                    .build());
            eventually().until(() -> stream.ackIds().size() == 4);
            assertThat(stream.all())
                    .allMatch(response -> response.getSubscriptionProperties().getExactlyOnceDeliveryEnabled());
            String a = stream.ackId("a");
            String b = stream.ackId("b");
            String d = stream.ackId("d");

            stream.send(StreamingPullRequest.newBuilder().addAckIds(a).build());
            stream.send(StreamingPullRequest.newBuilder()
                    .addAllAckIds(List.of(a, b, d))
                    .addAllModifyDeadlineAckIds(List.of(a, d))
                    .addAllModifyDeadlineSeconds(List.of(20, 20))
                    .build());

            eventually().until(() -> confirmations(stream).size() == 2);
            StreamingPullResponse response = confirmations(stream).get(1);
            assertThat(response.getAcknowledgeConfirmation().getAckIdsList()).containsExactly(b);
            assertThat(response.getAcknowledgeConfirmation().getInvalidAckIdsList())
                    .containsExactly(a);
            assertThat(response.getAcknowledgeConfirmation().getUnorderedAckIdsList())
                    .containsExactly(d);
            assertThat(response.getModifyAckDeadlineConfirmation().getAckIdsList())
                    .containsExactly(d);
            assertThat(response.getModifyAckDeadlineConfirmation().getInvalidAckIdsList())
                    .containsExactly(a);
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    default void exactlyOnceDeliveryCanBeSwitchedOnAndOff() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String name = clients.subscription();
            Pulls pulls = new Pulls(clients, name);
            clients.publish(message("a"));
            ReceivedMessage received = pulls.one();
            pulls.ack(received);
            pulls.ack(received);
            Subscription.Builder changed = Subscription.newBuilder().setName(name);
            clients.update(changed.setEnableExactlyOnceDelivery(true), "enable_exactly_once_delivery");
            assertThat(clients.subscriptions.getSubscription(name).getEnableExactlyOnceDelivery())
                    .isTrue();
            assertFails(() -> pulls.ack(received), Map.of(received.getAckId(), INVALID));
            clients.update(changed.clearEnableExactlyOnceDelivery(), "enable_exactly_once_delivery");
            pulls.ack(received);
        }
    }

    private static void assertFails(ThrowingCallable call, Map<String, String> failures) {
        assertThatThrownBy(call).isInstanceOfSatisfying(InvalidArgumentException.class, e -> assertThat(
                        e.getErrorDetails().getErrorInfo())
                .isNotNull()
                .returns("EXACTLY_ONCE_ACKID_FAILURE", ErrorInfo::getReason)
                .returns(failures, ErrorInfo::getMetadataMap));
    }

    private static List<StreamingPullResponse> confirmations(RawStream stream) {
        return stream.all().stream()
                .filter(response -> response.getAcknowledgeConfirmation().getSerializedSize() > 0)
                .toList();
    }

    private static String exactlyOnce(Clients clients, boolean ordering) {
        return clients.subscription(
                settings -> settings.setEnableExactlyOnceDelivery(true).setEnableMessageOrdering(ordering));
    }
}
