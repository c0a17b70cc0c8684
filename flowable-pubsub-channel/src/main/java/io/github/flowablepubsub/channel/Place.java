package io.github.flowablepubsub.channel;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Where properties are set: which of the table may be, and how messages name them.
 *
 * @param names what a path of the table is called there; the empty path is the whole
 * @param takes whether a path of the table, or a section of it, may be set there
 * @param misplaced what to say of one that may not
 */
record Place(UnaryOperator<String> names, Predicate<String> takes, String misplaced) {

    private static final String POLICY = "policy";
    private static final String CONSUMER = "consumer";
    private static final String EVENTS = "policy.events";

    /** What is looked at when the event is known, and not frozen with the message. */
    private static final List<String> OF_AN_EVENT =
            List.of("policy.cardinality", "policy.buffer", "policy.retry", "policy.parking");

    /** Holds back messages of other events. */
    private static final String OF_ALL_EVENTS = "policy.parking.laterMessages";

    /** The {@code .channel} file. */
    static final Place FILE = new Place(path -> path, path -> true, "");

    /** Application properties, for all channels. */
    static final Place APPLICATION = new Place(
            path -> "flowable.pubsub" + (path.isEmpty() ? "" : "." + kebab(path)),
            path -> (isWithin(POLICY, path) && !path.equals(EVENTS)) || isWithin(CONSUMER, path),
            "is of one channel only: set it in its file");

    /** {@code policy.events.KEY} of the file. */
    static Place event(String key) {
        return new Place(
                path -> EVENTS + "." + key + path.substring(Math.min(path.length(), POLICY.length())),
                path -> path.equals(POLICY)
                        || (!path.equals(OF_ALL_EVENTS)
                                && OF_AN_EVENT.stream().anyMatch(section -> isWithin(section, path))),
                "can't differ between the events of a channel, as it counts before the event is known, or for rows"
                        + " whatever their event; set it in policy");
    }

    private static boolean isWithin(String section, String path) {
        return path.equals(section) || path.startsWith(section + ".");
    }

    private static String kebab(String path) {
        return path.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
