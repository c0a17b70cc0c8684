package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.MessageCorrelation;
import io.github.flowablepubsub.channel.MessageKeys;
import io.github.flowablepubsub.inbox.Awaited;
import io.github.flowablepubsub.inbox.MessageMatch;
import io.github.flowablepubsub.inbox.VariableValue;
import io.github.flowablepubsub.outcome.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventsubscription.api.EventSubscription;
import org.jspecify.annotations.Nullable;

/**
 * To receivers of a plain BPMN message: instances that wait for it and have the event's correlation value as process variable;
 * where there is none, the definition's message start event.
 */
final class MessageRoute implements Route {

    private final MessageReceivers receivers;
    private final MessageCorrelation correlation;
    private final EventInstance event;
    private final Set<String> parameters;
    private final @Nullable Object value;
    private final @Nullable VariableValue variable;

    MessageRoute(
            MessageReceivers receivers,
            MessageCorrelation correlation,
            EventInstance event,
            CorrelationParameters parameters) {
        this.receivers = receivers;
        this.correlation = correlation;
        this.event = event;
        this.parameters = parameters.names(event);
        this.value = MessageKeys.correlationValues(event).values().stream()
                .findFirst()
                .orElse(null);
        this.variable = value == null ? null : VariableValue.of(value);
    }

    @Override
    public EventInstance event() {
        return event;
    }

    @Override
    public @Nullable Outcome obstacle() {
        if (parameters.size() > 1) {
            return new Outcome.Unreadable("Event " + event.getEventKey() + " has " + parameters.size()
                    + " correlation parameters (" + String.join(", ", parameters) + "), but the channel's correlation"
                    + " compares one with variable " + correlation.variable()
                    + ". Leave one of them in the event definition, then open this message again");
        }
        if (value != null && variable == null) {
            return new Outcome.Unreadable("The correlation value of event " + event.getEventKey()
                    + " can't be compared with variable " + correlation.variable() + ": it is "
                    + (value instanceof String text
                            ? "a text of " + text.length() + " characters, at most " + VariableValue.MAX_TEXT
                                    + " are possible"
                            : "neither string, integer, long, double nor boolean, but a "
                                    + value.getClass().getSimpleName()));
        }
        return null;
    }

    @Override
    public List<EventSubscription> find() {
        List<EventSubscription> waiting =
                variable == null ? List.of() : receivers.waiting(correlation, variable, event.getTenantId());
        return waiting.isEmpty() ? receivers.starts(correlation, event.getTenantId()) : waiting;
    }

    @Override
    public Outcome noMatch() {
        if (variable == null) {
            return new Outcome.NoCorrelationValue("Event " + event.getEventKey() + " has no "
                    + (parameters.isEmpty()
                            ? "correlation parameter"
                            : "value for correlation parameter " + String.join(", ", parameters))
                    + " to compare with variable " + correlation.variable() + ", and process "
                    + correlation.processDefinitionKey() + " does not start with message "
                    + correlation.messageName());
        }
        return new Outcome.NoMatch(awaited());
    }

    @Override
    public Awaited awaited() {
        Set<String> configurations = new HashSet<>();
        configurations.add(MessageMatch.start(correlation.processDefinitionKey()));
        String compared = "";
        if (variable != null) {
            configurations.add(
                    MessageMatch.variable(correlation.processDefinitionKey(), correlation.variable(), variable));
            compared = " with the event's value in process variable " + correlation.variable() + ", of type "
                    + variable.type() + ",";
        }
        return new Awaited(
                "message " + correlation.messageName() + " of process " + correlation.processDefinitionKey() + compared,
                correlation.messageName(),
                configurations);
    }

    @Override
    public boolean deliver(EventSubscription to) {
        Map<String, Object> variables = new HashMap<>();
        event.getPayloadInstances().forEach(field -> variables.put(field.getDefinitionName(), field.getValue()));
        if (value != null) {
            variables.put(correlation.variable(), value);
        }
        receivers.deliver(to, variables);
        return true;
    }
}
