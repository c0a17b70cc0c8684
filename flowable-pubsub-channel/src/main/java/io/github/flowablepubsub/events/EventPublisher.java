package io.github.flowablepubsub.events;

import io.github.flowablepubsub.inbox.Keys;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners and measures what has happened. Whatever they do, the caller goes on: it never waits, and hears no exception.
 * Thread safe.
 */
public final class EventPublisher {

    private static final Logger log = LoggerFactory.getLogger(EventPublisher.class);

    private static final int CAPACITY = 10_000;

    private final List<InboxListener> listeners;
    private final Measures measures;
    private final LinkedBlockingQueue<InboxEvent> queue = new LinkedBlockingQueue<>(CAPACITY);
    private final AtomicLong told = new AtomicLong();
    private final AtomicLong heard = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile @Nullable Thread thread;

    /** To these. */
    public EventPublisher(List<InboxListener> listeners, Measures measures) {
        this.listeners = List.copyOf(listeners);
        this.measures = measures;
    }

    /** To nobody. */
    public static EventPublisher none() {
        return new EventPublisher(List.of(), Measures.NONE);
    }

    /** Something has happened and is committed. */
    public void publish(InboxEvent event) {
        measure(m -> m.happened(event));
        if (listeners.isEmpty()) {
            return;
        }
        if (queue.offer(event)) {
            told.incrementAndGet();
            startThread();
        } else {
            warn(lost.incrementAndGet(), event);
        }
    }

    /** Not each: they come in thousands. */
    private static void warn(long lost, InboxEvent event) {
        if (Long.bitCount(lost) == 1) {
            log.warn(
                    "Listeners are {} events behind; {} are lost so far, this one among them: {}. Let them do less, or hand"
                            + " over to a thread of their own",
                    CAPACITY,
                    lost,
                    Keys.printable(event.toString()));
        }
    }

    /** There is something to measure. */
    public void measure(Consumer<Measures> what) {
        try {
            what.accept(measures);
        } catch (RuntimeException | LinkageError e) {
            if (warned.compareAndSet(false, true)) {
                log.warn("Metrics fail; the next failures are logged at DEBUG", e);
            } else {
                log.debug("Metrics fail", e);
            }
        }
    }

    private void startThread() {
        if (thread == null) {
            synchronized (this) {
                if (thread == null) {
                    Thread fresh = new Thread(this::tellUntilInterrupted, "pubsub-events");
                    fresh.setDaemon(true);
                    fresh.start();
                    thread = fresh;
                }
            }
        }
    }

    private void tellUntilInterrupted() {
        try {
            while (true) {
                InboxEvent event = queue.take();
                try {
                    listeners.forEach(listener -> tell(listener, event));
                } finally {
                    heard.incrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tell(InboxListener listener, InboxEvent event) {
        try {
            listener.on(event);
        } catch (RuntimeException | Error e) {
            log.warn(
                    "The listener {} failed on {}; everything else goes on",
                    listener.getClass().getName(),
                    Keys.printable(event.toString()),
                    e);
        }
    }

    /** Waits so long at most for listeners to hear what was told, and ends the thread; the next event starts another one. */
    public void stop(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (heard.get() < told.get() && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (thread != null) {
                thread.interrupt();
                thread = null;
            }
        }
    }
}
