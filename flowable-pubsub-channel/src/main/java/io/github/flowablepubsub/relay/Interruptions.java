package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.NewMessage;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ordering keys of which a message was nacked a moment ago. Pub/Sub delivers it and all its successors once more, in order; but
 * successors of the delivery before may still be on their way through the client, and would overtake it. They are given
 * back, too, until one comes that was given back before: that is the new delivery. Confined to its owner's lock.
 */
final class Interruptions {

    /** Far longer than a message takes through the client, far shorter than a usual back-off of Pub/Sub. */
    private static final long HOLDS = TimeUnit.SECONDS.toNanos(1);

    private static final int MANY = 1000;

    private record Key(Lane lane, @Nullable String orderingKey) {}

    private record Interruption(long since, Set<String> messageIds) {

        boolean isOver() {
            return System.nanoTime() - since > HOLDS;
        }
    }

    private final Map<Key, Interruption> interruptions = new HashMap<>();

    /** A message is given back, with those of its key that were in hand. */
    void begin(NewMessage nacked, Collection<NewMessage> successors) {
        if (interruptions.size() >= MANY) {
            interruptions.values().removeIf(Interruption::isOver);
        }
        Set<String> ids = new HashSet<>(Set.of(nacked.messageId()));
        successors.forEach(message -> ids.add(message.messageId()));
        interruptions.put(key(nacked), new Interruption(System.nanoTime(), ids));
    }

    /** Whether this one, which comes now, must be given back, too. */
    boolean concern(NewMessage message) {
        Interruption interruption = message.orderingKey() == null ? null : interruptions.get(key(message));
        if (interruption == null) {
            return false;
        }
        boolean concerns = !interruption.isOver() && interruption.messageIds().add(message.messageId());
        if (!concerns) {
            interruptions.remove(key(message));
        }
        return concerns;
    }

    private static Key key(NewMessage message) {
        return new Key(message.lane(), message.orderingKey());
    }
}
