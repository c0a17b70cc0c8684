package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.Keys;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.api.runtime.EventPayloadInstance;
import org.jspecify.annotations.Nullable;

/**
 * {@code policy.deduplication}: by what two messages with different Pub/Sub ids are known to be the same one. Frozen with each
 * message when it is stored.
 *
 * @param by what they have in common
 * @param name of the attribute or payload field, for {@link By#ATTRIBUTE} and {@link By#PAYLOAD} only
 * @param parkConflicts {@code onConflict} is {@code park}: the same key with another body is parked, else counted and logged
 */
public record Deduplication(By by, @Nullable String name, boolean parkConflicts) {

    /** What messages have in common that are the same one. A message that has no such value is like no other one. */
    public enum By {
        /** Nothing but the Pub/Sub message id. */
        NONE,
        /** Event and values of all correlation parameters. */
        CORRELATION_KEY,
        /** A Pub/Sub attribute, whatever the event. */
        ATTRIBUTE,
        /** Event and value of one field of its payload. */
        PAYLOAD
    }

    /** By the Pub/Sub message id alone, the default. */
    public static final Deduplication NONE = new Deduplication(By.NONE, null, true);

    private static final String ATTRIBUTE_PREFIX = "attribute:";
    private static final String PAYLOAD_PREFIX = "payload:";

    /** What a word in the file means. */
    static Deduplication of(String word, boolean parkConflicts) {
        if (word.startsWith(ATTRIBUTE_PREFIX)) {
            return new Deduplication(By.ATTRIBUTE, word.substring(ATTRIBUTE_PREFIX.length()), parkConflicts);
        }
        if (word.startsWith(PAYLOAD_PREFIX)) {
            return new Deduplication(By.PAYLOAD, word.substring(PAYLOAD_PREFIX.length()), parkConflicts);
        }
        return new Deduplication(word.equals("none") ? By.NONE : By.CORRELATION_KEY, null, parkConflicts);
    }

    /**
     * The business key of a message, in the form of its column. The same value of two tenants is two keys.
     *
     * @return null when the message has none: the value is absent, null or blank, or can't be read
     */
    public @Nullable String key(Reading reading, Map<String, String> attributes) {
        EventInstance event =
                reading instanceof Reading.Events events ? events.events().get(0) : null;
        String value =
                switch (by) {
                    case NONE -> null;
                    case ATTRIBUTE -> attributes.get(name);
                    case PAYLOAD -> event == null ? null : payload(event);
                    case CORRELATION_KEY -> event == null ? null : correlation(event);
                };
        if (value == null || value.isBlank()) {
            return null;
        }
        String ofEvent = event == null || by == By.ATTRIBUTE ? "" : event.getEventKey() + "/";
        String tenant = event == null || event.getTenantId() == null ? "" : event.getTenantId();
        return Keys.column((tenant.isEmpty() ? "" : tenant + "/") + ofEvent + value);
    }

    private @Nullable String payload(EventInstance event) {
        return event.getPayloadInstances().stream()
                .filter(field -> field.getDefinitionName().equals(name))
                .map(EventPayloadInstance::getValue)
                // Flowable 7.2 reads JSON null as this text
                .filter(value -> value != null && !value.equals("null"))
                .map(Object::toString)
                .findFirst()
                .orElse(null);
    }

    /** With their names: one of two parameters that is there must not pass for the other. */
    private static String correlation(EventInstance event) {
        return new TreeMap<>(MessageKeys.correlationValues(event))
                .entrySet().stream()
                        .map(value -> value.getKey() + "=" + value.getValue())
                        .collect(Collectors.joining(","));
    }
}
