package io.github.flowablepubsub.channel;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Foreign names and values as a message may show them: on one line, cut, whatever their size and depth. */
final class Printed {

    private static final int MAX_LENGTH = 80;

    private final StringBuilder text = new StringBuilder();

    private Printed() {}

    /** A JSON value, in JSON's notation. */
    static String value(@Nullable Object value) {
        Printed printed = new Printed();
        printed.append(value);
        return cut(printed.text, MAX_LENGTH);
    }

    /** Text without quotes, such as a property path. */
    static String text(String value) {
        return text(value, MAX_LENGTH);
    }

    static String text(String value, int maxLength) {
        Printed printed = new Printed();
        printed.appendEscaped(value, maxLength);
        return cut(printed.text, maxLength);
    }

    private static String cut(StringBuilder text, int maxLength) {
        return text.length() <= maxLength ? text.toString() : text.substring(0, maxLength - 1) + "…";
    }

    /** Stops once there is enough, so neither a huge nor a deep value costs anything. */
    private void append(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            text.append('{');
            Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
            while (entries.hasNext() && text.length() <= MAX_LENGTH) {
                Map.Entry<?, ?> entry = entries.next();
                append(String.valueOf(entry.getKey()));
                text.append(": ");
                append(entry.getValue());
                text.append(entries.hasNext() ? ", " : "");
            }
            text.append('}');
        } else if (value instanceof Iterable<?> list) {
            text.append('[');
            Iterator<?> elements = list.iterator();
            while (elements.hasNext() && text.length() <= MAX_LENGTH) {
                append(elements.next());
                text.append(elements.hasNext() ? ", " : "");
            }
            text.append(']');
        } else if (value instanceof String string) {
            text.append('"');
            appendEscaped(string, MAX_LENGTH);
            text.append('"');
        } else {
            text.append(value);
        }
    }

    private void appendEscaped(String value, int maxLength) {
        int end = Math.min(value.length(), maxLength + 1);
        for (int i = 0; i < end; i++) {
            char c = value.charAt(i);
            boolean line = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
            text.append(line ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
    }
}
