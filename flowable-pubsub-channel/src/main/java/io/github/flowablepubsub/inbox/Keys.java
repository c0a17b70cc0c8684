package io.github.flowablepubsub.inbox;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keys and texts in the form that the columns hold. Values come from foreign messages: of any length, with characters
 * that a database refuses (rule R8). A key that does not fit as it is keeps a readable beginning and gets the hash of the
 * whole, so that different keys stay different.
 */
public final class Keys {

    /** Length of the key columns, in characters. */
    public static final int MAX_LENGTH = 255;

    /** Length of order and event keys: with it the indexes fit into every database. */
    public static final int MAX_INDEXED_LENGTH = 100;

    private static final int HASH_LENGTH = 65;
    private static final int MAX_PRINTED = 1000;

    private Keys() {}

    /**
     * Readable correlation key: the value alone when there is one parameter, else {@code a=1,b=2} sorted by name.
     *
     * @return null when there are no parameters
     */
    public static @Nullable String correlationKey(Map<String, ?> parameters) {
        if (parameters.isEmpty()) {
            return null;
        }
        if (parameters.size() == 1) {
            return column(String.valueOf(parameters.values().iterator().next()));
        }
        return column(new TreeMap<>(parameters)
                .entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(",")));
    }

    /** Order key of a message that shares its lane with no other one. */
    public static String ownLane(String messageId) {
        return indexed("#" + messageId);
    }

    /** A key as a key column can hold it. */
    public static String column(String key) {
        return column(key, MAX_LENGTH);
    }

    /** An order or event key as the columns for these can hold it. */
    public static String indexed(String key) {
        return column(key, MAX_INDEXED_LENGTH);
    }

    private static String column(String key, int maxLength) {
        String text = text(key);
        boolean exact =
                text.equals(key) && key.length() <= maxLength && key.strip().equals(key) && !key.isEmpty();
        if (exact) {
            return key;
        }
        String readable = text.strip();
        return readable.substring(0, Math.min(maxLength - HASH_LENGTH, readable.length())) + "#" + sha256(chars(key));
    }

    /** All characters as they are; an encoding would make lone surrogates equal. */
    private static byte[] chars(String key) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * key.length());
        bytes.asCharBuffer().put(key);
        return bytes.array();
    }

    /** Whether a key column holds this key as it is. */
    public static boolean isStorable(String key) {
        return column(key).equals(key);
    }

    /** Text as every database takes it: without NUL characters and lone surrogates, which become U+FFFD. */
    public static String text(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? 0xFFFD : c)
                .forEach(safe::appendCodePoint);
        return safe.toString();
    }

    /** Text cut to a column's length, see {@link #text(String)}. */
    public static String text(String text, int maxLength) {
        String cut = text.length() > maxLength ? text.substring(0, maxLength - 1) + "…" : text;
        return text(cut);
    }

    /** For log lines: foreign control characters can't forge lines, long values are cut. */
    public static String printable(@Nullable String value) {
        String text = String.valueOf(value).replaceAll("\\p{Cntrl}|\\p{Zl}|\\p{Zp}", "?");
        return text.length() > MAX_PRINTED ? text.substring(0, MAX_PRINTED) + "…" : text;
    }

    /** SHA-256 in hexadecimal, 64 characters. */
    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
