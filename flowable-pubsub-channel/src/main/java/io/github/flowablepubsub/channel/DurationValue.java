package io.github.flowablepubsub.channel;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** ISO 8601 duration in weeks, or in days, hours, minutes and seconds; whole milliseconds, as the database keeps them. */
record DurationValue(Duration min, Duration max) implements ValueType<Duration> {

    /** Far above any use, and still a date that every database can hold. */
    static final Duration LONGEST = Duration.ofDays(3650);

    /** {@code policy.buffer.timeToLive}, in a file and in a message. */
    static final DurationValue TIME_TO_LIVE = new DurationValue(Duration.ZERO, LONGEST);

    private static final int MAX_LENGTH = 40;
    private static final Pattern WEEKS = Pattern.compile("[Pp](\\d{1,5})[Ww]");

    @Override
    public Duration read(Object value) throws Refusal {
        if (!(value instanceof String text) || text.length() > MAX_LENGTH) {
            throw refusal();
        }
        Duration duration = parse(text);
        boolean exact = duration.equals(duration.truncatedTo(ChronoUnit.MILLIS));
        if (!exact || duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
            throw refusal();
        }
        return duration;
    }

    private Duration parse(String text) throws Refusal {
        Matcher weeks = WEEKS.matcher(text);
        if (weeks.matches()) {
            return Duration.ofDays(7L * Integer.parseInt(weeks.group(1)));
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw refusal();
        }
    }

    private Refusal refusal() {
        return new Refusal(
                "must be an ISO 8601 duration such as PT30S, PT5M or P7D, from " + iso(min) + " to " + iso(max));
    }

    /** Days as days: Java would print P7D as PT168H. */
    static String iso(Duration duration) {
        boolean wholeDays = !duration.isZero() && duration.equals(Duration.ofDays(duration.toDays()));
        return wholeDays ? "P" + duration.toDays() + "D" : duration.toString();
    }
}
