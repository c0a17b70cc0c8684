package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.Keys;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
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

    /**
     * Keys of a message that was read.
     *
     * @param order what is serialised; a message without such a value shares its lane with no other one
     * @param orderingKey Pub/Sub's ordering key, empty when there is none
     */
    public static MessageKeys of(Reading reading, String messageId, Order order, String orderingKey) {
        if (reading instanceof Reading.Events events) {
            EventInstance first = events.events().get(0);
            String tenant = first.getTenantId();
            String tenantId = tenant == null || tenant.isEmpty() ? "" : Keys.column(tenant);
            String orderKey = orderKey(first, order, orderingKey);
            // The same key of two tenants is two keys; an ordering key is the channel's, whatever the tenant.
            String ofTenant = tenantId.isEmpty() || order.by() == Order.By.ORDERING_KEY ? "" : tenantId + "/";
            return new MessageKeys(
                    Keys.indexed(first.getEventKey()),
                    tenantId,
                    Keys.correlationKey(correlationValues(first)),
                    orderKey == null ? Keys.ownLane(messageId) : Keys.indexed(ofTenant + orderKey));
        }
        String eventKey = reading instanceof Reading.UnknownEvent unknown ? Keys.indexed(unknown.eventKey()) : null;
        boolean ordered = order.by() == Order.By.ORDERING_KEY && !orderingKey.isEmpty();
        return new MessageKeys(eventKey, "", null, ordered ? Keys.indexed(orderingKey) : Keys.ownLane(messageId));
    }

    private static @Nullable String orderKey(EventInstance event, Order order, String orderingKey) {
        return switch (order.by()) {
            case CORRELATION_KEY, STRICT -> Keys.correlationKey(correlationValues(event));
            case PARAMETER -> {
                Object value = correlationValues(event).get(Objects.requireNonNull(order.parameter()));
                yield value == null ? null : Keys.column(value.toString());
            }
            case ORDERING_KEY -> orderingKey.isEmpty() ? null : orderingKey;
            case NONE -> null;
        };
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
