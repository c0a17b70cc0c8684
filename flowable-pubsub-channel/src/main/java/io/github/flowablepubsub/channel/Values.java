package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.channel.Property.Value;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What a file says, by property. */
final class Values {

    private final Map<String, Object> byPath = new HashMap<>();

    <T> void put(Value<T> property, T value) {
        byPath.put(property.path(), value);
    }

    /** Whether the file says something good about the property. */
    boolean has(String path) {
        return byPath.containsKey(path);
    }

    /** The file's value, as a message may show it. */
    @Nullable
    Object shown(String path) {
        Object value = byPath.get(path);
        return value instanceof Duration duration ? DurationValue.iso(duration) : value;
    }

    /** The value of the file, else the default, else null. */
    @SuppressWarnings("unchecked") // put(...) takes only values of the property's type.
    <T> @Nullable T find(Value<T> property) {
        Object value = byPath.get(property.path());
        return value == null ? property.defaultValue() : (T) value;
    }

    /** The value of a property that has a default, or whose absence was refused before. */
    <T> T get(Value<T> property) {
        T value = find(property);
        if (value == null) {
            throw new IllegalStateException("No value of " + property.path());
        }
        return value;
    }

    void forEach(BiConsumer<String, Object> action) {
        byPath.forEach(action);
    }
}
