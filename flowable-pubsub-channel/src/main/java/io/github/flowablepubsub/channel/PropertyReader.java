package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.channel.Property.Later;
import io.github.flowablepubsub.channel.Property.Value;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the nested maps of one file by the table of {@link ChannelProperties}, and collects what it does not accept. */
final class PropertyReader {

    private final UnaryOperator<String> placeholders;
    private final Problems problems;
    private final Values values = new Values();

    PropertyReader(UnaryOperator<String> placeholders, Problems problems) {
        this.placeholders = placeholders;
        this.problems = problems;
    }

    Values read(Map<String, @Nullable Object> file) {
        readSection("", file);
        return values;
    }

    private void readSection(String section, Map<?, ?> entries) {
        entries.forEach((name, value) -> readEntry(section, String.valueOf(name), value));
    }

    private void readEntry(String section, String name, @Nullable Object value) {
        String path = section.isEmpty() ? name : section + "." + name;
        Property property = ChannelProperties.find(path);
        if (name.indexOf('.') >= 0) {
            // The paths of the table have dots, names in a file never do.
            addUnknown(section, path, name, value);
        } else if (property instanceof Value<?> known) {
            readValue(known, value);
        } else if (property instanceof Later later) {
            addLater(later, value);
        } else if (ChannelProperties.isSection(path)) {
            readObject(path, value);
        } else {
            addUnknown(section, path, name, value);
        }
    }

    private void readObject(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> entries) {
            readSection(path, entries);
        } else if (value != null) {
            problems.add(path, value, "must be a JSON object; " + known(path));
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
            problems.add(property.path(), value, origin + e.getMessage());
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
            problems.add(later.path(), value, "is not available in this release; " + later.instead());
        }
    }

    private void addUnknown(String section, String path, String name, @Nullable Object value) {
        problems.add(path, value, () -> "unknown property" + hint(section, name) + " " + known(section));
    }

    private static String hint(String section, String name) {
        String prefix = section.isEmpty() ? "" : section + ".";
        Set<String> names = ChannelProperties.within(section).stream()
                .map(p -> p.substring(prefix.length()))
                .collect(Collectors.toSet());
        return Nearest.of(name, names)
                .map(nearest -> prefix + nearest)
                .or(() -> ChannelProperties.elsewhere(name.substring(name.lastIndexOf('.') + 1)))
                .map(nearest -> ", did you mean " + nearest + "?")
                .orElse(";");
    }

    private static String known(String section) {
        Set<String> available = ChannelProperties.availableWithin(section);
        if (available.isEmpty()) {
            return "nothing of " + section + " is available in this release";
        }
        String prefix = section.isEmpty() ? "" : section + ".";
        return "available " + (section.isEmpty() ? "at the top" : "in " + section) + ": "
                + available.stream().map(p -> p.substring(prefix.length())).collect(Collectors.joining(", "));
    }
}
