package io.github.flowablepubsub.inbox;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.reflect.TypeToken;
import java.util.Map;
import java.util.TreeMap;

/** Pub/Sub attributes as the JSON object in {@code ATTRIBUTES_}. */
public final class Attributes {

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();
    private static final TypeToken<Map<String, String>> TYPE = new TypeToken<>() {};

    private Attributes() {}

    /** As JSON, sorted by name. NUL characters and lone surrogates are escaped, so that every database takes it. */
    public static String toJson(Map<String, String> attributes) {
        String json = GSON.toJson(new TreeMap<>(attributes));
        StringBuilder escaped = new StringBuilder(json.length());
        json.codePoints().forEach(c -> {
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                escaped.append("\\u").append(Integer.toHexString(c));
            } else {
                escaped.appendCodePoint(c);
            }
        });
        return escaped.toString();
    }

    /** From JSON; an empty text is no attributes. */
    public static Map<String, String> fromJson(String json) {
        Map<String, String> attributes = GSON.fromJson(json, TYPE);
        return attributes == null ? Map.of() : attributes;
    }
}
