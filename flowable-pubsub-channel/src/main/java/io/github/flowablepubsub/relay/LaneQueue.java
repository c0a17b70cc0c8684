package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.Lane;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that this node is to look at, in memory. A lane is worked on by one thread of this node at a time; one that is
 * offered meanwhile is looked at once more, so that no offer is lost to a look that had already begun. Offers beyond the
 * capacity are dropped: the sweeps find them. Thread safe.
 */
final class LaneQueue {

    private enum Status {
        QUEUED,
        RUNNING,
        RUNNING_AND_OFFERED
    }

    private record Delayed(Lane lane, long dueNanos) {}

    private final int capacity;
    private boolean closed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Lane> ready = new ArrayDeque<>();
    private final PriorityQueue<Delayed> delayed =
            new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos() - b.dueNanos()));
    private final Map<Lane, Long> delays = new HashMap<>();
    private final Map<Lane, Status> statuses = new HashMap<>();

    LaneQueue(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Offers a lane to be looked at as soon as possible.
     *
     * @return whether it was not known yet; {@link #holds} tells whether it will be looked at
     */
    boolean offer(Lane lane) {
        lock.lock();
        try {
            Status status = statuses.get(lane);
            boolean queued = status == null && !closed && statuses.size() < capacity;
            if (queued) {
                statuses.put(lane, Status.QUEUED);
                ready.add(lane);
                changed.signalAll();
            } else if (status == Status.RUNNING) {
                statuses.put(lane, Status.RUNNING_AND_OFFERED);
            }
            return queued;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has this lane, in the queue or at work. */
    boolean holds(Lane lane) {
        lock.lock();
        try {
            return statuses.containsKey(lane);
        } finally {
            lock.unlock();
        }
    }

    /** Offers a lane to be looked at after a while; of several times the earliest counts. */
    void offerAfter(Lane lane, Duration delay) {
        lock.lock();
        try {
            long due = System.nanoTime() + delay.toNanos();
            Long known = delays.get(lane);
            if (!closed && delays.size() < capacity && (known == null || due - known < 0)) {
                delays.put(lane, due);
                delayed.add(new Delayed(lane, due));
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next lane, waiting for one; the caller must {@link #release} it. */
    Lane take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                long waitNanos = promoteDelayed();
                Lane lane = ready.poll();
                if (lane != null) {
                    statuses.put(lane, Status.RUNNING);
                    changed.signalAll();
                    return lane;
                }
                if (waitNanos > 0) {
                    long unused = changed.awaitNanos(waitNanos);
                } else {
                    changed.await();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Offers what has come due; returns nanoseconds until the next, 0 when there is none. */
    private long promoteDelayed() {
        while (true) {
            Delayed next = delayed.peek();
            if (next == null) {
                return 0;
            }
            long wait = next.dueNanos() - System.nanoTime();
            if (wait > 0) {
                return wait;
            }
            delayed.remove();
            if (delays.remove(next.lane(), next.dueNanos())) {
                offer(next.lane());
            }
        }
    }

    /**
     * Gives a lane back.
     *
     * @param next when to look again, null for not at all unless it was offered meanwhile
     */
    void release(Lane lane, @Nullable Duration next) {
        lock.lock();
        try {
            boolean offered = statuses.remove(lane) == Status.RUNNING_AND_OFFERED;
            if (!closed && (offered || (next != null && next.isZero()))) {
                statuses.put(lane, Status.QUEUED);
                ready.add(lane);
            } else if (next != null) {
                offerAfter(lane, next);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until fewer lanes than this are ready, or the time is over. */
    void awaitReadyBelow(int count, Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long nanos = timeout.toNanos();
            while (ready.size() >= count && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lanes that a thread works on. */
    int running() {
        lock.lock();
        try {
            return statuses.size() - ready.size();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets everything that nobody works on, and takes no more offers. The table keeps it all. */
    void close() {
        lock.lock();
        try {
            closed = true;
            ready.forEach(statuses::remove);
            ready.clear();
            delayed.clear();
            delays.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes offers again. */
    void open() {
        lock.lock();
        try {
            closed = false;
        } finally {
            lock.unlock();
        }
    }
}
