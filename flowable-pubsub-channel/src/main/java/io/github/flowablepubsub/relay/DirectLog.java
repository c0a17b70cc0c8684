package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.relay.DirectResult.Rejected;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs rejections: one line a minute for each channel and reason, with the number of those between, as without a retry policy
 * they come back at once. Never the payload. Thread safe.
 */
final class DirectLog {

    private static final Logger log = LoggerFactory.getLogger(DirectRelay.class);

    private static final long PERIOD = TimeUnit.MINUTES.toNanos(1);

    private record Key(ChannelId channel, Reason reason) {}

    /** The last line, and how many came since without one. */
    private record Last(long at, long silent) {}

    private final Map<Key, Last> lines = new HashMap<>();

    void rejected(NewMessage message, Rejected rejected) {
        log.debug("Message {} rejected: {}", message.messageId(), rejected.detail(), rejected.failure());
        long silent = silentSoFar(new Key(message.lane().channel(), rejected.reason()));
        if (silent >= 0) {
            log.warn(
                    "Message nacked as {} (channel {}, message {}, event {}, key {}): {}. It has no row: Pub/Sub delivers it"
                            + " again after its retry policy's back-off, and after the last attempt moves it to the"
                            + " dead-letter topic, as far as the subscription has these. {} more of this channel and"
                            + " reason since the last such line; there is at most one a minute.",
                    rejected.reason(),
                    message.lane().channel(),
                    message.messageId(),
                    Keys.printable(message.eventKey()),
                    Keys.printable(message.correlationKey()),
                    detail(rejected),
                    silent);
        }
    }

    /** How many went without a line before this one, which gets one; -1 when it gets none either. */
    private synchronized long silentSoFar(Key key) {
        long now = System.nanoTime();
        Last last = lines.get(key);
        if (last != null && now - last.at() < PERIOD) {
            lines.put(key, new Last(last.at(), last.silent() + 1));
            return -1;
        }
        lines.put(key, new Last(now, 0));
        return last == null ? 0 : last.silent();
    }

    /** What parsers and processes say can quote the body. */
    private static String detail(Rejected rejected) {
        if (rejected.reason() != Reason.UNREADABLE && rejected.reason() != Reason.PROCESS_FAILED) {
            return Keys.printable(rejected.detail());
        }
        Throwable innermost = rejected.failure();
        for (int depth = 0; innermost != null && innermost.getCause() != null && depth < 50; depth++) {
            innermost = innermost.getCause();
        }
        String type = innermost == null ? "" : innermost.getClass().getName() + ", ";
        return type + "more with logger " + log.getName() + " at DEBUG, which may quote the message";
    }
}
