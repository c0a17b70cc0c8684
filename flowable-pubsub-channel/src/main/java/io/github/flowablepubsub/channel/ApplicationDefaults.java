package io.github.flowablepubsub.channel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What holds for every channel of an app where its file says nothing, in place of the built-in defaults: the application
 * properties {@code flowable.pubsub.policy.*} and {@code flowable.pubsub.consumer.*}. Immutable.
 */
public final class ApplicationDefaults {

    /** The built-in defaults. */
    public static final ApplicationDefaults NONE = of(Map.of());

    private final Values values;

    private ApplicationDefaults(Values values) {
        this.values = values;
    }

    /**
     * Checks and keeps these values.
     *
     * @param properties by path as in a channel file, such as {@code policy.buffer.timeToLive}; values as there (durations in
     *     ISO 8601), but without placeholders; null is not set
     * @throws IllegalArgumentException naming each property that is wrong, its value and what is allowed
     */
    public static ApplicationDefaults of(Map<String, ? extends @Nullable Object> properties) {
        Problems problems = new Problems();
        Values values = new Values(null);
        PropertyReader reader = new PropertyReader(ApplicationDefaults::refuse, problems, Place.APPLICATION, values);
        reader.read("", nested(properties));
        CrossChecks.checkDelays(values, Place.APPLICATION, "(the default) ", problems);
        if (problems.any()) {
            throw new IllegalArgumentException(problems.describe("Defaults of Pub/Sub channels are refused"));
        }
        return new ApplicationDefaults(values);
    }

    /** Paths of all properties that can be set, as in a channel file. */
    public static Set<String> paths() {
        return ChannelProperties.available(Place.APPLICATION);
    }

    /** Name of the application property for a path: {@code flowable.pubsub.policy.buffer.time-to-live}. */
    public static String property(String path) {
        return Place.APPLICATION.names().apply(path);
    }

    Values values() {
        return values;
    }

    private static String refuse(String text) {
        throw new IllegalArgumentException("none is resolved here");
    }

    private static Map<String, @Nullable Object> nested(Map<String, ? extends @Nullable Object> properties) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        properties.forEach((path, value) -> put(all, path, value));
        return all;
    }

    @SuppressWarnings("unchecked") // the only maps in it are those that are made here
    private static void put(Map<String, @Nullable Object> section, String path, @Nullable Object value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            section.put(path, value);
            return;
        }
        Object inner = section.computeIfAbsent(path.substring(0, dot), name -> new LinkedHashMap<>());
        if (!(inner instanceof LinkedHashMap)) {
            throw new IllegalArgumentException(property(path) + " is within another property that has a value");
        }
        put((Map<String, @Nullable Object>) inner, path.substring(dot + 1), value);
    }
}
