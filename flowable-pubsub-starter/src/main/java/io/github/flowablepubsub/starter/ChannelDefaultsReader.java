package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.channel.ApplicationDefaults;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** From application properties to the plugin's defaults: the records have the structure and the names of a channel file. */
final class ChannelDefaultsReader {

    private ChannelDefaultsReader() {}

    /**
     * @throws IllegalArgumentException naming each property that is wrong, its value and what is allowed
     */
    static ApplicationDefaults toDefaults(PolicyProperties policy, ConsumerProperties consumer) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        collect("policy", policy, values);
        collect("consumer", consumer, values);
        return ApplicationDefaults.of(values);
    }

    private static void collect(String path, @Nullable Object value, Map<String, @Nullable Object> values) {
        if (value instanceof Record section) {
            for (RecordComponent component : section.getClass().getRecordComponents()) {
                collect(path + "." + component.getName(), read(section, component), values);
            }
        } else {
            values.put(path, asInAFile(value));
        }
    }

    private static @Nullable Object asInAFile(@Nullable Object value) {
        if (value instanceof Duration duration) {
            return duration.toString();
        }
        return value instanceof DataSize size ? Long.valueOf(size.toBytes()) : value;
    }

    private static @Nullable Object read(Record section, RecordComponent component) {
        try {
            return component.getAccessor().invoke(section);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("Can't read " + component, e);
        }
    }
}
