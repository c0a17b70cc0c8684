package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.channel.Property.Value;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What is set in one place, by property, over what is set in a more general one. */
final class Values {

    private final Map<String, Object> byPath = new HashMap<>();
    private final Map<String, Values> events = new LinkedHashMap<>();
    private final @Nullable Values general;

    /**
     * @param general where to look for what is not set here; null: the built-in defaults
     */
    Values(@Nullable Values general) {
        this.general = general;
    }

    <T> void put(Value<T> property, T value) {
        byPath.put(property.path(), value);
    }

    /** Whether something good is set here. */
    boolean has(String path) {
        return byPath.containsKey(path);
    }

    /** The value that is set here, as a message may show it. */
    @Nullable
    Object shown(String path) {
        Object value = byPath.get(path);
        return value instanceof Duration duration ? DurationValue.iso(duration) : value;
    }

    /** The value from here, else from the more general places, else the default, else null. */
    @SuppressWarnings("unchecked") // put(...) takes only values of the property's type.
    <T> @Nullable T find(Value<T> property) {
        Object value = byPath.get(property.path());
        if (value != null) {
            return (T) value;
        }
        return general == null ? property.defaultValue() : general.find(property);
    }

    /** The value of a property that has a default, or whose absence was refused before. */
    <T> T get(Value<T> property) {
        T value = find(property);
        if (value == null) {
            throw new IllegalStateException("No value of " + property.path());
        }
        return value;
    }

    /** What is set for one event, over what is set here. */
    Values event(String key) {
        return events.computeIfAbsent(key, unused -> new Values(this));
    }

    /** All of {@link #event}, by event key. */
    Map<String, Values> events() {
        return Collections.unmodifiableMap(events);
    }

    /** What is set here. */
    void forEach(BiConsumer<String, Object> action) {
        byPath.forEach(action);
    }
}
