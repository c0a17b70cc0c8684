package io.github.flowablepubsub.subscriber;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.github.flowablepubsub.inbox.ChannelId;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when a subscriber has delivered nothing for too long. Its stream can stay open and deliver nothing
 * (google-cloud-java#4205), which looks like a subscription that has nothing; a new stream is no harm to either. Thread safe.
 */
final class SilenceWatch {

    private static final Logger log = LoggerFactory.getLogger(SilenceWatch.class);

    private record Renewal(Instant at, Duration silence) {}

    private final ChannelId channel;
    private final Duration limit;
    private final ChannelCounters counters;
    private final AtomicInteger inHand = new AtomicInteger();
    private volatile long lastSign = System.nanoTime();
    private volatile @Nullable Renewal renewal;

    /** @param limit zero: never too long */
    SilenceWatch(ChannelId channel, Duration limit, ChannelCounters counters) {
        this.channel = channel;
        this.limit = limit;
        this.counters = counters;
    }

    /** A subscriber that has messages in hand may be at the limit of its flow control, and silent for that. */
    boolean isTooLong() {
        return !limit.isZero() && inHand.get() == 0 && silence().compareTo(limit) > 0;
    }

    private Duration silence() {
        return Duration.ofNanos(System.nanoTime() - lastSign);
    }

    void connected() {
        lastSign = System.nanoTime();
    }

    /** The silent subscriber is being replaced. */
    void renewed() {
        renewal = new Renewal(Instant.now(), silence());
        connected();
    }

    void answered() {
        inHand.decrementAndGet();
        lastSign = System.nanoTime();
    }

    /** A message came. If it had been there while the subscriber before this one was silent, that one was stuck. */
    void received(Timestamp published) {
        inHand.incrementAndGet();
        lastSign = System.nanoTime();
        Renewal last = renewal;
        if (last == null) {
            return;
        }
        renewal = null;
        // Messages of its last moments, by two clocks, prove nothing; nor do those that come long after.
        Instant proves = last.at().minus(limit.dividedBy(10));
        boolean waited = Instant.ofEpochMilli(Timestamps.toMillis(published)).isBefore(proves);
        boolean prompt = Instant.now().isBefore(last.at().plus(Duration.ofMinutes(1)));
        if (waited && prompt) {
            counters.stalled();
            log.warn(
                    "The subscriber of channel {} delivered nothing for {} although messages were there; a new one"
                            + " delivers. If this comes back, update the Pub/Sub client library, or lower"
                            + " flowable.pubsub.subscriber.max-silence (now {})",
                    channel,
                    last.silence(),
                    limit);
        }
    }
}
