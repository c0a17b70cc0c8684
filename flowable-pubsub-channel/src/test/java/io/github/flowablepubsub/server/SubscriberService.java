package io.github.flowablepubsub.server;

import com.google.protobuf.Empty;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.DeleteSubscriptionRequest;
import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.ListSubscriptionsRequest;
import com.google.pubsub.v1.ListSubscriptionsResponse;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.SeekRequest;
import com.google.pubsub.v1.SeekResponse;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.SubscriberGrpc;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.UpdateSubscriptionRequest;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** The subscriber API: subscriptions, pulls and acks. Calls that are not here are answered with {@code UNIMPLEMENTED}. */
final class SubscriberService extends SubscriberGrpc.SubscriberImplBase {

    private final Registry registry;
    private final Timers timers;

    SubscriberService(Registry registry, Timers timers) {
        this.registry = registry;
        this.timers = timers;
    }

    @Override
    public void createSubscription(Subscription request, StreamObserver<Subscription> responses) {
        Calls.answer(responses, () -> registry.createSubscription(request));
    }

    @Override
    public void getSubscription(GetSubscriptionRequest request, StreamObserver<Subscription> responses) {
        Calls.answer(responses, () -> registry.subscription(request.getSubscription())
                .config());
    }

    @Override
    public void updateSubscription(UpdateSubscriptionRequest request, StreamObserver<Subscription> responses) {
        Calls.answer(responses, () -> registry.updateSubscription(request.getSubscription(), request.getUpdateMask()));
    }

    @Override
    public void listSubscriptions(
            ListSubscriptionsRequest request, StreamObserver<ListSubscriptionsResponse> responses) {
        Calls.answer(responses, () -> {
            Page<Subscription> page = Page.of(
                    registry.subscriptions(request.getProject()), request.getPageSize(), request.getPageToken());
            return ListSubscriptionsResponse.newBuilder()
                    .addAllSubscriptions(page.items())
                    .setNextPageToken(page.next())
                    .build();
        });
    }

    @Override
    public void deleteSubscription(DeleteSubscriptionRequest request, StreamObserver<Empty> responses) {
        Calls.run(responses, () -> registry.deleteSubscription(request.getSubscription()));
    }

    @Override
    public void acknowledge(AcknowledgeRequest request, StreamObserver<Empty> responses) {
        Calls.run(responses, () -> {
            AckIds.requireSome(request.getAckIdsList());
            registry.subscription(request.getSubscription())
                    .acknowledge(request.getAckIdsList())
                    .requireDone();
        });
    }

    @Override
    public void modifyAckDeadline(ModifyAckDeadlineRequest request, StreamObserver<Empty> responses) {
        Calls.run(responses, () -> {
            AckIds.requireSome(request.getAckIdsList());
            registry.subscription(request.getSubscription())
                    .modifyDeadlines(request.getAckIdsList(), index -> request.getAckDeadlineSeconds())
                    .requireDone();
        });
    }

    @Override
    public void pull(PullRequest request, StreamObserver<PullResponse> responses) {
        try {
            LiveSubscription subscription = registry.subscription(request.getSubscription());
            new PullCall(subscription, request, (ServerCallStreamObserver<PullResponse>) responses).start(timers);
        } catch (StatusRuntimeException e) {
            responses.onError(e);
        }
    }

    @Override
    public void seek(SeekRequest request, StreamObserver<SeekResponse> responses) {
        Calls.answer(responses, () -> {
            switch (request.getTargetCase()) {
                case TIME -> registry.seek(request.getSubscription(), request.getTime());
                case SNAPSHOT -> throw Errors.unsupported("Seek to a snapshot");
                case TARGET_NOT_SET -> throw Errors.invalid("Seek needs a time");
            }
            return SeekResponse.getDefaultInstance();
        });
    }

    @Override
    public StreamObserver<StreamingPullRequest> streamingPull(StreamObserver<StreamingPullResponse> responses) {
        return new StreamingPullCall(registry, timers, (ServerCallStreamObserver<StreamingPullResponse>) responses);
    }
}
