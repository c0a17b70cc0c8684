package io.github.flowablepubsub.server;

import com.google.protobuf.FieldMask;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Subscription;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One subscription: its messages, the calls that wait for them, its counts and its faults, all under one lock. Calls are
 * woken and ended after the lock is released, for they come back for messages.
 */
final class LiveSubscription {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition emptied = lock.newCondition();
    private final MessageQueue queue;
    private final Set<Receiver> receivers = new LinkedHashSet<>();
    private final Counters counters = new Counters();
    private volatile Subscription config;
    private @Nullable Status outage;
    private boolean losingAcks;
    private int turn;

    LiveSubscription(Subscription config) {
        this.config = config;
        this.queue = new MessageQueue(config.getEnableMessageOrdering());
    }

    Subscription config() {
        return config;
    }

    Subscription update(Subscription request, FieldMask mask) {
        lock.lock();
        try {
            config = SubscriptionConfig.update(config, request, mask);
            return config;
        } finally {
            lock.unlock();
        }
    }

    void topicDeleted() {
        lock.lock();
        try {
            config = config.toBuilder().setTopic(ResourceNames.DELETED_TOPIC).build();
        } finally {
            lock.unlock();
        }
    }

    /** Adds a call that waits for messages, or refuses it. */
    void connect(Receiver receiver) {
        lock.lock();
        try {
            if (outage != null) {
                throw outage.asRuntimeException();
            }
            receivers.add(receiver);
            if (receiver.isStream()) {
                counters.streamsOpened++;
            }
        } finally {
            lock.unlock();
        }
    }

    void disconnect(Receiver receiver) {
        change(() -> {
            receiver.lessee().leave();
            return receivers.remove(receiver);
        });
    }

    void enqueue(List<PubsubMessage> messages) {
        change(() -> {
            messages.forEach(queue::add);
            return true;
        });
    }

    /** Leases messages to a call that is connected; none if it is not any more. */
    List<Lease> take(Receiver receiver, int deadlineSeconds, int maxMessages, long maxBytes) {
        lock.lock();
        try {
            if (!receivers.contains(receiver)) {
                return List.of();
            }
            List<Lease> batch = queue.take(receiver.lessee(), deadlineAfter(deadlineSeconds), maxMessages, maxBytes);
            counters.deliveries += batch.size();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** Takes back leases that could not be sent: as if they had never been. */
    void takeBack(List<Lease> unsent) {
        change(() -> {
            counters.deliveries -= unsent.size();
            unsent.forEach(lease -> queue.giveBack(lease.ackId()));
            return true;
        });
    }

    void acknowledge(List<String> ackIds) {
        AckIds.requireWellFormed(ackIds);
        change(() -> {
            long before = counters.acks;
            for (String ackId : ackIds) {
                counters.acked(!losingAcks && queue.ack(ackId));
            }
            return counters.acks > before;
        });
    }

    /** Moves the deadlines of the deliveries to so many seconds from now; zero gives a message back. */
    void modifyDeadlines(List<String> ackIds, IntUnaryOperator secondsAt) {
        AckIds.requireWellFormed(ackIds);
        for (int i = 0; i < ackIds.size(); i++) {
            Limits.requireExtension(secondsAt.applyAsInt(i));
        }
        change(() -> {
            for (int i = 0; i < ackIds.size(); i++) {
                int seconds = secondsAt.applyAsInt(i);
                if (seconds > 0) {
                    queue.extend(ackIds.get(i), deadlineAfter(seconds));
                } else if (queue.giveBack(ackIds.get(i))) {
                    counters.nacks++;
                }
            }
            return true;
        });
    }

    void expire(long now) {
        change(() -> {
            int count = queue.expire(now);
            counters.expirations += count;
            return count > 0;
        });
    }

    void expireAll() {
        change(() -> {
            counters.expirations += queue.expireAll();
            return true;
        });
    }

    void redeliver() {
        change(() -> {
            queue.redeliverAll();
            return true;
        });
    }

    void loseAcks(boolean lose) {
        change(() -> {
            losingAcks = lose;
            return false;
        });
    }

    void delete() {
        fail(Errors.notFound(config.getName()));
    }

    void fail(Status status) {
        if (status.isOk()) {
            throw new IllegalArgumentException("An outage needs an error status, not OK");
        }
        List<Receiver> ended;
        lock.lock();
        try {
            outage = status;
            ended = List.copyOf(receivers);
            ended.forEach(receiver -> receiver.lessee().leave());
            receivers.clear();
        } finally {
            lock.unlock();
        }
        ended.forEach(receiver -> receiver.terminate(status));
    }

    void heal() {
        change(() -> {
            outage = null;
            return false;
        });
    }

    SubscriptionStats stats() {
        lock.lock();
        try {
            int streams = Math.toIntExact(
                    receivers.stream().filter(Receiver::isStream).count());
            return counters.stats(queue, streams);
        } finally {
            lock.unlock();
        }
    }

    void awaitEmpty(Duration timeout) {
        lock.lock();
        try {
            long nanos = timeout.toNanos();
            while (queue.unacked() > 0) {
                if (nanos <= 0) {
                    throw new IllegalStateException(
                            config.getName() + " is not empty after " + timeout + ": " + stats());
                }
                nanos = emptied.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + config.getName(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Does the change under the lock, then wakes the waiting calls if it may concern them. */
    private void change(BooleanSupplier action) {
        List<Receiver> woken = List.of();
        lock.lock();
        try {
            if (action.getAsBoolean() && queue.hasPending()) {
                woken = inTurn();
            }
            if (queue.unacked() == 0) {
                emptied.signalAll();
            }
        } finally {
            lock.unlock();
        }
        woken.forEach(Receiver::wake);
    }

    /** The waiting calls, each time starting with another one, so that they share the load. */
    private List<Receiver> inTurn() {
        List<Receiver> result = new ArrayList<>(receivers);
        if (!result.isEmpty()) {
            Collections.rotate(result, -(turn++ % result.size()));
        }
        return result;
    }

    private static long deadlineAfter(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }
}
