package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.events.Measures;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.Reason;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Numbers as Micrometer's counters, timers and gauges. Tags are keys of channels and reasons, of which an app has few: never a key
 * of a message or a tenant. Thread safe.
 */
final class MicrometerMeasures implements Measures {

    private static final String MESSAGES = "flowable.pubsub.messages.";
    private static final String DOUBLES = "flowable.pubsub.subscriptions.double";
    private static final String NONE = "none";

    private final MeterRegistry registry;
    private final Map<ChannelId, List<Meter>> consumers = new ConcurrentHashMap<>();

    MicrometerMeasures(MeterRegistry registry) {
        this.registry = registry;
        registry.counter(DOUBLES).increment(0);
    }

    @Override
    public void received(ChannelId channel, int messages, int duplicates) {
        registry.counter(MESSAGES + "received", of(channel)).increment(messages);
        registry.counter(MESSAGES + "duplicates", of(channel)).increment(duplicates);
    }

    @Override
    public void stored(ChannelId channel, Duration took) {
        registry.timer("flowable.pubsub.store", of(channel)).record(took);
    }

    @Override
    public void nacked(ChannelId channel, int messages) {
        registry.counter(MESSAGES + "nacked", of(channel)).increment(messages);
    }

    @Override
    public void rejected(ChannelId channel, Reason reason) {
        registry.counter(MESSAGES + "rejected", of(channel, reason)).increment();
    }

    @Override
    public void conflicts(ChannelId channel, int messages) {
        registry.counter(MESSAGES + "conflicts", of(channel)).increment(messages);
    }

    @Override
    public void correlated(ChannelId channel, Duration took, Duration delay) {
        registry.timer("flowable.pubsub.correlation", of(channel)).record(took);
        registry.timer("flowable.pubsub.delay", of(channel)).record(delay);
    }

    @Override
    public void happened(InboxEvent event) {
        if (event instanceof InboxEvent.Delivered delivered) {
            count("correlated", delivered.message(), delivered.reason());
        } else if (event instanceof InboxEvent.Parked parked) {
            count("parked", parked.message(), parked.reason());
        } else if (event instanceof InboxEvent.Alarmed alarmed) {
            count("alarmed", alarmed.message(), alarmed.reason());
        } else if (event instanceof InboxEvent.Repaired repaired) {
            count("repaired", repaired.message(), null);
        } else if (event instanceof InboxEvent.Discarded discarded) {
            count("discarded", discarded.message(), discarded.reason());
        } else if (event instanceof InboxEvent.DeliveryFailed failed) {
            count("failures", failed.message(), failed.reason());
        } else if (event instanceof InboxEvent.ConsumerFailed failed) {
            registry.counter("flowable.pubsub.consumer.failures", of(failed.channel()))
                    .increment();
        } else if (event instanceof InboxEvent.DoubleSubscription) {
            registry.counter(DOUBLES).increment();
        }
    }

    private void count(String what, InboxEvent.Message message, @Nullable Reason reason) {
        registry.counter(MESSAGES + what, of(message.channel(), reason)).increment();
    }

    /** All that a channel may count from now on is there with zero, so that the first one is an increase. */
    @Override
    public void consumes(ChannelId channel, BooleanSupplier up, BooleanSupplier paused) {
        consumesNoMore(channel);
        received(channel, 0, 0);
        nacked(channel, 0);
        conflicts(channel, 0);
        registry.counter("flowable.pubsub.consumer.failures", of(channel)).increment(0);
        consumers.put(
                channel,
                List.of(
                        gauge("up", "1 while the channel's consumer runs or pauses on this node", channel, up),
                        gauge("paused", "1 while it pauses, see consumer.pauseAtBacklog", channel, paused)));
    }

    private Meter gauge(String what, String description, ChannelId channel, BooleanSupplier state) {
        return Gauge.builder("flowable.pubsub.consumer." + what, state, s -> s.getAsBoolean() ? 1 : 0)
                .description(description)
                .tags(of(channel))
                .strongReference(true)
                .register(registry);
    }

    @Override
    public void consumesNoMore(ChannelId channel) {
        List<Meter> gone = consumers.remove(channel);
        if (gone != null) {
            gone.forEach(registry::remove);
        }
    }

    /** Not as {@code Tags}: Micrometer 1.16 has methods for these that 1.15 lacks, and one binary serves both. */
    private static Iterable<Tag> of(ChannelId channel) {
        return Tags.of("channel", channel.key());
    }

    private static Iterable<Tag> of(ChannelId channel, @Nullable Reason reason) {
        return Tags.of("channel", channel.key(), "reason", reason == null ? NONE : reason.name());
    }
}
