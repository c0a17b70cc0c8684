package io.github.flowablepubsub.server;

import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.StreamingPullResponse.SubscriptionProperties;
import com.google.pubsub.v1.Subscription;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One streaming pull. Requests come in one by one from gRPC. Everything that is sent, messages, heartbeats,
 * confirmations and the end,
 * is sent by {@link #send}, of which one run at a time is under way.
 */
final class StreamingPullCall implements StreamObserver<StreamingPullRequest>, Receiver {

    // Small batches, so that several streams on a subscription share a backlog.
    private static final int MAX_BATCH = 50;
    private static final StreamingPullResponse HEARTBEAT = StreamingPullResponse.getDefaultInstance();
    private static final long MAX_BATCH_BYTES = 1024 * 1024;

    private final Registry registry;
    private final Executor executor;
    private final ServerCallStreamObserver<StreamingPullResponse> responses;
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final Queue<StreamingPullResponse> answersDue = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Status> end = new AtomicReference<>();
    private volatile @Nullable LiveSubscription subscription;
    private volatile int ackDeadlineSeconds;
    private Lessee lessee = new Lessee("", 0, 0);
    private boolean keepAlive;

    StreamingPullCall(Registry registry, Executor executor, ServerCallStreamObserver<StreamingPullResponse> responses) {
        this.registry = registry;
        this.executor = executor;
        this.responses = responses;
        responses.setOnReadyHandler(this::wake);
        responses.setOnCancelHandler(this::leave);
    }

    @Override
    public void onNext(StreamingPullRequest request) {
        try {
            LiveSubscription open = subscription;
            if (open == null) {
                open(request);
            } else {
                StreamingPullRequests.requireSubsequent(request);
                follow(open, request);
            }
        } catch (StatusRuntimeException e) {
            terminate(e.getStatus());
        }
    }

    @Override
    public void onError(Throwable cause) {
        leave();
    }

    @Override
    public void onCompleted() {
        terminate(Status.OK);
    }

    @Override
    public Lessee lessee() {
        return lessee;
    }

    @Override
    public boolean isStream() {
        return true;
    }

    @Override
    public void wake() {
        if (wakeUps.getAndIncrement() == 0) {
            executor.execute(this::send);
        }
    }

    @Override
    public void terminate(Status status) {
        end.compareAndSet(null, status);
        wake();
    }

    private void open(StreamingPullRequest request) {
        StreamingPullRequests.requireInitial(request);
        LiveSubscription found = registry.subscription(request.getSubscription());
        ackDeadlineSeconds = request.getStreamAckDeadlineSeconds();
        keepAlive = StreamingPullRequests.asksForKeepAlive(request);
        lessee = new Lessee(
                request.getClientId(), request.getMaxOutstandingMessages(), request.getMaxOutstandingBytes());
        found.connect(this);
        subscription = found;
        if (end.get() != null || responses.isCancelled()) {
            // Ended while it was connecting: nobody else will disconnect it.
            leave();
            return;
        }
        // The first response tells the client how the subscription is set up.
        answersDue.add(HEARTBEAT);
        apply(found, request);
        wake();
    }

    private void follow(LiveSubscription open, StreamingPullRequest request) {
        if (request.getStreamAckDeadlineSeconds() > 0) {
            Limits.requireAckDeadline(request.getStreamAckDeadlineSeconds());
            ackDeadlineSeconds = request.getStreamAckDeadlineSeconds();
        }
        apply(open, request);
        // A client of this protocol takes a stream for dead if its empty request is not answered within 15 seconds.
        if (keepAlive && StreamingPullRequests.isPing(request)) {
            answersDue.add(HEARTBEAT);
            wake();
        }
    }

    private void apply(LiveSubscription open, StreamingPullRequest request) {
        StreamingPullResponse confirmation = StreamAcks.apply(open, request);
        if (confirmation != null) {
            answersDue.add(confirmation);
            wake();
        }
    }

    private void send() {
        int seen = wakeUps.get();
        Status status = end.get();
        if (status != null) {
            // Leaves the wake-ups as they are: nothing is ever sent after the end.
            leave();
            finish(status);
            return;
        }
        boolean more = false;
        LiveSubscription open = subscription;
        if (open != null) {
            for (StreamingPullResponse due = answersDue.poll(); due != null; due = answersDue.poll()) {
                responses.onNext(complete(open, due.toBuilder()));
            }
            more = sendBatch(open);
        }
        // Goes to the end of the line instead of looping, so that other streams get their share.
        if (more || wakeUps.addAndGet(-seen) != 0) {
            executor.execute(this::send);
        }
    }

    private boolean sendBatch(LiveSubscription open) {
        if (!responses.isReady()) {
            return false;
        }
        List<Lease> batch = open.take(this, ackDeadlineSeconds, MAX_BATCH, MAX_BATCH_BYTES);
        if (batch.isEmpty()) {
            return false;
        }
        if (responses.isCancelled()) {
            open.takeBack(batch);
            return false;
        }
        StreamingPullResponse.Builder response = StreamingPullResponse.newBuilder();
        batch.forEach(lease -> response.addReceivedMessages(lease.received()));
        responses.onNext(complete(open, response));
        return true;
    }

    /** Every response tells how the subscription is set up. */
    private static StreamingPullResponse complete(LiveSubscription open, StreamingPullResponse.Builder response) {
        Subscription config = open.config();
        return response.setSubscriptionProperties(SubscriptionProperties.newBuilder()
                        .setMessageOrderingEnabled(config.getEnableMessageOrdering())
                        .setExactlyOnceDeliveryEnabled(config.getEnableExactlyOnceDelivery()))
                .build();
    }

    private void finish(Status status) {
        if (responses.isCancelled()) {
            return;
        }
        if (status.isOk()) {
            responses.onCompleted();
        } else {
            responses.onError(status.asRuntimeException());
        }
    }

    private void leave() {
        LiveSubscription open = subscription;
        if (open != null) {
            open.disconnect(this);
        }
    }
}
