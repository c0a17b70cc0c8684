package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.ArchiveHook;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.InboxTransactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that clears, removes and tidies. It rests after each batch as long as the batch took, so that it never takes more
 * than half of one connection's time from those who deliver messages.
 */
public final class Housekeeper {

    private static final Logger log = LoggerFactory.getLogger(Housekeeper.class);

    private static final int IDLE_ROUNDS = 10;
    private static final Duration LANES_EVERY = Duration.ofHours(1);
    private static final long STOP_MILLIS = 5000;

    private final RetentionSettings settings;
    private final ChannelRegistry channels;
    private final Retention retention;
    private final LaneTidying lanes;
    private @Nullable Thread thread;
    private long lanesAt;

    /**
     * For the channels of this node, on the engine's database.
     *
     * @param hook sees messages before their bodies go
     */
    public Housekeeper(
            RetentionSettings settings, ChannelRegistry channels, InboxTransactions transactions, ArchiveHook hook) {
        this.settings = settings;
        this.channels = channels;
        this.retention = new Retention(transactions, hook);
        this.lanes = new LaneTidying(transactions);
    }

    /** Starts the thread; does nothing when it runs, or when this node leaves it to others. */
    public synchronized void start() {
        if (settings.enabled() && thread == null) {
            // Nodes that start together should not do the same at the same time.
            lanesAt = System.nanoTime() + ThreadLocalRandom.current().nextLong(LANES_EVERY.toNanos());
            thread = new Thread(this::run, "pubsub-housekeeping");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Stops it; a batch that is running is finished or rolled back. */
    public synchronized void stop() {
        Thread running = thread;
        thread = null;
        if (running != null) {
            running.interrupt();
            try {
                running.join(STOP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        int idle = 0;
        while (!Thread.currentThread().isInterrupted()) {
            try {
                TimeUnit.NANOSECONDS.sleep(
                        settings.interval().multipliedBy(Math.max(1, idle)).toNanos());
                idle = round() ? 0 : Math.min(idle + 1, IDLE_ROUNDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error e) {
                log.warn(
                        "Can't clear and remove finished messages; trying again in {}: {}",
                        settings.interval(),
                        DatabaseFailures.summary(e));
                log.debug("Failure of the housekeeping", e);
            }
        }
    }

    /** Everything that is due; returns whether there was anything. */
    private boolean round() throws InterruptedException {
        boolean busy = false;
        List<ChannelId> ids = new ArrayList<>(List.of(ChannelId.UNIQUE_STARTS));
        for (RegisteredChannel channel : channels.all()) {
            ids.add(channel.id());
            int rows;
            do {
                long begin = System.nanoTime();
                rows = retention.step(channel.id(), channel.config().policy().retention());
                busy |= rows > 0;
                rest(begin);
            } while (rows == Retention.BATCH);
        }
        if (System.nanoTime() - lanesAt >= 0) {
            lanesAt = System.nanoTime() + LANES_EVERY.toNanos();
            for (ChannelId id : ids) {
                tidy(id);
            }
        }
        return busy;
    }

    private void tidy(ChannelId channel) throws InterruptedException {
        String after = "";
        do {
            long begin = System.nanoTime();
            after = lanes.step(channel, after);
            rest(begin);
        } while (!after.isEmpty());
    }

    private static void rest(long since) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(System.nanoTime() - since);
    }
}
