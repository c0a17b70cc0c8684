package io.github.flowablepubsub.server;

import com.google.pubsub.v1.PubsubMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of the messages of one subscription: pending, leased, acked. Knows neither threads nor streams:
 * guarded by the subscription's lock.
 */
final class MessageQueue {

    private final boolean ordering;
    private final AckIds ackIds = new AckIds();
    private final Map<String, Lane> keyedLanes = new HashMap<>();
    /** Lanes with pending messages, the one that waits longest first. */
    private final Set<Lane> ready = new LinkedHashSet<>();

    private final Leases leases = new Leases();
    private final AckedHistory history = new AckedHistory();
    private long lastLease;
    private int unacked;

    MessageQueue(boolean ordering) {
        this.ordering = ordering;
    }

    int unacked() {
        return unacked;
    }

    int outstanding() {
        return leases.size();
    }

    boolean hasPending() {
        return !ready.isEmpty();
    }

    void add(PubsubMessage message) {
        Lane lane = lane(ordering ? message.getOrderingKey() : "");
        lane.add(new QueuedMessage(message));
        ready.add(lane);
        unacked++;
    }

    /** Leases pending messages to the lessee, as far as its flow control has room; at least one if it has. */
    List<Lease> take(Lessee lessee, long deadline, int maxMessages, long maxBytes) {
        List<Lease> batch = new ArrayList<>();
        long bytes = 0;
        while (batch.size() < maxMessages && bytes < maxBytes && lessee.hasRoom()) {
            Lane lane = nextLane(lessee);
            if (lane == null) {
                break;
            }
            Lease lease = lease(lane, lessee, deadline);
            batch.add(lease);
            bytes += lease.message().size();
        }
        return batch;
    }

    /** Acks a delivery; false if its lease is over. */
    boolean ack(String ackId) {
        Lease lease = leases.find(ackId);
        if (lease == null) {
            return false;
        }
        leases.remove(lease);
        lease.message().acked(true);
        unacked--;
        Lane lane = lease.lane();
        lane.removeFinished().forEach(message -> history.add(lane.key(), message));
        dropIfEmpty(lane);
        return true;
    }

    /** Moves the deadline of a delivery; without effect if its lease is over. */
    void extend(String ackId, long deadline) {
        Lease lease = leases.find(ackId);
        if (lease != null) {
            leases.remove(lease);
            leases.add(lease.until(deadline));
        }
    }

    /** Makes a delivered message pending again; false if its lease is over. */
    boolean giveBack(String ackId) {
        Lease lease = leases.find(ackId);
        if (lease == null) {
            return false;
        }
        rewind(lease.lane(), lease.message());
        return true;
    }

    /** Makes the messages pending again whose deadline is over; returns how many leases ran out. */
    int expire(long now) {
        int count = 0;
        for (Lease lease = leases.expired(now); lease != null; lease = leases.expired(now)) {
            rewind(lease.lane(), lease.message());
            count++;
        }
        return count;
    }

    /** Makes all outstanding messages pending again; returns how many leases that ended. */
    int expireAll() {
        int count = leases.size();
        for (Lease lease = leases.first(); lease != null; lease = leases.first()) {
            QueuedMessage first = lease.lane().firstDelivered();
            rewind(lease.lane(), first != null ? first : lease.message());
        }
        return count;
    }

    /** Makes all messages that were ever delivered pending again, as far as the history goes. */
    void redeliverAll() {
        expireAll();
        for (AckedHistory.Entry entry : history.drainLatestFirst()) {
            Lane lane = lane(entry.key());
            entry.message().acked(false);
            lane.restore(entry.message());
            ready.add(lane);
            unacked++;
        }
    }

    private Lane lane(String key) {
        return key.isEmpty() ? new Lane(key) : keyedLanes.computeIfAbsent(key, Lane::new);
    }

    private @Nullable Lane nextLane(Lessee lessee) {
        for (Lane lane : ready) {
            if (lane.offersTo(lessee)) {
                return lane;
            }
        }
        return null;
    }

    private Lease lease(Lane lane, Lessee lessee, long deadline) {
        QueuedMessage message = lane.take(lessee);
        // To the end: keys take turns, a long one does not starve the others.
        ready.remove(lane);
        if (lane.hasPending()) {
            ready.add(lane);
        }
        long number = ++lastLease;
        Lease lease = new Lease(ackIds.of(number), number, message, lane, lessee, deadline);
        leases.add(lease);
        return lease;
    }

    private void rewind(Lane lane, QueuedMessage message) {
        for (QueuedMessage back : lane.rewind(message)) {
            Lease lease = back.lease();
            if (lease != null) {
                leases.remove(lease);
            }
            if (back.acked()) {
                back.acked(false);
                unacked++;
            }
        }
        ready.add(lane);
    }

    private void dropIfEmpty(Lane lane) {
        if (lane.isEmpty() && !lane.key().isEmpty()) {
            keyedLanes.remove(lane.key());
        }
    }
}
