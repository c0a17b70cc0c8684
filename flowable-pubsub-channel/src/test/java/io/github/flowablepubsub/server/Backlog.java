package io.github.flowablepubsub.server;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a subscription in their lanes, the leases on them, and what is remembered of the acked ones: the steps
 * that keep these in accord. Guarded by the subscription's lock.
 */
final class Backlog {

    private final Map<String, Lane> keyedLanes = new HashMap<>();
    private final Schedule schedule = new Schedule();
    private final Leases leases = new Leases();
    private final AckedHistory history = new AckedHistory();
    private int unacked;

    Schedule schedule() {
        return schedule;
    }

    Leases leases() {
        return leases;
    }

    AckedHistory history() {
        return history;
    }

    int unacked() {
        return unacked;
    }

    void add(String key, QueuedMessage message) {
        Lane lane = lane(key);
        lane.add(message);
        schedule.place(lane);
        unacked++;
    }

    /** @param retain whether the subscription retains acked messages */
    void ack(Lane lane, QueuedMessage message, boolean retain) {
        endLease(message);
        message.acked(true);
        message.retained(retain);
        unacked--;
        lane.removeFinished().forEach(finished -> history.add(lane.key(), finished));
        settle(lane);
    }

    /** Takes out a message for good, without remembering it, if it is pending. */
    void drop(Lane lane, QueuedMessage message) {
        if (lane.remove(message)) {
            unacked--;
        }
        settle(lane);
    }

    /** Makes the message and its successors pending again; returns those whose leases that ended, in order. */
    List<Lease> rewind(Lane lane, QueuedMessage message) {
        List<Lease> ended = new ArrayList<>(1);
        for (QueuedMessage back : lane.rewind(message)) {
            Lease lease = endLease(back);
            if (lease != null) {
                ended.add(lease);
            }
            if (back.acked()) {
                back.acked(false);
                unacked++;
            }
        }
        return ended;
    }

    /** Makes all that is delivered of the lane pending again. */
    List<Lease> rewind(Lane lane) {
        QueuedMessage first = lane.firstDelivered();
        return first == null ? List.of() : rewind(lane, first);
    }

    /** Makes a message that had left its lane pending again, before all others in it. */
    void restore(String key, QueuedMessage message) {
        Lane lane = lane(key);
        rewind(lane);
        message.acked(false);
        lane.restore(message);
        unacked++;
        settle(lane);
    }

    /** To be called whenever a lane has changed. */
    void settle(Lane lane) {
        schedule.place(lane);
        if (lane.isEmpty() && !lane.key().isEmpty()) {
            keyedLanes.remove(lane.key(), lane);
        }
    }

    /** The publish time of the oldest message, acked or not, or the given one if there is none or it is earlier. */
    Timestamp oldest(Timestamp atMost) {
        Timestamp oldest = atMost;
        for (Lane lane : lanes()) {
            oldest = min(oldest, lane.oldest(atMost));
        }
        return min(oldest, history.oldest(atMost));
    }

    static Timestamp min(Timestamp a, Timestamp b) {
        return Timestamps.compare(a, b) < 0 ? a : b;
    }

    /** All lanes that hold a message, in no order. */
    Set<Lane> lanes() {
        Set<Lane> lanes = new LinkedHashSet<>(keyedLanes.values());
        schedule.addTo(lanes);
        leases.addLanesTo(lanes);
        return lanes;
    }

    private Lane lane(String key) {
        return key.isEmpty() ? new Lane(key) : keyedLanes.computeIfAbsent(key, Lane::new);
    }

    private @Nullable Lease endLease(QueuedMessage message) {
        Lease lease = message.lease();
        if (lease != null) {
            leases.remove(lease);
        }
        return lease;
    }
}
