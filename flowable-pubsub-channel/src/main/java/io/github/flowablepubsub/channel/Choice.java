package io.github.flowablepubsub.channel;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One of a few words.
 *
 * @param available what this release does
 * @param later what the contract knows and this release refuses; in both a word that ends in {@code :NAME} stands for any
 *     name
 */
record Choice(List<String> available, List<String> later) implements ValueType<String> {

    private static final String ANY_NAME = ":NAME";

    static Choice of(List<String> available, String... later) {
        return new Choice(available, List.of(later));
    }

    @Override
    public String read(Object value) throws Refusal {
        if (value instanceof Map || value instanceof List) {
            throw new Refusal("must be one of: " + allowed());
        }
        String text = value.toString();
        if (available.stream().anyMatch(word -> matches(word, text))) {
            return text;
        }
        if (later.stream().anyMatch(word -> matches(word, text))) {
            throw new Refusal("is not available in this release; available: " + allowed());
        }
        List<String> known = Stream.concat(available.stream(), later.stream()).toList();
        String hint = Nearest.of(text, known)
                .or(() -> Nearest.of(text.split(":", 2)[0] + ANY_NAME, known))
                .map(nearest -> "; did you mean " + nearest
                        + (available.contains(nearest) ? "?" : ", which is not available in this release?"))
                .orElse("");
        throw new Refusal("is not a known value" + hint + (hint.isEmpty() ? "; " : " ") + "allowed: " + allowed());
    }

    private static boolean matches(String word, String text) {
        if (!word.endsWith(ANY_NAME)) {
            return word.equals(text);
        }
        String prefix = word.substring(0, word.length() - ANY_NAME.length() + 1);
        return text.startsWith(prefix) && !text.substring(prefix.length()).isBlank();
    }

    private String allowed() {
        return String.join(", ", available);
    }
}
