package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.Incoming;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.api.runtime.EventPayloadInstance;
import org.flowable.eventregistry.impl.runtime.EventInstanceImpl;
import org.flowable.eventregistry.impl.runtime.EventPayloadInstanceImpl;
import org.flowable.eventregistry.model.EventModel;
import org.flowable.eventregistry.model.EventPayload;

/**
 * Adds what a channel maps of a message's {@link Metadata} to its events. Behind the pipeline, and not as an extractor in it, so
 * that it is there with every pipeline of the app, on every Flowable line.
 */
final class MetadataPayload {

    private final RememberedDefinitions definitions;

    MetadataPayload(RememberedDefinitions definitions) {
        this.definitions = definitions;
    }

    /** A field of that name that the definition does not have is left out, as with Kafka; one that the pipeline has is replaced. */
    List<EventInstance> addTo(List<EventInstance> events, Map<Metadata, String> outputs, Incoming message) {
        return outputs.isEmpty()
                ? events
                : events.stream().map(event -> addTo(event, outputs, message)).toList();
    }

    private EventInstance addTo(EventInstance event, Map<Metadata, String> outputs, Incoming message) {
        EventModel model = definitions.modelOf(event);
        if (model == null) {
            return event;
        }
        List<EventPayloadInstance> payload = new ArrayList<>(event.getPayloadInstances());
        outputs.forEach((metadata, field) -> {
            EventPayload definition = model.getPayload(field);
            Object value = definition == null ? null : metadata.value(message, definition.getType());
            if (definition != null && value != null) {
                payload.removeIf(there -> there.getDefinitionName().equals(field));
                payload.add(new EventPayloadInstanceImpl(definition, value));
            }
        });
        return new EventInstanceImpl(event.getEventKey(), payload, event.getTenantId());
    }
}
