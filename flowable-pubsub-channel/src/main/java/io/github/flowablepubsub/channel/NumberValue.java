package io.github.flowablepubsub.channel;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * Number, or text that holds one.
 *
 * @param whole whether it must be a whole number
 */
record NumberValue(BigDecimal min, BigDecimal max, boolean whole) implements ValueType<BigDecimal> {

    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,30}(\\.\\d{1,30})?([eE][+-]?\\d{1,3})?");

    static NumberValue whole(long min, long max) {
        return new NumberValue(BigDecimal.valueOf(min), BigDecimal.valueOf(max), true);
    }

    static NumberValue decimal(long min, long max) {
        return new NumberValue(BigDecimal.valueOf(min), BigDecimal.valueOf(max), false);
    }

    @Override
    public BigDecimal read(Object value) throws Refusal {
        boolean number = (value instanceof Number || value instanceof String)
                && NUMBER.matcher(value.toString()).matches();
        if (!number) {
            throw refusal();
        }
        BigDecimal parsed = new BigDecimal(value.toString());
        boolean fits = parsed.compareTo(min) >= 0 && parsed.compareTo(max) <= 0;
        if (!fits || (whole && parsed.stripTrailingZeros().scale() > 0)) {
            throw refusal();
        }
        return parsed;
    }

    private Refusal refusal() {
        return new Refusal("must be a " + (whole ? "whole number" : "number") + " from " + min + " to " + max);
    }
}
