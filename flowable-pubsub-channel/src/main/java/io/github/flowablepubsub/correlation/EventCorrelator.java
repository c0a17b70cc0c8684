package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.Cardinality;
import io.github.flowablepubsub.channel.MessageCorrelation;
import io.github.flowablepubsub.channel.MessageReader;
import io.github.flowablepubsub.channel.PubSubChannel;
import io.github.flowablepubsub.channel.Reading;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.channel.RememberedDefinitions;
import io.github.flowablepubsub.inbox.Incoming;
import io.github.flowablepubsub.outcome.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventsubscription.api.EventSubscription;

/**
 * Correlates one message with the event registry's subscriptions of BPMN and CMMN models, or with those of a plain BPMN message
 * where the channel says so: all its receivers, or none.
 */
public final class EventCorrelator implements Correlator {

    private final Receivers receivers;
    private final MessageReader reader;
    private final RememberedDefinitions definitions;
    private final MessageReceivers messages;
    private final CorrelationParameters parameters;

    /** On the process engine and the event registry's definitions. */
    public EventCorrelator(Receivers receivers, MessageReader reader, RememberedDefinitions definitions) {
        this.receivers = receivers;
        this.reader = reader;
        this.definitions = definitions;
        this.messages = new MessageReceivers(receivers);
        this.parameters = new CorrelationParameters(definitions);
    }

    private Route route(EventInstance event, PubSubChannel channel) {
        MessageCorrelation correlation = channel.correlation();
        return correlation == null
                ? new RegistryRoute(receivers, parameters, event)
                : new MessageRoute(messages, correlation, event, parameters);
    }

    /** A message that moves nothing is read again if an event definition is newer than the remembered one. */
    @Override
    public Outcome correlate(RegisteredChannel channel, Incoming message, Progress progress) {
        long changes = definitions.changes();
        Outcome outcome = correlateOnce(channel, message, progress);
        if (outcome instanceof Outcome.Correlated || outcome instanceof Outcome.UniqueInstanceExists) {
            return outcome;
        }
        definitions.refresh();
        Reading unused = reader.read(channel, message);
        return changes == definitions.changes() ? outcome : correlateOnce(channel, message, progress);
    }

    private Outcome correlateOnce(RegisteredChannel channel, Incoming message, Progress progress) {
        Reading reading = reader.read(channel, message);
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
    public Readiness look(RegisteredChannel channel, Incoming message) {
        if (!(reader.read(channel, message) instanceof Reading.Events events)) {
            return Readiness.NONE;
        }
        boolean suspended = false;
        for (EventInstance event : events.events()) {
            Route route = route(event, channel.config());
            List<EventSubscription> matches = route.obstacle() == null ? route.find() : List.of();
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
    public void deliverTo(RegisteredChannel channel, Incoming message, String receiver) {
        definitions.refresh();
        if (!(reader.read(channel, message) instanceof Reading.Events events)
                || events.events().size() != 1) {
            throw new NotReceivingException(
                    "The message is not read as one event of a definition that is deployed, as a"
                            + " chosen receiver needs it");
        }
        Route route = route(events.events().get(0), channel.config());
        if (route.obstacle() instanceof Outcome.Unreadable unreadable) {
            throw new NotReceivingException("The message can't be looked up: " + unreadable.error());
        }
        EventSubscription to = Chosen.of(route.find(), receiver);
        if (receivers.isSuspended(to)) {
            throw new NotReceivingException(receiver + " is suspended; activate it, then deliver the message");
        }
        route.deliver(to);
    }

    @Override
    public List<String> known(RegisteredChannel channel, Incoming message) {
        List<String> found = new ArrayList<>();
        if (reader.read(channel, message) instanceof Reading.Events events) {
            for (EventInstance event : events.events()) {
                found.addAll(receivers.whereabouts(event));
            }
        }
        return found;
    }

    private record Delivery(Route route, EventSubscription to) {}

    private Outcome correlate(List<EventInstance> events, PubSubChannel channel, Progress progress) {
        List<Delivery> deliveries = new ArrayList<>();
        for (EventInstance event : events) {
            Route route = route(event, channel);
            Outcome obstacle = route.obstacle();
            if (obstacle != null) {
                return obstacle;
            }
            List<EventSubscription> matches = route.find();
            if (matches.isEmpty()) {
                return route.noMatch();
            }
            Cardinality cardinality = channel.policy(event.getEventKey()).cardinality();
            Choice choice = Choice.of(matches, cardinality, receivers::definition);
            if (!choice.ambiguous().isEmpty()) {
                return new Outcome.Ambiguous(Ambiguity.describe(choice.ambiguous(), receivers::businessKey));
            }
            choice.chosen().forEach(to -> deliveries.add(new Delivery(route, to)));
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
            boolean sameEvent = delivery.route().event() == last;
            if (Receivers.isGone(delivery.to())) {
                if (sameEvent) {
                    continue; // the one before it took it away, as a gateway or an end event does
                }
                throw new SubscriptionGoneException("Event "
                        + delivery.route().event().getEventKey() + " of this message has no receiver any more: another"
                        + " event of the same message took the subscription at activity "
                        + delivery.to().getActivityId() + " away. A message reaches all its receivers or none;"
                        + " publish its events one by one");
            }
            last = delivery.route().event();
            moved |= delivery.route().deliver(delivery.to());
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
                delivery.route().awaited(), who + " is suspended" + others + ". Its activation wakes the message");
    }
}
