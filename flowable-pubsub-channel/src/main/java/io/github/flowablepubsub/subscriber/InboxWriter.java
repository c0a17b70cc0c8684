package io.github.flowablepubsub.subscriber;

import io.github.flowablepubsub.channel.RegisteredChannel;
import java.time.Duration;
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

    private static final int MAX_BATCH = 500;
    /** Well below what a server takes in one statement by default (MariaDB: 16 MB). */
    private static final int MAX_BATCH_BYTES = 4 * 1024 * 1024;

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long MAX_PAUSE_MILLIS = 2000;

    private final Supplier<Optional<RegisteredChannel>> channel;
    private final Intake intake;
    private final ChannelCounters counters;
    private final Duration patience;
    private final LinkedBlockingQueue<Received> incoming = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean stopping;
    private volatile boolean refusing;
    private volatile Runnable databaseAway = () -> {};

    InboxWriter(
            String name,
            Supplier<Optional<RegisteredChannel>> channel,
            Intake intake,
            ChannelCounters counters,
            Duration patience) {
        this.channel = channel;
        this.intake = intake;
        this.counters = counters;
        this.patience = patience;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /**
     * Starts.
     *
     * @param onDatabaseAway runs when the database has been away for too long: everything in hand is given back, and what
     *     the client still has must be, too, before new messages come. Else a later message of a key would be stored first.
     */
    void start(Runnable onDatabaseAway) {
        databaseAway = onDatabaseAway;
        intake.start(this::giveUp);
        thread.start();
    }

    /** Takes a message over; it is answered later, by this writer. While it refuses, and after the stop, it is nacked. */
    void add(Received received) {
        incoming.add(received);
        if (refusing) {
            nackAll();
        }
    }

    /** Takes messages again. */
    void accept() {
        refusing = stopping;
    }

    /** Stores what is there, nacks what is left after the timeout. */
    void stop(long timeoutMillis) {
        stopping = true;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        try {
            thread.join(timeoutMillis);
            thread.interrupt();
            thread.join(1000);
            intake.stop(TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        refusing = true;
        intake.giveBack();
        nackAll();
    }

    private void nackAll() {
        List<Received> left = new ArrayList<>();
        incoming.drainTo(left);
        nack(left);
    }

    private void nack(List<Received> left) {
        left.forEach(Received::nack);
        counters.nacked(left.size());
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
                    storeSurvivingDefects(batch);
                } else if (stopping) {
                    return;
                }
                if (refusing && carried != null) {
                    nack(List.of(carried)); // its predecessors were given back
                    carried = null;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (carried != null) {
                nack(List.of(carried));
            }
        }
    }

    private void storeSurvivingDefects(List<Received> batch) throws InterruptedException {
        try {
            store(batch);
        } catch (RuntimeException | Error e) {
            log.error("Defect: a batch of {} messages failed; what was not acked is nacked", batch.size(), e);
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
        List<Received> left = batch;
        try {
            long deadline = System.nanoTime() + patience.toNanos();
            for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, MAX_PAUSE_MILLIS)) {
                Optional<RegisteredChannel> current = channel.get();
                if (current.isEmpty()) {
                    return; // undeployed meanwhile: Pub/Sub keeps them
                }
                left = intake.take(current.get(), left);
                if (left.isEmpty()) {
                    return;
                }
                if (stopping || System.nanoTime() > deadline) {
                    log.warn(
                            "The database took no messages of channel {} for {}; {} in hand are nacked, Pub/Sub keeps them",
                            current.get().id(),
                            patience,
                            left.size() + incoming.size());
                    giveUp();
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(pause);
            }
        } finally {
            nack(left);
            if (refusing) {
                nackAll();
            }
        }
    }

    /** Nothing more is taken until the consumer has a new subscriber; what is in hand is given back. */
    private void giveUp() {
        refusing = true;
        databaseAway.run();
        intake.giveBack();
        nackAll();
    }
}
