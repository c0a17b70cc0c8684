package io.github.flowablepubsub.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The calls that wait for messages of a subscription. Guarded by its lock. */
final class Receivers {

    private final Set<Receiver> connected = new LinkedHashSet<>();
    private int turn;

    void add(Receiver receiver) {
        connected.add(receiver);
    }

    boolean contains(Receiver receiver) {
        return connected.contains(receiver);
    }

    /** Whether it was there. Its lessee gets no more messages, and its keys may go to its successor. */
    boolean remove(Receiver receiver) {
        receiver.lessee().leave();
        return connected.remove(receiver);
    }

    List<Receiver> removeAll() {
        List<Receiver> removed = List.copyOf(connected);
        removed.forEach(this::remove);
        return removed;
    }

    int streams() {
        return Math.toIntExact(connected.stream().filter(Receiver::isStream).count());
    }

    /** All of them, each time starting with another one, so that they share the load. */
    List<Receiver> inTurn() {
        List<Receiver> result = new ArrayList<>(connected);
        if (!result.isEmpty()) {
            Collections.rotate(result, -(turn++ % result.size()));
        }
        return result;
    }
}
