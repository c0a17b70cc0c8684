package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static io.github.flowablepubsub.servertest.Contract.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.core.ApiService;
import com.google.api.gax.rpc.AlreadyExistsException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.protobuf.FieldMask;
import com.google.pubsub.v1.ProjectName;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.UpdateSubscriptionRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import org.junit.jupiter.api.Test;

/** Topics, subscriptions, and what becomes of streams. */
interface LifecycleContract extends Contract {

    @Test
    default void missingSubscriptionFailsTheSubscriber() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Subscriber subscriber = clients.subscriber("projects/sample/subscriptions/not-there", new Received());
            eventually().until(() -> subscriber.state() == ApiService.State.FAILED);
            assertThat(subscriber.failureCause()).isInstanceOf(NotFoundException.class);
        }
    }

    @Test
    default void deletedSubscriptionFailsTheSubscriber() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.subscription();
            Received received = new Received();
            Subscriber subscriber = clients.subscriber(subscription, received);
            clients.publish(message("a"));
            eventually().untilAsserted(() -> assertThat(received.messages()).hasSize(1));

            clients.subscriptions.deleteSubscription(subscription);

            eventually().until(() -> subscriber.state() == ApiService.State.FAILED);
            assertThat(subscriber.failureCause()).isInstanceOf(NotFoundException.class);
        }
    }

    /** What keeps an idle stream open: the client gives it up when pings, one in 30 seconds, stay unanswered. */
    @Test
    default void googleCloudJava14348_pingOnAnIdleStreamIsAnswered() throws Exception {
        assumeWithout(Gap.KEEP_ALIVE_NOT_ANSWERED);
        ManagedChannel channel =
                ManagedChannelBuilder.forTarget(endpoint()).usePlaintext().build();
        try (Clients clients = new Clients(endpoint())) {
            RawStream stream = new RawStream(channel);
            stream.send(StreamingPullRequest.newBuilder()
                    .setSubscription(clients.subscription())
                    .setStreamAckDeadlineSeconds(60)
                    .setProtocolVersion(1)
                    .build());
            eventually().until(() -> stream.responses() > 0);
            int before = stream.responses();
            stream.send(StreamingPullRequest.getDefaultInstance());
            eventually().until(() -> stream.responses() > before);
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    default void subscriptionIsReadUpdatedAndListed() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String name = clients.orderedSubscription();
            assertThat(clients.subscriptions.getSubscription(name))
                    .returns(clients.topic, Subscription::getTopic)
                    .returns(10, Subscription::getAckDeadlineSeconds)
                    .returns(true, Subscription::getEnableMessageOrdering);

            clients.subscriptions.updateSubscription(UpdateSubscriptionRequest.newBuilder()
                    .setSubscription(Subscription.newBuilder().setName(name).setAckDeadlineSeconds(42))
                    .setUpdateMask(FieldMask.newBuilder().addPaths("ack_deadline_seconds"))
                    .build());

            assertThat(clients.subscriptions.getSubscription(name).getAckDeadlineSeconds())
                    .isEqualTo(42);
            assertThat(clients.subscriptions
                            .listSubscriptions(ProjectName.of("sample"))
                            .iterateAll())
                    .extracting(Subscription::getName)
                    .contains(name);
            assertThat(clients.topics.listTopicSubscriptions(clients.topic).iterateAll())
                    .containsExactly(name);
        }
    }

    @Test
    default void namesAreUniqueAndMustExist() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String name = clients.subscription();
            assertThatThrownBy(() -> clients.topics.createTopic(clients.topic))
                    .isInstanceOf(AlreadyExistsException.class);
            assertThatThrownBy(() -> clients.subscriptions.createSubscription(Subscription.newBuilder()
                            .setName(name)
                            .setTopic(clients.topic)
                            .build()))
                    .isInstanceOf(AlreadyExistsException.class);
            assertThatThrownBy(() -> clients.subscriptions.createSubscription(Subscription.newBuilder()
                            .setName("projects/sample/subscriptions/other")
                            .setTopic("projects/sample/topics/not-there")
                            .build()))
                    .isInstanceOf(NotFoundException.class);
            assertThatThrownBy(() -> clients.topics.deleteTopic("projects/sample/topics/not-there"))
                    .isInstanceOf(NotFoundException.class);
            assertThatThrownBy(() -> clients.topics.getTopic("projects/sample/topics/not-there"))
                    .isInstanceOf(NotFoundException.class);
        }
    }

    @Test
    default void subscriptionOutlivesItsTopic() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            String subscription = clients.subscription();
            clients.publish(message("a"));
            clients.topics.deleteTopic(clients.topic);
            assertThat(clients.subscriptions.getSubscription(subscription).getTopic())
                    .isEqualTo("_deleted-topic_");
            assertThatThrownBy(() -> clients.publish(message("b"))).isInstanceOf(NotFoundException.class);
            Received received = new Received();
            clients.subscriber(subscription, received);
            eventually().untilAsserted(() -> assertThat(received.bodies()).containsExactly("a"));
        }
    }
}
