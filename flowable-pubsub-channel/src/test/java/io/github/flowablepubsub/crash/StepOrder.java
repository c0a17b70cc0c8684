package io.github.flowablepubsub.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Makes named steps of several threads happen in one given order, each once; a step comes when the one before is done. */
final class StepOrder {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<String> left;

    StepOrder(List<String> order) {
        this.left = new ArrayList<>(order);
    }

    /** Waits for the step's turn; steps that are not in the order, or were done, go at once. */
    void before(String step) {
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(20);
            while (left.contains(step) && !left.get(0).equals(step)) {
                if (nanos <= 0) {
                    throw new IllegalStateException("Step " + step + " waits for " + left);
                }
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    void done(String step) {
        lock.lock();
        try {
            if (!left.isEmpty() && left.get(0).equals(step)) {
                left.remove(0);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Steps that have not happened. */
    List<String> left() {
        lock.lock();
        try {
            return List.copyOf(left);
        } finally {
            lock.unlock();
        }
    }
}
