package io.github.flowablepubsub.channel;

import java.math.BigDecimal;

/** A number of rows of which this release only does 0, which means never. */
record OnlyZero() implements ValueType<BigDecimal> {

    private static final NumberValue ROWS = NumberValue.whole(0, Integer.MAX_VALUE);

    @Override
    public BigDecimal read(Object value) throws Refusal {
        BigDecimal rows = ROWS.read(value);
        if (rows.signum() != 0) {
            throw new Refusal("is not available in this release; available: 0 (never)");
        }
        return rows;
    }
}
