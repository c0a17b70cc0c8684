package io.github.flowablepubsub.servertest;

import com.google.api.core.ApiService;
import com.google.api.gax.batching.FlowControlSettings;
import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.cloud.pubsub.v1.MessageReceiverWithAckResponse;
import com.google.cloud.pubsub.v1.Publisher;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.cloud.pubsub.v1.SubscriptionAdminClient;
import com.google.cloud.pubsub.v1.SubscriptionAdminSettings;
import com.google.cloud.pubsub.v1.TopicAdminClient;
import com.google.cloud.pubsub.v1.TopicAdminSettings;
import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.UpdateSubscriptionRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** The real clients of one test, all on one endpoint, with a fresh topic; closes what it opened. */
final class Clients implements AutoCloseable {

    private static final int MAX_INBOUND_BYTES = 20 * 1024 * 1024;

    final TopicAdminClient topics;
    final SubscriptionAdminClient subscriptions;
    final StreamCounter streams = new StreamCounter();
    final String topic = "projects/sample/topics/t-" + UUID.randomUUID();

    private final String endpoint;
    private final Deque<Runnable> closers = new ArrayDeque<>();

    Clients(String endpoint) throws IOException {
        this.endpoint = endpoint;
        topics = TopicAdminClient.create(TopicAdminSettings.newBuilder()
                .setTransportChannelProvider(channel())
                .setCredentialsProvider(NoCredentialsProvider.create())
                .build());
        closers.push(topics::close);
        subscriptions = SubscriptionAdminClient.create(SubscriptionAdminSettings.newBuilder()
                .setTransportChannelProvider(channel())
                .setCredentialsProvider(NoCredentialsProvider.create())
                .build());
        closers.push(subscriptions::close);
        topics.createTopic(topic);
    }

    /** Another new topic. */
    String newTopic() {
        return topics.createTopic("projects/sample/topics/t-" + UUID.randomUUID())
                .getName();
    }

    /** A new subscription on another topic. */
    String subscriptionOn(String otherTopic, UnaryOperator<Subscription.Builder> settings) {
        return subscription(builder -> settings.apply(builder.setTopic(otherTopic)));
    }

    /** A new subscription on the topic. */
    String subscription(UnaryOperator<Subscription.Builder> settings) {
        String name = "projects/sample/subscriptions/s-" + UUID.randomUUID();
        Subscription.Builder request = Subscription.newBuilder().setName(name).setTopic(topic);
        subscriptions.createSubscription(settings.apply(request).build());
        return name;
    }

    /** Changes one setting of a subscription to what it is in the given one. */
    Subscription update(Subscription.Builder changed, String path) {
        return subscriptions.updateSubscription(UpdateSubscriptionRequest.newBuilder()
                .setSubscription(changed)
                .setUpdateMask(FieldMask.newBuilder().addPaths(path))
                .build());
    }

    String subscription() {
        return subscription(settings -> settings);
    }

    String orderedSubscription() {
        return subscription(settings -> settings.setEnableMessageOrdering(true));
    }

    /** Publishes in the given order, in one request; returns the message ids. */
    List<String> publish(PubsubMessage... messages) {
        return topics.publish(topic, List.of(messages)).getMessageIdsList();
    }

    Publisher publisher() throws IOException {
        Publisher publisher = Publisher.newBuilder(topic)
                .setChannelProvider(channel())
                .setCredentialsProvider(NoCredentialsProvider.create())
                .setEnableMessageOrdering(true)
                .build();
        closers.push(publisher::shutdown);
        return publisher;
    }

    /** A running subscriber. */
    Subscriber subscriber(String subscription, MessageReceiver receiver) {
        return subscriber(subscription, receiver, 1000);
    }

    Subscriber subscriber(String subscription, MessageReceiver receiver, long maxOutstanding) {
        return run(Subscriber.newBuilder(subscription, receiver), maxOutstanding);
    }

    /** A running subscriber that is told what becomes of its acks. */
    Subscriber toldSubscriber(String subscription, MessageReceiverWithAckResponse receiver) {
        return run(Subscriber.newBuilder(subscription, receiver), 1000);
    }

    private Subscriber run(Subscriber.Builder builder, long maxOutstanding) {
        Subscriber subscriber = builder.setChannelProvider(channel())
                .setCredentialsProvider(NoCredentialsProvider.create())
                .setFlowControlSettings(FlowControlSettings.newBuilder()
                        .setMaxOutstandingElementCount(maxOutstanding)
                        .setMaxOutstandingRequestBytes(100L * 1024 * 1024)
                        .build())
                .build();
        subscriber.startAsync().awaitRunning();
        closers.push(() -> stop(subscriber));
        return subscriber;
    }

    @Override
    public void close() {
        while (!closers.isEmpty()) {
            closers.pop().run();
        }
    }

    static PubsubMessage message(String text) {
        return message(text, "");
    }

    static PubsubMessage message(String text, String orderingKey) {
        return PubsubMessage.newBuilder()
                .setData(ByteString.copyFromUtf8(text))
                .setOrderingKey(orderingKey)
                .build();
    }

    static void stop(Subscriber subscriber) {
        if (subscriber.state() != ApiService.State.FAILED) {
            try {
                subscriber.stopAsync().awaitTerminated(30, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                throw new IllegalStateException("Subscriber does not stop", e);
            }
        }
    }

    private InstantiatingGrpcChannelProvider channel() {
        return InstantiatingGrpcChannelProvider.newBuilder()
                .setEndpoint(endpoint)
                .setChannelConfigurator(builder -> builder.usePlaintext())
                .setInterceptorProvider(() -> List.of(streams))
                .setMaxInboundMessageSize(MAX_INBOUND_BYTES)
                .build();
    }
}
