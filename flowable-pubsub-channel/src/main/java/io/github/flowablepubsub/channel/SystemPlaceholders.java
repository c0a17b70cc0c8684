package io.github.flowablepubsub.channel;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Placeholders of an engine without Spring: <code>${name}</code> and <code>${name:default}</code> are replaced by the system
 * property, else by the environment variable of that name, else by the one of the name in capitals with {@code _} for dots
 * and hyphens ({@code orders.time-to-live}: {@code ORDERS_TIME_TO_LIVE}), else by the default, which may have placeholders of
 * its own. Values are taken as they are.
 */
public final class SystemPlaceholders implements UnaryOperator<String> {

    private static final String START = "${";
    private static final int MAX_DEPTH = 10;

    private final Function<String, @Nullable String> lookup;

    /** Placeholders from system properties and environment variables. */
    public SystemPlaceholders() {
        this(SystemPlaceholders::systemValue);
    }

    SystemPlaceholders(Function<String, @Nullable String> lookup) {
        this.lookup = lookup;
    }

    /**
     * @throws IllegalArgumentException naming a placeholder that has neither value nor default, or that does not end
     */
    @Override
    public String apply(String text) {
        return resolve(text, 0);
    }

    private String resolve(String text, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("Placeholders are nested more than " + MAX_DEPTH + " deep");
        }
        StringBuilder resolved = new StringBuilder();
        int from = 0;
        for (int start = text.indexOf(START); start >= 0; start = text.indexOf(START, from)) {
            int end = endOf(text, start);
            resolved.append(text, from, start).append(value(text.substring(start + START.length(), end), depth));
            from = end + 1;
        }
        return resolved.append(text, from, text.length()).toString();
    }

    private String value(String placeholder, int depth) {
        int colon = placeholder.indexOf(':');
        String name = colon < 0 ? placeholder : placeholder.substring(0, colon);
        String value = name.isBlank() ? null : lookup.apply(name);
        if (value != null) {
            return value;
        }
        if (colon < 0) {
            throw new IllegalArgumentException("Could not resolve placeholder '" + name + "'");
        }
        return resolve(placeholder.substring(colon + 1), depth + 1);
    }

    /** Index of the brace that closes the placeholder at {@code start}. */
    private static int endOf(String text, int start) {
        int open = 0;
        for (int i = start; i < text.length(); i++) {
            if (text.startsWith(START, i)) {
                open++;
            } else if (text.charAt(i) == '}' && --open == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("Placeholder without closing brace in \"" + text + "\"");
    }

    private static @Nullable String systemValue(String name) {
        String property = System.getProperty(name);
        if (property != null) {
            return property;
        }
        String variable = System.getenv(name);
        return variable != null
                ? variable
                : System.getenv(name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT));
    }
}
