package io.github.flowablepubsub.server;

import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of the messages of one subscription: pending, leased, acked. Knows neither threads nor streams:
 * guarded by the subscription's lock.
 */
final class MessageQueue {

    private final boolean ordering;
    private final AckIds ackIds = new AckIds();
    private final Backlog backlog = new Backlog();
    private final Replay replay = new Replay(backlog);
    private final Schedule schedule = backlog.schedule();
    private final Leases leases = backlog.leases();
    private final List<DeadLetter> deadLetters = new ArrayList<>();
    private DeliveryPolicy policy;
    private long lastLease;

    MessageQueue(boolean ordering, DeliveryPolicy policy) {
        this.ordering = ordering;
        this.policy = policy;
    }

    void policy(DeliveryPolicy changed) {
        policy = changed;
        if (!changed.retainAcked()) {
            backlog.history().endRetention();
        }
    }

    int unacked() {
        return backlog.unacked();
    }

    int outstanding() {
        return leases.size();
    }

    boolean hasPending() {
        return schedule.hasReady();
    }

    void add(PubsubMessage message) {
        backlog.add(ordering ? message.getOrderingKey() : "", new QueuedMessage(message));
    }

    /** Leases pending messages to the lessee, as far as its flow control has room; at least one if it has. */
    List<Lease> take(Lessee lessee, long deadline, int maxMessages, long maxBytes) {
        List<Lease> batch = new ArrayList<>();
        long bytes = 0;
        while (batch.size() < maxMessages && bytes < maxBytes && lessee.hasRoom()) {
            Lane lane = schedule.next(lessee);
            if (lane == null) {
                break;
            }
            Lease lease = lease(lane, lessee, deadline);
            batch.add(lease);
            bytes += lease.message().size();
        }
        return batch;
    }

    AckOutcome ack(String ackId) {
        Lease lease = live(ackId);
        if (lease == null) {
            return AckOutcome.INVALID;
        }
        Lane lane = lease.lane();
        if (policy.exactlyOnce() && !lane.isFirstDelivered(lease.message())) {
            return AckOutcome.UNORDERED;
        }
        backlog.ack(lane, lease.message(), policy.retainAcked());
        return AckOutcome.DONE;
    }

    /** The ack ids in the order of delivery, in which those of a key can be acked. */
    List<String> inOrder(List<String> ids) {
        return ids.stream()
                .distinct()
                .sorted(Comparator.comparingLong(leases::numberOf))
                .toList();
    }

    AckOutcome extend(String ackId, long deadline) {
        Lease lease = live(ackId);
        if (lease == null) {
            return AckOutcome.INVALID;
        }
        leases.remove(lease);
        leases.add(lease.until(deadline));
        return AckOutcome.DONE;
    }

    /** The delivery has failed: makes its message pending again, or dead. */
    AckOutcome nack(String ackId) {
        Lease nacked = live(ackId);
        if (nacked == null) {
            return AckOutcome.INVALID;
        }
        rewind(nacked.lane(), nacked.message(), nacked::equals);
        return AckOutcome.DONE;
    }

    /** Makes a message pending again as if it had not been delivered. */
    void takeBack(Lease unsent) {
        // It may be over meanwhile, and the message another one's.
        if (leases.find(unsent.ackId()) != null) {
            rewind(unsent.lane(), unsent.message(), lease -> false);
        }
    }

    /** The deliveries have failed whose deadline is over; returns how many. */
    int expire(long now) {
        int count = 0;
        for (Lease first = leases.expired(now); first != null; first = leases.expired(now)) {
            count += rewind(first.lane(), first.message(), lease -> lease.isOver(now));
        }
        return count;
    }

    /** Ends the back-off of the messages whose time has come; whether there were any. */
    boolean releaseDue(long now) {
        return schedule.releaseDue(now);
    }

    /** All deliveries that are under way have failed; returns how many. */
    int expireAll() {
        int count = 0;
        for (Lease lease = leases.first(); lease != null; lease = leases.first()) {
            QueuedMessage first = lease.lane().firstDelivered();
            count += rewind(lease.lane(), first != null ? first : lease.message(), any -> true);
        }
        return count;
    }

    /** See {@link Replay#seek}. */
    void seek(Timestamp time, Timestamp now) {
        replay.seek(time, policy.retainedFrom(now), policy.retainAcked());
    }

    /** Drops the messages whose retention is over; whether there were unacked ones. */
    boolean forget(Timestamp now) {
        return replay.forgetBefore(policy.retainedFrom(now), now);
    }

    void redeliverAll() {
        replay.redeliverAll();
    }

    /** The messages that have died since the last time; to be forwarded, and then given to {@link #bury}. */
    List<DeadLetter> takeDeadLetters() {
        if (deadLetters.isEmpty()) {
            return List.of();
        }
        List<DeadLetter> taken = List.copyOf(deadLetters);
        deadLetters.clear();
        return taken;
    }

    /** Removes a dead message that was forwarded; one that was not is delivered again. */
    void bury(DeadLetter letter, boolean forwarded) {
        letter.lane().release();
        if (forwarded) {
            backlog.drop(letter.lane(), letter.message());
        } else {
            backlog.settle(letter.lane());
        }
    }

    /** The lease that has this ack id; null if it is over. */
    private @Nullable Lease live(String ackId) {
        Lease lease = leases.find(ackId);
        // Those that are over stay until the next sweep; only a client that is promised more must notice.
        return lease != null && policy.exactlyOnce() && lease.isOver(System.nanoTime()) ? null : lease;
    }

    private Lease lease(Lane lane, Lessee lessee, long deadline) {
        QueuedMessage message = lane.take(lessee);
        schedule.placeLast(lane);
        long number = ++lastLease;
        int attempt = policy.countsAttempts() ? message.failedAttempts() + 1 : 0;
        Lease lease = new Lease(ackIds.of(number), number, message, lane, lessee, attempt, deadline);
        leases.add(lease);
        return lease;
    }

    /** Makes the message and its successors pending again; returns how many of their deliveries have failed. */
    private int rewind(Lane lane, QueuedMessage message, Predicate<Lease> failed) {
        List<Lease> failures =
                backlog.rewind(lane, message).stream().filter(failed).toList();
        failures.forEach(lease -> failed(lane, lease.message()));
        backlog.settle(lane);
        return failures.size();
    }

    private void failed(Lane lane, QueuedMessage message) {
        message.failed(policy.countsAttempts());
        long backOff = policy.backOff(message.failures());
        if (backOff > 0) {
            message.backOffUntil(System.nanoTime() + backOff);
        }
        if (policy.isDead(message)) {
            lane.hold();
            deadLetters.add(new DeadLetter(lane, message, policy.deadLetterTopic(), message.failedAttempts()));
        }
    }
}
