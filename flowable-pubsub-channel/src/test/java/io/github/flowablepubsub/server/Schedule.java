package io.github.flowablepubsub.server;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lanes that have something to deliver, the one that waits longest first. Guarded by the subscription's lock. */
final class Schedule {

    private final Set<Lane> ready = new LinkedHashSet<>();

    boolean hasReady() {
        return !ready.isEmpty();
    }

    /** To be called whenever the lane has changed; a lane that is in line keeps its place. */
    void place(Lane lane) {
        if (lane.hasPending() && !lane.isHeld()) {
            ready.add(lane);
        } else {
            ready.remove(lane);
        }
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
