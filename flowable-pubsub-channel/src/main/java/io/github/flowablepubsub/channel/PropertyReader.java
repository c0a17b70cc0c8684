package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.channel.Property.ByEvent;
import io.github.flowablepubsub.channel.Property.Later;
import io.github.flowablepubsub.channel.Property.Value;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the nested maps of one place by the table of {@link ChannelProperties}, and collects what it does not accept. */
final class PropertyReader {

    private final UnaryOperator<String> placeholders;
    private final Problems problems;
    private final Place place;
    private final Values values;

    /**
     * @param values takes what is accepted
     */
    PropertyReader(UnaryOperator<String> placeholders, Problems problems, Place place, Values values) {
        this.placeholders = placeholders;
        this.problems = problems;
        this.place = place;
        this.values = values;
    }

    /** Reads the entries of a section of the table; the top is the empty path. */
    void read(String section, Map<?, ?> entries) {
        entries.forEach((name, value) -> readEntry(section, String.valueOf(name), value));
    }

    private void readEntry(String section, String name, @Nullable Object value) {
        String path = section.isEmpty() ? name : section + "." + name;
        Property property = ChannelProperties.find(path);
        boolean isSection = ChannelProperties.isSection(path);
        if (name.indexOf('.') >= 0) {
            // The paths of the table have dots, names in a file never do.
            addUnknown(section, path, name, value);
        } else if ((property != null || isSection) && !place.takes().test(path)) {
            addMisplaced(section, path, value);
        } else if (property instanceof Value<?> known) {
            readValue(known, value);
        } else if (property instanceof ByEvent) {
            readEvents(path, value);
        } else if (property instanceof Later later) {
            addLater(later, value);
        } else if (isSection) {
            readObject(path, value);
        } else {
            addUnknown(section, path, name, value);
        }
    }

    private void readObject(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> entries) {
            read(path, entries);
        } else if (value != null) {
            problems.add(shown(path), value, "must be a JSON object; " + known(path));
        }
    }

    private void readEvents(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> events) {
            events.forEach((key, policy) -> readEvent(path, String.valueOf(key), policy));
        } else if (value != null) {
            problems.add(shown(path), value, "must be a JSON object with a policy for each of some event keys");
        }
    }

    private void readEvent(String path, String key, @Nullable Object policy) {
        if (key.isBlank() || key.contains("${")) {
            problems.add(path + "." + key, policy, "is not the key of an event; placeholders are for values only");
        } else if (policy != null) {
            new PropertyReader(placeholders, problems, Place.event(key), values.event(key))
                    .readObject("policy", policy);
        }
    }

    private <T> void readValue(Value<T> property, @Nullable Object value) {
        if (value == null) {
            return;
        }
        Object resolved = value;
        try {
            if (value instanceof String text && property.type().takesPlaceholders()) {
                resolved = resolve(text);
            }
            values.put(property, property.type().read(resolved));
        } catch (Refusal e) {
            String origin = resolved.equals(value) ? "" : "(resolved to " + Printed.value(resolved) + ") ";
            problems.add(shown(property.path()), value, origin + e.getMessage());
        }
    }

    private String resolve(String text) throws Refusal {
        if (!text.contains("${")) {
            return text;
        }
        String resolved;
        try {
            resolved = placeholders.apply(text);
        } catch (RuntimeException e) {
            throw new Refusal(
                    "has a placeholder without a value: " + Printed.text(String.valueOf(e.getMessage()), 200));
        }
        if (resolved.contains("${")) {
            // Resolving must end with plain text: it is done again whenever the channel is registered.
            throw new Refusal("still has a placeholder after resolving: " + Printed.value(resolved));
        }
        return resolved;
    }

    private void addLater(Later later, @Nullable Object value) {
        if (value != null) {
            problems.add(shown(later.path()), value, "is not available in this release; " + later.instead());
        }
    }

    private void addMisplaced(String section, String path, @Nullable Object value) {
        if (value != null) {
            problems.add(shown(path), value, () -> place.misplaced() + "; " + known(section));
        }
    }

    private void addUnknown(String section, String path, String name, @Nullable Object value) {
        problems.add(shown(path), value, () -> "unknown property" + hint(section, name) + " " + known(section));
    }

    private String shown(String path) {
        return place.names().apply(path);
    }

    private String hint(String section, String name) {
        String prefix = section.isEmpty() ? "" : section + ".";
        Set<String> names = ChannelProperties.within(section, place).stream()
                .map(p -> p.substring(prefix.length()))
                .collect(Collectors.toSet());
        return Nearest.of(name, names)
                .map(nearest -> shown(prefix + nearest))
                .or(() -> ChannelProperties.elsewhere(name.substring(name.lastIndexOf('.') + 1))
                        .map(other -> place.takes().test(other) ? shown(other) : other))
                .map(nearest -> ", did you mean " + nearest + "?")
                .orElse(";");
    }

    private String known(String section) {
        Set<String> available = ChannelProperties.availableWithin(section, place);
        String where = shown(section);
        if (available.isEmpty()) {
            return "nothing of " + where + " is available in this release";
        }
        int prefix = where.isEmpty() ? 0 : where.length() + 1;
        return "available " + (where.isEmpty() ? "at the top" : "in " + where) + ": "
                + available.stream().map(p -> shown(p).substring(prefix)).collect(Collectors.joining(", "));
    }
}
