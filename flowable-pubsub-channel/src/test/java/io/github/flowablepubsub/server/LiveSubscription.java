package io.github.flowablepubsub.server;

import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Subscription;
import io.grpc.Status;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final Receivers receivers = new Receivers();
    private final Counters counters = new Counters();
    private final DeadLetterTopics deadLetterTopics;
    private volatile Subscription config;
    private @Nullable Status outage;
    private boolean losingAcks;

    LiveSubscription(Subscription config, DeadLetterTopics deadLetterTopics) {
        this.config = config;
        this.queue = new MessageQueue(config.getEnableMessageOrdering(), DeliveryPolicy.of(config));
        this.deadLetterTopics = deadLetterTopics;
    }

    Subscription config() {
        return config;
    }

    void reconfigure(Subscription changed) {
        change(() -> {
            config = changed;
            queue.policy(DeliveryPolicy.of(changed));
            return true;
        });
    }

    void topicDeleted() {
        reconfigure(config.toBuilder().setTopic(ResourceNames.DELETED_TOPIC).build());
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
        change(() -> receivers.remove(receiver));
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
            unsent.forEach(queue::takeBack);
            return true;
        });
    }

    AckResults acknowledge(List<String> ackIds) {
        AckIds.requireWellFormed(ackIds);
        Map<String, AckOutcome> outcomes = new LinkedHashMap<>();
        change(() -> {
            long before = counters.acks;
            for (String ackId : queue.inOrder(ackIds)) {
                AckOutcome outcome = losingAcks ? AckOutcome.UNAVAILABLE : queue.ack(ackId);
                counters.acked(outcome == AckOutcome.DONE);
                outcomes.put(ackId, outcome);
            }
            return counters.acks > before;
        });
        return new AckResults(config.getEnableExactlyOnceDelivery(), outcomes);
    }

    /** Moves the deadlines of the deliveries to so many seconds from now; zero gives a message back. */
    AckResults modifyDeadlines(List<String> ackIds, IntUnaryOperator secondsAt) {
        AckIds.requireWellFormed(ackIds);
        for (int i = 0; i < ackIds.size(); i++) {
            Limits.requireExtension(secondsAt.applyAsInt(i));
        }
        Map<String, AckOutcome> outcomes = new LinkedHashMap<>();
        change(() -> {
            for (int i = 0; i < ackIds.size(); i++) {
                outcomes.put(ackIds.get(i), modifyDeadline(ackIds.get(i), secondsAt.applyAsInt(i)));
            }
            return true;
        });
        return new AckResults(config.getEnableExactlyOnceDelivery(), outcomes);
    }

    private AckOutcome modifyDeadline(String ackId, int seconds) {
        if (seconds > 0) {
            return queue.extend(ackId, deadlineAfter(seconds));
        }
        AckOutcome outcome = queue.nack(ackId);
        if (outcome == AckOutcome.DONE) {
            counters.nacks++;
        }
        return outcome;
    }

    /** See {@link Replay#seek}. */
    void seek(Timestamp time, Timestamp now) {
        change(() -> {
            queue.seek(time, now);
            return true;
        });
    }

    /** Drops the messages whose retention is over. */
    void forget(Timestamp now) {
        change(() -> queue.forget(now));
    }

    /** Does what is due: deadlines that are over, back-offs that are over. */
    void sweep(long now) {
        change(() -> {
            int count = queue.expire(now);
            counters.expirations += count;
            return queue.releaseDue(now) || count > 0;
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
            ended = receivers.removeAll();
        } finally {
            lock.unlock();
        }
        ended.forEach(receiver -> receiver.terminate(status));
    }

    /** They stay open, and get no more. */
    void mute() {
        change(() -> {
            receivers.removeAll();
            return true;
        });
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
            return counters.stats(queue, receivers.streams());
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

    /** Does the change under the lock, then wakes the waiting calls if it may concern them, and forwards who has died. */
    private void change(BooleanSupplier action) {
        List<Receiver> woken = List.of();
        List<DeadLetter> died;
        lock.lock();
        try {
            if (action.getAsBoolean() && queue.hasPending()) {
                woken = receivers.inTurn();
            }
            died = queue.takeDeadLetters();
            if (queue.unacked() == 0) {
                emptied.signalAll();
            }
        } finally {
            lock.unlock();
        }
        woken.forEach(Receiver::wake);
        died.forEach(this::forward);
    }

    private void forward(DeadLetter letter) {
        boolean forwarded = deadLetterTopics.forward(letter.topic(), letter.wrapped(config.getName()));
        change(() -> {
            queue.bury(letter, forwarded);
            if (forwarded) {
                counters.deadLettered++;
            }
            return true;
        });
    }

    private static long deadlineAfter(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }
}
