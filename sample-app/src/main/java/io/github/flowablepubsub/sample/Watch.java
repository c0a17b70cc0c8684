package io.github.flowablepubsub.sample;

import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.relay.RelayListener;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Waits until something is as it should be: looks again whenever a message has changed, and now and then anyway. */
@Component
class Watch implements RelayListener {

    /** For what no message tells: tokens, invoices, duplicates. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    /** Something was not as it should be in time; the message says what. */
    static final class NotInTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotInTime(String what) {
            super(what);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long changes;

    @Override
    public void changed(InboxRow row, RowChange change) {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits.
     *
     * @param what for the report, when it does not come
     * @param deadline as {@link System#nanoTime()}
     * @throws NotInTime when the deadline is over
     */
    <T> T until(String what, long deadline, Supplier<T> look, Predicate<? super T> done) {
        while (true) {
            long seen = changes();
            T found = look.get();
            if (done.test(found)) {
                return found;
            }
            if (deadline - System.nanoTime() <= 0) {
                throw new NotInTime(what);
            }
            pause(seen, Math.min(deadline - System.nanoTime(), LOOK_AGAIN.toNanos()));
        }
    }

    private long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    private void pause(long seen, long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (changes == seen && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotInTime("interrupted after " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
        } finally {
            lock.unlock();
        }
    }
}
