package io.github.flowablepubsub.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The running leases of a subscription by ack id and by deadline. Guarded by the subscription's lock. */
final class Leases {

    private final Map<String, Lease> byAckId = new HashMap<>();
    // Differences, not values, of nanoTime may be compared.
    private final TreeSet<Lease> byDeadline = new TreeSet<>((a, b) -> {
        int order = Long.signum(a.deadline() - b.deadline());
        return order != 0 ? order : Long.compare(a.number(), b.number());
    });

    void addLanesTo(Set<Lane> lanes) {
        byAckId.values().forEach(lease -> lanes.add(lease.lane()));
    }

    int size() {
        return byAckId.size();
    }

    @Nullable
    Lease find(String ackId) {
        return byAckId.get(ackId);
    }

    /** The number of the lease that has this ack id, beyond all others if there is none. */
    long numberOf(String ackId) {
        Lease lease = byAckId.get(ackId);
        return lease == null ? Long.MAX_VALUE : lease.number();
    }

    /** Starts the lease. */
    void add(Lease lease) {
        byAckId.put(lease.ackId(), lease);
        byDeadline.add(lease);
        lease.message().lease(lease);
        lease.lessee().leased(lease.message().size());
    }

    /** Ends the lease, for whatever reason. */
    void remove(Lease lease) {
        byAckId.remove(lease.ackId());
        byDeadline.remove(lease);
        lease.message().lease(null);
        lease.lessee().released(lease.message().size());
    }

    /** The lease that expires first, if its deadline is over. */
    @Nullable
    Lease expired(long now) {
        return byDeadline.isEmpty() || !byDeadline.first().isOver(now) ? null : byDeadline.first();
    }

    /** The lease that expires first. */
    @Nullable
    Lease first() {
        return byDeadline.isEmpty() ? null : byDeadline.first();
    }
}
