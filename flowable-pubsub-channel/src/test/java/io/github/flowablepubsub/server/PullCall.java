package io.github.flowablepubsub.server;

import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.List;

/** One unary pull: answers as soon as there are messages, or after a while with none. Its monitor guards the answer. */
final class PullCall implements Receiver {

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);
    private static final long MAX_RESPONSE_BYTES = 8L * 1024 * 1024;

    private final LiveSubscription subscription;
    private final PullRequest request;
    private final ServerCallStreamObserver<PullResponse> response;
    private final Lessee lessee;
    private boolean answered;

    PullCall(LiveSubscription subscription, PullRequest request, ServerCallStreamObserver<PullResponse> response) {
        this.subscription = subscription;
        this.request = request;
        this.response = response;
        this.lessee = new Lessee("", 0, 0);
    }

    @SuppressWarnings("deprecation") // of return_immediately, which clients may still send
    void start(Timers timers) {
        if (request.getMaxMessages() <= 0) {
            throw Errors.invalid("max_messages must be greater than 0");
        }
        response.setOnCancelHandler(this::cancelled);
        subscription.connect(this);
        answer(request.getReturnImmediately());
        timers.after(MAX_WAIT, () -> answer(true));
    }

    @Override
    public Lessee lessee() {
        return lessee;
    }

    @Override
    public boolean isStream() {
        return false;
    }

    @Override
    public void wake() {
        answer(false);
    }

    @Override
    public synchronized void terminate(Status status) {
        if (!answered) {
            answered = true;
            response.onError(status.asRuntimeException());
        }
    }

    private void cancelled() {
        synchronized (this) {
            answered = true;
        }
        subscription.disconnect(this);
    }

    private void answer(boolean evenIfEmpty) {
        // Not within the monitor: leaving wakes other pulls, which have monitors of their own.
        if (tryAnswer(evenIfEmpty)) {
            subscription.disconnect(this);
        }
    }

    private synchronized boolean tryAnswer(boolean evenIfEmpty) {
        if (answered) {
            return false;
        }
        int deadline = subscription.config().getAckDeadlineSeconds();
        List<Lease> batch = subscription.take(this, deadline, request.getMaxMessages(), MAX_RESPONSE_BYTES);
        if (batch.isEmpty() && !evenIfEmpty) {
            return false;
        }
        answered = true;
        PullResponse.Builder result = PullResponse.newBuilder();
        batch.forEach(lease -> result.addReceivedMessages(lease.received()));
        response.onNext(result.build());
        response.onCompleted();
        return true;
    }
}
