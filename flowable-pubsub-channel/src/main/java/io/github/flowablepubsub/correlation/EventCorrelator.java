package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.Cardinality;
import io.github.flowablepubsub.channel.MessageKeys;
import io.github.flowablepubsub.channel.MessageReader;
import io.github.flowablepubsub.channel.PubSubChannel;
import io.github.flowablepubsub.channel.Reading;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.channel.RememberedDefinitions;
import io.github.flowablepubsub.outcome.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.flowable.eventregistry.api.EventDefinition;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.impl.consumer.CorrelationKey;
import org.flowable.eventregistry.model.EventPayload;
import org.flowable.eventsubscription.api.EventSubscription;
import org.jspecify.annotations.Nullable;

/**
 * Correlates one message with the event registry's subscriptions of BPMN and CMMN models: all its receivers, or none.
 */
public final class EventCorrelator implements Correlator {

    private final Receivers receivers;
    private final MessageReader reader;
    private final RememberedDefinitions definitions;

    /** On the process engine and the event registry's definitions. */
    public EventCorrelator(Receivers receivers, MessageReader reader, RememberedDefinitions definitions) {
        this.receivers = receivers;
        this.reader = reader;
        this.definitions = definitions;
    }

    /** A message that moves nothing is read again if an event definition is newer than the remembered one. */
    @Override
    public Outcome correlate(
            RegisteredChannel channel, byte[] body, Map<String, String> attributes, Progress progress) {
        long changes = definitions.changes();
        Outcome outcome = correlateOnce(channel, body, attributes, progress);
        if (outcome instanceof Outcome.Correlated || outcome instanceof Outcome.UniqueInstanceExists) {
            return outcome;
        }
        definitions.refresh();
        Reading unused = reader.read(channel, body, attributes);
        return changes == definitions.changes() ? outcome : correlateOnce(channel, body, attributes, progress);
    }

    private Outcome correlateOnce(
            RegisteredChannel channel, byte[] body, Map<String, String> attributes, Progress progress) {
        Reading reading = reader.read(channel, body, attributes);
        if (reading instanceof Reading.Events events) {
            return correlate(events.events(), channel.config(), progress);
        } else if (reading instanceof Reading.UnknownEvent unknown) {
            return new Outcome.UnknownEvent(unknown.eventKey());
        } else if (reading instanceof Reading.Unreadable unreadable) {
            return new Outcome.Unreadable(unreadable.error());
        }
        return new Outcome.Filtered();
    }

    @Override
    public Readiness look(RegisteredChannel channel, byte[] body, Map<String, String> attributes) {
        if (!(reader.read(channel, body, attributes) instanceof Reading.Events events)) {
            return Readiness.NONE;
        }
        boolean suspended = false;
        for (EventInstance event : events.events()) {
            List<EventSubscription> matches = receivers.find(event, receivers.correlationKeys(event));
            if (matches.isEmpty()) {
                return Readiness.NONE;
            }
            Cardinality cardinality =
                    channel.config().policy(event.getEventKey()).cardinality();
            Choice choice = Choice.of(matches, cardinality, receivers::definition);
            suspended |= choice.chosen().stream().anyMatch(receivers::isSuspended);
        }
        return suspended ? Readiness.SUSPENDED : Readiness.READY;
    }

    @Override
    public List<String> known(RegisteredChannel channel, byte[] body, Map<String, String> attributes) {
        List<String> found = new ArrayList<>();
        if (reader.read(channel, body, attributes) instanceof Reading.Events events) {
            for (EventInstance event : events.events()) {
                found.addAll(receivers.whereabouts(event));
            }
        }
        return found;
    }

    private record Delivery(EventInstance event, Collection<CorrelationKey> keys, EventSubscription to) {}

    private Outcome correlate(List<EventInstance> events, PubSubChannel channel, Progress progress) {
        List<Delivery> deliveries = new ArrayList<>();
        for (EventInstance event : events) {
            if (MessageKeys.present(event).size() > Receivers.MAX_CORRELATION_PARAMETERS) {
                return new Outcome.Unreadable("Event " + event.getEventKey() + " has "
                        + MessageKeys.present(event).size() + " correlation parameters, at most "
                        + Receivers.MAX_CORRELATION_PARAMETERS + " are possible");
            }
            Collection<CorrelationKey> keys = receivers.correlationKeys(event);
            List<EventSubscription> matches = receivers.find(event, keys);
            if (matches.isEmpty()) {
                return noMatch(event, keys);
            }
            Cardinality cardinality = channel.policy(event.getEventKey()).cardinality();
            Choice choice = Choice.of(matches, cardinality, receivers::definition);
            if (!choice.ambiguous().isEmpty()) {
                return new Outcome.Ambiguous(Ambiguity.describe(choice.ambiguous(), receivers::businessKey));
            }
            choice.chosen().forEach(to -> deliveries.add(new Delivery(event, keys, to)));
        }
        for (Delivery delivery : deliveries) {
            if (receivers.isSuspended(delivery.to())) {
                return suspended(delivery, deliveries.size());
            }
        }
        progress.matched();
        boolean moved = false;
        EventInstance last = null;
        for (Delivery delivery : deliveries) {
            boolean sameEvent = delivery.event() == last;
            if (Receivers.isGone(delivery.to())) {
                if (sameEvent) {
                    continue; // the one before it took it away, as a gateway or an end event does
                }
                throw new SubscriptionGoneException(
                        "Event " + delivery.event().getEventKey() + " of this message has no receiver any more: another"
                                + " event of the same message took the subscription at activity "
                                + delivery.to().getActivityId() + " away. A message reaches all its receivers or none;"
                                + " publish its events one by one");
            }
            last = delivery.event();
            moved |= receivers.deliver(delivery.to(), delivery.event(), delivery.keys());
        }
        return moved ? new Outcome.Correlated() : new Outcome.UniqueInstanceExists();
    }

    /** All or none: the others wait, too. */
    private static Outcome suspended(Delivery delivery, int count) {
        EventSubscription to = delivery.to();
        String who = Receivers.isStart(to)
                ? "Process definition " + to.getProcessDefinitionId() + ", which the message would start,"
                : "Process instance " + to.getProcessInstanceId() + ", waiting at activity " + to.getActivityId() + ",";
        String others = count == 1 ? "" : "; " + (count - 1) + " more receivers get the message with it";
        return new Outcome.Suspended(
                delivery.event().getEventKey(),
                Receivers.configurations(delivery.keys()),
                who + " is suspended" + others + ". Its activation wakes the message");
    }

    private Outcome noMatch(EventInstance event, Collection<CorrelationKey> keys) {
        Set<String> missing = correlationParameters(event);
        missing.removeAll(MessageKeys.correlationValues(event).keySet());
        if (!missing.isEmpty()) {
            return new Outcome.NoCorrelationValue(
                    "Event " + event.getEventKey() + " has no value for correlation parameter "
                            + String.join(", ", missing) + ", and nothing matches without it");
        }
        return new Outcome.NoMatch(event.getEventKey(), Receivers.configurations(keys));
    }

    private Set<String> correlationParameters(EventInstance event) {
        Set<String> names = new LinkedHashSet<>();
        EventDefinition definition = eventDefinition(event);
        if (definition != null) {
            definitions.repository().getEventModelById(definition.getId()).getCorrelationParameters().stream()
                    .map(EventPayload::getName)
                    .forEach(names::add);
        }
        return names;
    }

    /** As the pipeline found it: the tenant's own, else that of the default tenant. */
    private @Nullable EventDefinition eventDefinition(EventInstance event) {
        List<EventDefinition> latest = definitions
                .repository()
                .createEventDefinitionQuery()
                .eventDefinitionKey(event.getEventKey())
                .latestVersion()
                .list();
        return latest.stream()
                .filter(definition -> Objects.equals(definition.getTenantId(), event.getTenantId()))
                .findFirst()
                .orElse(latest.isEmpty() ? null : latest.get(0));
    }
}
