package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.Lane;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Waiting rows whose subscription has come, by lane. Whoever works on the lane next opens them in the transaction that
 * delivers: one commit from the subscription to the moved message. What a dying node has here, the sweep finds. Thread safe.
 */
final class Woken {

    private final ConcurrentHashMap<Lane, Set<Long>> rows = new ConcurrentHashMap<>();

    void add(Lane lane, Collection<Long> ids) {
        if (!ids.isEmpty()) {
            rows.merge(lane, new TreeSet<>(ids), Woken::union);
        }
    }

    /** Hands the rows of a lane over, in the order of their ids. */
    Set<Long> take(Lane lane) {
        Set<Long> taken = rows.remove(lane);
        return taken == null ? Set.of() : taken;
    }

    /** Hands everything over. */
    List<Long> drain() {
        return List.copyOf(rows.keySet()).stream()
                .flatMap(lane -> take(lane).stream())
                .toList();
    }

    private static Set<Long> union(Set<Long> a, Set<Long> b) {
        Set<Long> both = new TreeSet<>(a);
        both.addAll(b);
        return both;
    }
}
