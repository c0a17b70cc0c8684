package io.github.flowablepubsub.starter;

import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the health contributor says of the inbox table. Everything beyond a limit is among its warnings; the status is what is
 * set here, UP by default, for a parked message makes no node sick: a restart would not mend it.
 *
 * @param parkedAbove more parked messages than this are beyond the limit; -1 for any number is fine
 * @param parkedStatus status that they give: UP, DOWN, OUT_OF_SERVICE or one of the app's own
 * @param oldestOpen an open message that has been due for longer is beyond the limit; 0 for never
 * @param oldestOpenStatus status that it gives
 * @param oldestWaiting a waiting message that came longer ago is beyond the limit; 0 for never
 * @param oldestWaitingStatus status that it gives
 */
public record HealthProperties(
        @DefaultValue("0") long parkedAbove,
        @DefaultValue("UP") String parkedStatus,
        @DefaultValue("10m") Duration oldestOpen,
        @DefaultValue("UP") String oldestOpenStatus,
        @DefaultValue("1h") Duration oldestWaiting,
        @DefaultValue("UP") String oldestWaitingStatus) {

    private static final Pattern STATUS = Pattern.compile("[A-Z][A-Z_]*");

    /**
     * Refuses values out of range.
     *
     * @throws IllegalArgumentException naming property, value and what is allowed
     */
    public HealthProperties {
        require(parkedAbove >= -1, "parked-above", parkedAbove, "-1 (never) or a number of messages");
        requireStatus("parked-status", parkedStatus);
        require(!oldestOpen.isNegative(), "oldest-open", oldestOpen, "0 (never) or a duration");
        requireStatus("oldest-open-status", oldestOpenStatus);
        require(!oldestWaiting.isNegative(), "oldest-waiting", oldestWaiting, "0 (never) or a duration");
        requireStatus("oldest-waiting-status", oldestWaitingStatus);
    }

    private static void requireStatus(String property, String status) {
        require(
                STATUS.matcher(status).matches(),
                property,
                status,
                "UP, DOWN, OUT_OF_SERVICE or a status of the app's own");
    }

    private static void require(boolean allowed, String property, Object value, String what) {
        if (!allowed) {
            throw new IllegalArgumentException(
                    "flowable.pubsub.health." + property + " is " + value + ", allowed: " + what);
        }
    }
}
