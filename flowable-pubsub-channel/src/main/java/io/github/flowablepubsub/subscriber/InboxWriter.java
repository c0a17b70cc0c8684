package io.github.flowablepubsub.subscriber;

import io.github.flowablepubsub.channel.RegisteredChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of a channel on this node: what has come in meanwhile is stored in one transaction, so that a single
 * message goes at once and a burst in few. The client's flow control bounds what waits here.
 */
final class InboxWriter {

    private static final Logger log = LoggerFactory.getLogger(InboxWriter.class);

    private static final int MAX_BATCH = 200;
    private static final int MAX_BATCH_BYTES = 16 * 1024 * 1024;
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 500;

    private final Supplier<Optional<RegisteredChannel>> channel;
    private final BatchStore batchStore;
    private final LinkedBlockingQueue<Received> incoming = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean stopping;
    private volatile boolean stopped;

    InboxWriter(String name, Supplier<Optional<RegisteredChannel>> channel, BatchStore batchStore) {
        this.channel = channel;
        this.batchStore = batchStore;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Takes a message over; it is answered later, by this writer. After the stop it is nacked. */
    void add(Received received) {
        incoming.add(received);
        if (stopped) {
            nackAll();
        }
    }

    /** Stores what is there, nacks what is left after the timeout. */
    void stop(long timeoutMillis) {
        stopping = true;
        try {
            thread.join(timeoutMillis);
            thread.interrupt();
            thread.join(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stopped = true;
        nackAll();
    }

    private void nackAll() {
        for (Received left = incoming.poll(); left != null; left = incoming.poll()) {
            left.nack();
        }
    }

    private void run() {
        @Nullable Received carried = null;
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Received first = carried != null ? carried : incoming.poll(50, TimeUnit.MILLISECONDS);
                carried = null;
                if (first != null) {
                    List<Received> batch = new ArrayList<>(List.of(first));
                    carried = fill(batch);
                    store(batch);
                } else if (stopping) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (carried != null) {
                carried.nack();
            }
        }
    }

    /** Adds what has come in meanwhile; returns the one that would make the batch too large. */
    private @Nullable Received fill(List<Received> batch) {
        long bytes = batch.get(0).size();
        while (batch.size() < MAX_BATCH) {
            Received next = incoming.poll();
            if (next == null) {
                return null;
            }
            bytes += next.size();
            if (bytes > MAX_BATCH_BYTES) {
                return next;
            }
            batch.add(next);
        }
        return null;
    }

    private void store(List<Received> batch) throws InterruptedException {
        Optional<RegisteredChannel> current = channel.get();
        if (current.isEmpty()) {
            batch.forEach(Received::nack); // undeployed meanwhile: Pub/Sub keeps them
            return;
        }
        boolean stored = false;
        try {
            stored = batchStore.store(current.get(), batch);
        } catch (RuntimeException | Error e) {
            log.error(
                    "Defect: a batch of channel {} was not answered; nacked",
                    current.get().id(),
                    e);
            batch.forEach(Received::nack);
        }
        if (!stored) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE_MILLIS);
        }
    }
}
