package io.github.flowablepubsub.inbox;

import org.jspecify.annotations.Nullable;

/**
 * A value as the engine's variable table keeps it. Equal when type and value are: the text 4711 is not the number 4711, and an
 * integer is not a long.
 *
 * @param type name of the engine's variable type
 * @param text of type {@code string} only
 * @param number of the types {@code integer}, {@code long} and {@code boolean} (1 is true)
 * @param decimal of type {@code double} only
 */
public record VariableValue(String type, @Nullable String text, @Nullable Long number, @Nullable Double decimal) {

    /** Longer texts the engine keeps elsewhere, and compares nowhere. */
    public static final int MAX_TEXT = 4000;

    /** Null when a variable with this value can't be compared in the database. */
    public static @Nullable VariableValue of(Object value) {
        if (value instanceof String text) {
            return text.length() > MAX_TEXT ? null : new VariableValue("string", text, null, null);
        } else if (value instanceof Integer number) {
            return new VariableValue("integer", null, number.longValue(), null);
        } else if (value instanceof Long number) {
            return new VariableValue("long", null, number, null);
        } else if (value instanceof Boolean flag) {
            return new VariableValue("boolean", null, flag ? 1L : 0L, null);
        } else if (value instanceof Double decimal) {
            return new VariableValue("double", null, null, decimal);
        }
        return null;
    }

    /** From the columns; of each type only its own counts. */
    static VariableValue ofColumns(
            String type, @Nullable String text, @Nullable Long number, @Nullable Double decimal) {
        return switch (type) {
            case "string" -> new VariableValue(type, text, null, null);
            case "double" -> new VariableValue(type, null, null, decimal);
            default -> new VariableValue(type, null, number, null);
        };
    }

    @Override
    public String toString() {
        return type + ":" + (text == null ? String.valueOf(number == null ? decimal : number) : text);
    }
}
