package io.github.flowablepubsub.subscriber;

import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.events.InboxEvent.Message;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.NewMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a channel's consumer has done since this node started. Thread safe. */
final class ChannelCounters {

    private final ChannelId channel;
    private final EventPublisher events;
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong duplicates = new AtomicLong();
    private final AtomicLong nacked = new AtomicLong();
    private volatile @Nullable Instant lastMessage;
    private volatile @Nullable Instant lastStall;

    ChannelCounters(ChannelId channel, EventPublisher events) {
        this.channel = channel;
        this.events = events;
    }

    void stored(int newMessages, int duplicateMessages) {
        stored.addAndGet(newMessages);
        duplicates.addAndGet(duplicateMessages);
        lastMessage = Instant.now();
        events.measure(m -> m.received(channel, newMessages + duplicateMessages, duplicateMessages));
    }

    void committed(Duration took) {
        events.measure(m -> m.stored(channel, took));
    }

    void conflicts(int messages) {
        if (messages > 0) {
            events.measure(m -> m.conflicts(channel, messages));
        }
    }

    void parked(NewMessage message) {
        Message told = Message.of(message);
        events.publish(new InboxEvent.Parked(told, Objects.requireNonNull(message.reason())));
    }

    void nacked(int messages) {
        nacked.addAndGet(messages);
        if (messages > 0) {
            events.measure(m -> m.nacked(channel, messages));
        }
    }

    void stalled() {
        lastStall = Instant.now();
    }

    ConsumerStatus status(String subscription, ConsumerStatus.State state, Instant since, @Nullable String error) {
        return new ConsumerStatus(
                channel,
                subscription,
                state,
                since,
                error,
                lastMessage,
                lastStall,
                stored.get(),
                duplicates.get(),
                nacked.get());
    }
}
