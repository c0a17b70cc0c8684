package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.MirrorMapper.Work;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that brings jobs in line with what plain SQL has made of their rows, within 10 s. An idle look is one statement
 * that reads nothing. While there is much to do it rests as long as each page took. Any number of nodes may do it:
 * what another transaction holds is left to it.
 */
public final class MirrorKeeper {

    private static final Logger log = LoggerFactory.getLogger(MirrorKeeper.class);

    /** A moved job that no executor takes is run by us, this long after it was seen first. */
    private static final Duration EXECUTOR_PATIENCE = Duration.ofSeconds(2);

    private static final long STOP_MILLIS = 5000;

    private final MirrorSettings settings;
    private final MissingJobs missing;
    private final LeftoverJobs leftover;
    private final JobWalk walk;
    private @Nullable Thread thread;

    /** For the channels of this node, on the engine's database. */
    public MirrorKeeper(
            MirrorSettings settings,
            ChannelRegistry channels,
            InboxTransactions transactions,
            Mirrors mirrors,
            RetryHandler handler,
            LookHandler look) {
        this.settings = settings;
        this.missing = new MissingJobs(channels, transactions, mirrors);
        this.leftover = new LeftoverJobs(transactions, mirrors, handler, look);
        this.walk = new JobWalk(transactions, mirrors);
    }

    /** Starts the thread; does nothing when it runs. */
    public synchronized void start() {
        if (thread == null) {
            thread = new Thread(this::run, "pubsub-mirrors");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Stops it; a page that is worked on is finished or rolled back. */
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
        while (!Thread.currentThread().isInterrupted()) {
            long pause = settings.interval().toNanos();
            try {
                pause = look();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                log.warn(
                        "Can't bring jobs of parked messages in line with their rows; trying again in {}: {}",
                        settings.interval(),
                        DatabaseFailures.summary(e));
                log.debug("Failure of the mirrors", e);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A look for work, and what there is of it, page by page; returns the nanoseconds to rest. */
    private long look() throws InterruptedException {
        Set<Work> work = missing.work();
        boolean more = work.contains(Work.MISSING) || work.contains(Work.LEFTOVER);
        while (more) {
            long begin = System.nanoTime();
            more = leftover.step();
            more = missing.step() || more;
            TimeUnit.NANOSECONDS.sleep(more ? System.nanoTime() - begin : 0);
        }
        walk.step(work.contains(Work.PAIR));
        boolean waiting = leftover.executeWaiting(work.contains(Work.EXECUTABLE));
        return waiting
                ? Math.min(settings.interval().toNanos(), EXECUTOR_PATIENCE.toNanos())
                : settings.interval().toNanos();
    }
}
