package io.github.flowablepubsub.subscriber;

import io.github.flowablepubsub.channel.RegisteredChannel;
import java.util.List;

/** What becomes of messages that came in: the two ways of {@code policy.ack}. */
interface Intake {

    /**
     * Takes a batch over, in its order, on the writer's thread.
     *
     * @return the messages that are not taken because the database is away, in their order; each other one is answered by the
     *     intake, at once or later
     */
    List<Received> take(RegisteredChannel channel, List<Received> batch);

    /**
     * Before the first batch.
     *
     * @param onDatabaseAway has everything in hand given back; for an intake that finds out later than at {@link #take}
     */
    default void start(Runnable onDatabaseAway) {
        // one that answers at once has nothing to find out later
    }

    /** Gives back what it has in hand and is not in work. */
    default void giveBack() {
        // one that answers at once has nothing in hand
    }

    /** Finishes what it has in hand, up to the timeout, then gives it back. After the last batch. */
    default void stop(long timeoutMillis) throws InterruptedException {
        // one that answers at once has nothing in hand
    }
}
