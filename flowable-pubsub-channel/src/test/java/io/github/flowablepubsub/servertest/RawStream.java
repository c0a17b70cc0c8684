package io.github.flowablepubsub.servertest;

import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.SubscriberGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A streaming pull at stub level, for what the real client hides. */
final class RawStream implements StreamObserver<StreamingPullResponse> {

    private final List<StreamingPullResponse> responses = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Status> end = new AtomicReference<>();
    private final StreamObserver<StreamingPullRequest> requests;

    RawStream(Channel channel) {
        requests = SubscriberGrpc.newStub(channel).streamingPull(this);
    }

    void send(StreamingPullRequest request) {
        requests.onNext(request);
    }

    void halfClose() {
        requests.onCompleted();
    }

    int responses() {
        return responses.size();
    }

    List<StreamingPullResponse> all() {
        return List.copyOf(responses);
    }

    List<String> ackIds() {
        return responses.stream()
                .flatMap(response -> response.getReceivedMessagesList().stream())
                .map(message -> message.getAckId())
                .toList();
    }

    /** The ack id of the first delivery of this body. */
    String ackId(String body) {
        return ackIds().get(bodies().indexOf(body));
    }

    List<String> bodies() {
        return responses.stream()
                .flatMap(response -> response.getReceivedMessagesList().stream())
                .map(message -> message.getMessage().getData().toStringUtf8())
                .toList();
    }

    /** How it ended, null while it is open. */
    @Nullable
    Status end() {
        return end.get();
    }

    @Override
    public void onNext(StreamingPullResponse response) {
        responses.add(response);
    }

    @Override
    public void onError(Throwable cause) {
        end.set(Status.fromThrowable(cause));
    }

    @Override
    public void onCompleted() {
        end.set(Status.OK);
    }
}
