package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.inbox.Awaited;
import io.github.flowablepubsub.outcome.Outcome;
import java.util.List;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventsubscription.api.EventSubscription;
import org.jspecify.annotations.Nullable;

/** The way of one event to its receivers, look-up and delivery taken apart. Used inside an engine command only. */
interface Route {

    /** What is on its way. */
    EventInstance event();

    /** Why it can't be looked up at all; null when it can. */
    @Nullable
    Outcome obstacle();

    /** Everything that could receive it: waiting executions and start events. */
    List<EventSubscription> find();

    /** What becomes of it when there is no receiver. */
    Outcome noMatch();

    /** What it waits for until there is a receiver, or until all are active. */
    Awaited awaited();

    /**
     * Delivers to one receiver.
     *
     * @return false when a unique start found its instance
     * @throws SubscriptionGoneException when it moved on since the look-up
     */
    boolean deliver(EventSubscription to);
}
