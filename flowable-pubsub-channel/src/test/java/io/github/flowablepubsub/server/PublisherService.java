package io.github.flowablepubsub.server;

import com.google.protobuf.Empty;
import com.google.pubsub.v1.DeleteTopicRequest;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsResponse;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.ListTopicsResponse;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublishResponse;
import com.google.pubsub.v1.PublisherGrpc;
import com.google.pubsub.v1.Topic;
import io.grpc.stub.StreamObserver;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The publisher API: topics and publish. Calls that are not here are answered with {@code UNIMPLEMENTED}. */
final class PublisherService extends PublisherGrpc.PublisherImplBase {

    private final Registry registry;

    PublisherService(Registry registry) {
        this.registry = registry;
    }

    @Override
    public void createTopic(Topic request, StreamObserver<Topic> responses) {
        Calls.answer(responses, () -> registry.createTopic(request));
    }

    @Override
    public void getTopic(GetTopicRequest request, StreamObserver<Topic> responses) {
        Calls.answer(responses, () -> registry.topic(request.getTopic()).config());
    }

    @Override
    public void listTopics(ListTopicsRequest request, StreamObserver<ListTopicsResponse> responses) {
        Calls.answer(responses, () -> {
            Page<Topic> page =
                    Page.of(registry.topics(request.getProject()), request.getPageSize(), request.getPageToken());
            return ListTopicsResponse.newBuilder()
                    .addAllTopics(page.items())
                    .setNextPageToken(page.next())
                    .build();
        });
    }

    @Override
    public void listTopicSubscriptions(
            ListTopicSubscriptionsRequest request, StreamObserver<ListTopicSubscriptionsResponse> responses) {
        Calls.answer(responses, () -> {
            TreeMap<String, String> names = registry.topic(request.getTopic()).subscriptionNames().stream()
                    .collect(Collectors.toMap(Function.identity(), Function.identity(), (a, b) -> a, TreeMap::new));
            Page<String> page = Page.of(names, request.getPageSize(), request.getPageToken());
            return ListTopicSubscriptionsResponse.newBuilder()
                    .addAllSubscriptions(page.items())
                    .setNextPageToken(page.next())
                    .build();
        });
    }

    @Override
    public void deleteTopic(DeleteTopicRequest request, StreamObserver<Empty> responses) {
        Calls.run(responses, () -> registry.deleteTopic(request.getTopic()));
    }

    @Override
    public void publish(PublishRequest request, StreamObserver<PublishResponse> responses) {
        Calls.answer(responses, () -> PublishResponse.newBuilder()
                .addAllMessageIds(registry.publish(request.getTopic(), request.getMessagesList()))
                .build());
    }
}
