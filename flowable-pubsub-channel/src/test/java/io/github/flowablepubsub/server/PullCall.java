package io.github.flowablepubsub.server;

import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One unary pull: answers as soon as there are messages, or after a while with none. Its monitor guards the answer. */
final class PullCall implements Receiver {

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);
    private static final Duration ANSWER_MARGIN = Duration.ofSeconds(1);
    private static final int MAX_MESSAGES = 1000;
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
        if (!answer(request.getReturnImmediately())) {
            timers.after(wait(Context.current().getDeadline()), () -> answer(true));
        }
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

    /** Whether it is answered, now or before. */
    private boolean answer(boolean evenIfEmpty) {
        List<Lease> batch;
        synchronized (this) {
            if (answered) {
                return true;
            }
            batch = take();
            if (batch.isEmpty() && !evenIfEmpty) {
                return false;
            }
            answered = true;
        }
        // Not within the monitor: giving back and leaving wake other pulls, which have monitors of their own.
        if (response.isCancelled()) {
            subscription.takeBack(batch);
        } else {
            respond(batch);
        }
        subscription.disconnect(this);
        return true;
    }

    private List<Lease> take() {
        int deadline = subscription.config().getAckDeadlineSeconds();
        int max = Math.min(request.getMaxMessages(), MAX_MESSAGES);
        return subscription.take(this, deadline, max, MAX_RESPONSE_BYTES);
    }

    private void respond(List<Lease> batch) {
        PullResponse.Builder result = PullResponse.newBuilder();
        batch.forEach(lease -> result.addReceivedMessages(lease.received()));
        response.onNext(result.build());
        response.onCompleted();
    }

    /** An empty answer is better than none, which the client sees as an error: it comes before the client gives up. */
    private static Duration wait(@Nullable Deadline clientDeadline) {
        if (clientDeadline == null) {
            return MAX_WAIT;
        }
        Duration left = Duration.ofNanos(Math.max(0, clientDeadline.timeRemaining(TimeUnit.NANOSECONDS)));
        Duration margin = min(ANSWER_MARGIN, left.dividedBy(4));
        return min(MAX_WAIT, left.minus(margin));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
