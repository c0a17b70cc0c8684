package io.github.flowablepubsub.server;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The server's own threads: they send on the streams and watch the ack deadlines. */
final class Timers implements Executor, AutoCloseable {

    private static final int THREADS = 2;
    private static final Duration SWEEP_INTERVAL = Duration.ofMillis(50);

    private final ScheduledThreadPoolExecutor pool;

    Timers(Runnable sweep) {
        // Work that comes in after close belongs to calls that are being cancelled: nothing is left to do.
        pool = new ScheduledThreadPoolExecutor(THREADS, threads(), new ThreadPoolExecutor.DiscardPolicy());
        pool.setRemoveOnCancelPolicy(true);
        long interval = SWEEP_INTERVAL.toMillis();
        var unused = pool.scheduleWithFixedDelay(reporting(sweep), interval, interval, TimeUnit.MILLISECONDS);
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(reporting(task));
    }

    /** Runs the task once after the delay; it must bear running late, or never after close. */
    void after(Duration delay, Runnable task) {
        var unused = pool.schedule(reporting(task), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }

    /** A pool swallows exceptions, and a sweep that failed once would never run again. */
    private static Runnable reporting(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        };
    }

    private static ThreadFactory threads() {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "pubsub-server-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
