package io.github.flowablepubsub.channel;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Number of bytes, plain or with a unit. */
record ByteSize() implements ValueType<Long> {

    private static final Pattern SIZE = Pattern.compile("(\\d{1,19}) ?(B|KB|MB|GB)?", Pattern.CASE_INSENSITIVE);
    private static final Map<String, Long> UNITS = Map.of("B", 1L, "KB", 1L << 10, "MB", 1L << 20, "GB", 1L << 30);

    @Override
    public Long read(Object value) throws Refusal {
        if (!(value instanceof String || value instanceof Number)) {
            throw refusal();
        }
        Matcher size = SIZE.matcher(value.toString());
        if (size.matches()) {
            String unit = size.group(2) == null ? "B" : size.group(2).toUpperCase(Locale.ROOT);
            try {
                long bytes = Math.multiplyExact(Long.parseLong(size.group(1)), UNITS.getOrDefault(unit, 1L));
                if (bytes > 0) {
                    return bytes;
                }
            } catch (ArithmeticException | NumberFormatException e) {
                throw refusal();
            }
        }
        throw refusal();
    }

    private static Refusal refusal() {
        return new Refusal(
                "must be a number of bytes above 0, plain or with one of the units B, KB, MB, GB (1 KB = 1024 B),"
                        + " such as 100MB");
    }
}
