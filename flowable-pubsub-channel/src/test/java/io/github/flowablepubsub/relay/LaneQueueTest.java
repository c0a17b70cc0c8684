package io.github.flowablepubsub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.Lane;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LaneQueueTest {

    private static final Lane A = new Lane("c", "", "a");
    private static final Lane B = new Lane("c", "", "b");

    private final LaneQueue queue = new LaneQueue(2);

    private CompletableFuture<Lane> takeLater() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return queue.take();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aLaneIsQueuedOnce() throws InterruptedException {
        queue.offer(A);
        queue.offer(A);
        assertThat(queue.take()).isEqualTo(A);
        queue.release(A, null);
        queue.offer(B);
        assertThat(queue.take()).isEqualTo(B);
    }

    @Test
    void anOfferDuringTheWorkIsNotLost() throws InterruptedException {
        queue.offer(A);
        queue.take();
        queue.offer(A);
        CompletableFuture<Lane> next = takeLater();
        assertThat(next).isNotDone();
        queue.release(A, null);
        assertThat(next.orTimeout(5, TimeUnit.SECONDS).join()).isEqualTo(A);
    }

    @Test
    void aDelayedLaneComesByItselfAndTheEarliestTimeCounts() {
        queue.offerAfter(A, Duration.ofHours(1));
        queue.offerAfter(A, Duration.ofMillis(20));
        queue.offerAfter(A, Duration.ofHours(2));
        assertThat(takeLater().orTimeout(5, TimeUnit.SECONDS).join()).isEqualTo(A);
    }

    @Test
    void releaseWithZeroGoesToTheEndOfTheQueue() throws InterruptedException {
        queue.offer(A);
        queue.offer(B);
        queue.take();
        queue.release(A, Duration.ZERO);
        assertThat(queue.take()).isEqualTo(B);
        assertThat(queue.take()).isEqualTo(A);
    }

    @Test
    void offersBeyondTheCapacityAreLeftToTheSweep() throws InterruptedException {
        queue.offer(A);
        queue.offer(B);
        queue.offer(new Lane("c", "", "c"));
        queue.take();
        queue.take();
        assertThat(takeLater()).isNotDone();
        assertThat(queue.running()).isEqualTo(2);
    }

    @Test
    void aClosedQueueForgetsAndTakesNothing() {
        queue.offer(A);
        queue.close();
        queue.offer(B);
        CompletableFuture<Lane> taken = takeLater();
        assertThat(queue.running()).isZero();
        assertThat(taken).isNotDone();
        queue.open();
        queue.offer(B);
        assertThat(taken.orTimeout(5, TimeUnit.SECONDS).join()).isEqualTo(B);
    }
}
