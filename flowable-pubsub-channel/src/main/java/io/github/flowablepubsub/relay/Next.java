package io.github.flowablepubsub.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a lane is to be looked at again.
 *
 * @param after zero for at once, null for when it is offered again
 */
record Next(@Nullable Duration after) {

    /** Nothing more to do here. */
    static final Next IDLE = new Next(null);

    /** There is more in this lane. */
    static final Next AGAIN = new Next(Duration.ZERO);

    static Next again(boolean more) {
        return more ? AGAIN : IDLE;
    }

    static Next in(Duration delay) {
        return new Next(delay.isNegative() || delay.isZero() ? Duration.ofMillis(1) : delay);
    }
}
