package io.github.flowablepubsub.server;

import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that have something to deliver: now, the one that waits longest first, or later, as their first message backs
 * off. Guarded by the subscription's lock.
 */
final class Schedule {

    /** When a lane is to be looked at again. May be out of date: the lane itself knows. */
    private record Alarm(long due, Lane lane) {}

    private final Set<Lane> ready = new LinkedHashSet<>();
    // Differences, not values, of nanoTime may be compared.
    private final Queue<Alarm> backingOff = new PriorityQueue<>((a, b) -> Long.signum(a.due() - b.due()));

    void addTo(Set<Lane> lanes) {
        lanes.addAll(ready);
        backingOff.forEach(alarm -> lanes.add(alarm.lane()));
    }

    boolean hasReady() {
        return !ready.isEmpty();
    }

    /** To be called whenever the lane has changed; a lane that is in line keeps its place. */
    void place(Lane lane) {
        if (!lane.hasPending() || lane.isHeld()) {
            ready.remove(lane);
        } else if (lane.backsOff()) {
            ready.remove(lane);
            backingOff.add(new Alarm(lane.due(), lane));
        } else {
            ready.add(lane);
        }
    }

    /** Ends the back-off of the messages that are due; whether there were any. */
    boolean releaseDue(long now) {
        boolean released = false;
        while (!backingOff.isEmpty() && backingOff.peek().due() - now <= 0) {
            Lane lane = backingOff.remove().lane();
            if (lane.endBackOff(now)) {
                place(lane);
                released = true;
            }
        }
        return released;
    }

    /** As {@link #place}, at the end of the line: keys take turns, a long one does not starve the others. */
    void placeLast(Lane lane) {
        ready.remove(lane);
        place(lane);
    }

    /** The next lane that offers a message to the lessee, null if there is none. */
    @Nullable
    Lane next(Lessee lessee) {
        for (Lane lane : ready) {
            if (lane.offersTo(lessee)) {
                return lane;
            }
        }
        return null;
    }
}
