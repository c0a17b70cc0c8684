package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.Keys;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.api.runtime.EventPayloadInstance;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a message, frozen when it is stored, in the form of their columns.
 *
 * @param eventKey key of the event definition, null when it can't be read
 * @param tenantId tenant of the event, empty when there is none
 * @param correlationKey readable correlation key, null when there is none
 * @param orderKey what is serialised
 */
public record MessageKeys(
        @Nullable String eventKey, String tenantId, @Nullable String correlationKey, String orderKey) {

    /** Keys of a message that was read; a message without correlation values shares its lane with no other one. */
    public static MessageKeys of(Reading reading, String messageId) {
        if (reading instanceof Reading.Events events) {
            EventInstance first = events.events().get(0);
            String correlationKey = Keys.correlationKey(correlationValues(first));
            String tenant = first.getTenantId();
            String tenantId = tenant == null || tenant.isEmpty() ? "" : Keys.column(tenant);
            return new MessageKeys(
                    Keys.indexed(first.getEventKey()),
                    tenantId,
                    correlationKey,
                    orderKey(tenantId, correlationKey, messageId));
        }
        String eventKey = reading instanceof Reading.UnknownEvent unknown ? Keys.indexed(unknown.eventKey()) : null;
        return new MessageKeys(eventKey, "", null, Keys.ownLane(messageId));
    }

    /** The same key of two tenants is two keys. */
    private static String orderKey(String tenantId, @Nullable String correlationKey, String messageId) {
        if (correlationKey == null) {
            return Keys.ownLane(messageId);
        }
        return Keys.indexed(tenantId.isEmpty() ? correlationKey : tenantId + "/" + correlationKey);
    }

    /** Correlation parameters that have a value, by name. */
    public static Map<String, Object> correlationValues(EventInstance event) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (EventPayloadInstance parameter : present(event)) {
            values.put(parameter.getDefinitionName(), parameter.getValue());
        }
        return values;
    }

    /** Correlation parameters that have a value: neither null nor blank, nor the text {@code null}. */
    public static Collection<EventPayloadInstance> present(EventInstance event) {
        return event.getCorrelationParameterInstances().stream()
                .filter(parameter -> parameter.getValue() != null
                        && !parameter.getValue().toString().isBlank()
                        // Flowable 7.2 reads JSON null as this text
                        && !parameter.getValue().equals("null"))
                .toList();
    }
}
