package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.MessageKeys;
import io.github.flowablepubsub.inbox.Awaited;
import io.github.flowablepubsub.outcome.Outcome;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.impl.consumer.CorrelationKey;
import org.flowable.eventsubscription.api.EventSubscription;
import org.jspecify.annotations.Nullable;

/** To the event registry's subscriptions: the model names an event type. */
final class RegistryRoute implements Route {

    private final Receivers receivers;
    private final CorrelationParameters parameters;
    private final EventInstance event;
    private final @Nullable Outcome obstacle;
    private final Collection<CorrelationKey> keys;

    RegistryRoute(Receivers receivers, CorrelationParameters parameters, EventInstance event) {
        this.receivers = receivers;
        this.parameters = parameters;
        this.event = event;
        this.obstacle = obstacle(event);
        this.keys = obstacle == null ? receivers.correlationKeys(event) : List.of();
    }

    private static @Nullable Outcome obstacle(EventInstance event) {
        int count = MessageKeys.present(event).size();
        return count <= Receivers.MAX_CORRELATION_PARAMETERS
                ? null
                : new Outcome.Unreadable("Event " + event.getEventKey() + " has " + count
                        + " correlation parameters, at most " + Receivers.MAX_CORRELATION_PARAMETERS + " are possible");
    }

    @Override
    public EventInstance event() {
        return event;
    }

    @Override
    public @Nullable Outcome obstacle() {
        return obstacle;
    }

    @Override
    public List<EventSubscription> find() {
        return receivers.find(event, keys);
    }

    @Override
    public Outcome noMatch() {
        Set<String> missing = parameters.names(event);
        missing.removeAll(MessageKeys.correlationValues(event).keySet());
        if (!missing.isEmpty()) {
            return new Outcome.NoCorrelationValue(
                    "Event " + event.getEventKey() + " has no value for correlation parameter "
                            + String.join(", ", missing) + ", and nothing matches without it");
        }
        return new Outcome.NoMatch(awaited());
    }

    @Override
    public Awaited awaited() {
        Set<String> configurations = new HashSet<>(Receivers.configurations(keys));
        configurations.add(Awaited.ANY);
        return new Awaited("event " + event.getEventKey(), event.getEventKey(), configurations);
    }

    @Override
    public boolean deliver(EventSubscription to) {
        return receivers.deliver(to, event, keys);
    }
}
