package io.github.flowablepubsub.channel;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long a message may wait for its subscription, from its first look-up that found none.
 *
 * @param timeToLive {@link Duration#ZERO} means no buffering: the first look-up decides
 * @param timeToLiveAttribute Pub/Sub attribute in which a message may have its own, as an ISO 8601 duration; null: none has
 * @param alarmAfter a message that waits longer raises the alarm, once, and goes on waiting; {@link Duration#ZERO}: none
 *     does. Not below the time to live: none comes to it
 */
public record BufferPolicy(Duration timeToLive, @Nullable String timeToLiveAttribute, Duration alarmAfter) {

    /**
     * What holds for one message.
     *
     * @param attributes its attributes
     */
    public TimeToLive of(Map<String, String> attributes) {
        String own = timeToLiveAttribute == null ? null : attributes.get(timeToLiveAttribute);
        if (own == null) {
            return new TimeToLive(timeToLive, null);
        }
        try {
            return new TimeToLive(DurationValue.TIME_TO_LIVE.read(own), null);
        } catch (Refusal e) {
            return new TimeToLive(
                    timeToLive,
                    "its attribute " + Printed.text(String.valueOf(timeToLiveAttribute)) + " = " + Printed.value(own)
                            + " does not count, it " + e.getMessage());
        }
    }
}
