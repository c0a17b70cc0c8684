package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.RememberedDefinitions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.flowable.eventregistry.api.EventDefinition;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.model.EventPayload;
import org.jspecify.annotations.Nullable;

/** Which correlation parameters an event's definition has, with and without a value in the message. */
final class CorrelationParameters {

    private final RememberedDefinitions definitions;

    CorrelationParameters(RememberedDefinitions definitions) {
        this.definitions = definitions;
    }

    /** Their names; a set of its own. */
    Set<String> names(EventInstance event) {
        Set<String> names = new LinkedHashSet<>();
        EventDefinition definition = definition(event);
        if (definition != null) {
            definitions.repository().getEventModelById(definition.getId()).getCorrelationParameters().stream()
                    .map(EventPayload::getName)
                    .forEach(names::add);
        }
        return names;
    }

    /** As the pipeline found it: the tenant's own, else that of the default tenant. */
    private @Nullable EventDefinition definition(EventInstance event) {
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
