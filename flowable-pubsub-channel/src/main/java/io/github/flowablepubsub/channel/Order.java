package io.github.flowablepubsub.channel;

import org.jspecify.annotations.Nullable;

/**
 * {@code policy.order}: which messages of a channel are worked on one after the other (rule R4). Frozen with each message
 * when it is stored.
 *
 * @param by what the messages have in common
 * @param parameter name of the correlation parameter, for {@link By#PARAMETER} only
 */
public record Order(By by, @Nullable String parameter) {

    /** What messages of a lane have in common. A message that has no such value shares its lane with no other one. */
    public enum By {
        /** The values of all correlation parameters. */
        CORRELATION_KEY,
        /** The same, and a message that waits for its subscription holds back all that are behind it. */
        STRICT,
        /** The value of one correlation parameter. */
        PARAMETER,
        /** Pub/Sub's ordering key. */
        ORDERING_KEY,
        /** Nothing: no order. */
        NONE
    }

    /** {@code correlationKey}, the default. */
    public static final Order CORRELATION_KEY = new Order(By.CORRELATION_KEY, null);

    private static final String PARAMETER_PREFIX = "parameter:";

    /** What a word in the file means. */
    static Order of(String word) {
        if (word.startsWith(PARAMETER_PREFIX)) {
            return new Order(By.PARAMETER, word.substring(PARAMETER_PREFIX.length()));
        }
        return switch (word) {
            case "orderingKey" -> new Order(By.ORDERING_KEY, null);
            case "none" -> new Order(By.NONE, null);
            case "strict" -> new Order(By.STRICT, null);
            default -> CORRELATION_KEY;
        };
    }
}
