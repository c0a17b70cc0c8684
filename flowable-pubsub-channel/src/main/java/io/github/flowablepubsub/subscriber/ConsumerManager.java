package io.github.flowablepubsub.subscriber;

import io.github.flowablepubsub.channel.Ack;
import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.MessageReader;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DirectMessage;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exactly one consumer for each channel that this node knows, while the node runs. Consumers start when the node starts,
 * not before: the engine must be ready.
 */
public final class ConsumerManager implements ChannelRegistry.Listener {

    private static final Logger log = LoggerFactory.getLogger(ConsumerManager.class);

    /**
     * What consumers share.
     *
     * @param scheduler for restarts
     * @param databaseProbe throws when the database can't take messages
     * @param stopTimeout how long a stop may wait for the database, and again for Pub/Sub
     * @param patience how long messages are kept in hand while the database is away, before they are given back
     * @param maxSilence after which a subscriber that delivers nothing is replaced; zero for never
     * @param events hears of what consumers do
     */
    public record Shared(
            ScheduledExecutorService scheduler,
            Runnable databaseProbe,
            Duration stopTimeout,
            Duration patience,
            Duration maxSilence,
            EventPublisher events) {}

    private final ChannelRegistry channels;
    private final PubSubConnection connection;
    private final MessageReader reader;
    private final MessageStore store;
    private final Shared shared;
    private final Map<ChannelId, ChannelConsumer> consumers = new ConcurrentHashMap<>();
    private volatile Consumer<Collection<Lane>> handOver = lanes -> {};
    private volatile DirectMessage.@Nullable Target direct;
    private boolean running;

    /**
     * @param channels that this node knows
     * @param connection to Pub/Sub
     * @param reader reads keys
     * @param store keeps messages
     * @param shared by all consumers
     */
    public ConsumerManager(
            ChannelRegistry channels,
            PubSubConnection connection,
            MessageReader reader,
            MessageStore store,
            Shared shared) {
        this.channels = channels;
        this.connection = connection;
        this.reader = reader;
        this.store = store;
        this.shared = shared;
    }

    /** Where lanes with new messages go, after their commit; must not block. Set before the start. */
    public void handOverTo(Consumer<Collection<Lane>> target) {
        handOver = target;
    }

    /**
     * Who correlates messages of channels with {@code policy.ack: afterCorrelation}. Set before the start; a node without does not
     * consume such channels.
     */
    public void correlateThrough(DirectMessage.Target target) {
        direct = target;
    }

    /** Starts a consumer for each channel; later ones start as they are deployed. */
    public synchronized void start() {
        running = true;
        channels.all().forEach(this::channelAvailable);
    }

    /** Stops all consumers, each in a bounded time, all at once. */
    public synchronized void stop() {
        running = false;
        List<Thread> stops = consumers.values().stream()
                .map(consumer -> {
                    Thread stop = new Thread(consumer::stop, "pubsub-stop");
                    stop.start();
                    return stop;
                })
                .toList();
        try {
            for (Thread stop : stops) {
                stop.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        consumers.keySet().forEach(this::tellGone);
        consumers.clear();
    }

    /** How the consumers are. Never blocks on the network or the database. */
    public List<ConsumerStatus> status() {
        return consumers.values().stream().map(ChannelConsumer::status).toList();
    }

    @Override
    public synchronized void channelAvailable(RegisteredChannel channel) {
        ChannelConsumer current = consumers.get(channel.id());
        if (running) {
            SubscriptionCheck.begin(channel, connection);
        }
        if (!running || (current != null && sameConsumer(current.channel(), channel))) {
            return;
        }
        channelGone(channel.id());
        ChannelCounters counters = new ChannelCounters(channel.id(), shared.events());
        Intake intake = intake(channel, counters);
        if (intake == null) {
            log.info(
                    "Channel {} is not consumed by this node: with policy.ack afterCorrelation it needs the relay, and"
                            + " flowable.pubsub.relay.enabled is false",
                    channel.id());
            return;
        }
        InboxWriter writer = new InboxWriter(
                "pubsub-store-" + channel.id().key(),
                () -> channels.find(channel.id()),
                intake,
                counters,
                shared.patience());
        int pauseAt = channel.config().consumer().pauseAtBacklog();
        BacklogGate gate =
                pauseAt == 0 ? null : new BacklogGate(pauseAt, limit -> store.unfinished(channel.id(), limit));
        ChannelConsumer consumer = new ChannelConsumer(channel, connection, writer, counters, gate, shared);
        consumers.put(channel.id(), consumer);
        consumer.start();
        shared.events()
                .measure(measures -> measures.consumes(
                        channel.id(),
                        () -> consumer.status().isUp(),
                        () -> consumer.status().state() == ConsumerStatus.State.PAUSED));
        log.info(
                "Channel {} consumes {}",
                channel.id(),
                connection.fullName(channel.config().subscription()));
    }

    private @Nullable Intake intake(RegisteredChannel channel, ChannelCounters counters) {
        MessageConverter converter = new MessageConverter(reader);
        if (channel.config().ack() == Ack.AFTER_STORE) {
            return new BatchStore(converter, store, lanes -> handOver.accept(lanes), counters);
        }
        DirectMessage.Target target = direct;
        return target == null
                ? null
                : new DirectIntake(channel.id(), new KeyReading(converter, store::probe), store, target, counters);
    }

    private void tellGone(ChannelId channel) {
        shared.events().measure(measures -> measures.consumesNoMore(channel));
    }

    private static boolean sameConsumer(RegisteredChannel a, RegisteredChannel b) {
        return a.config().ack() == b.config().ack()
                && a.config().subscription().equals(b.config().subscription())
                && a.config().consumer().equals(b.config().consumer());
    }

    @Override
    public synchronized void channelGone(ChannelId channel) {
        ChannelConsumer consumer = consumers.remove(channel);
        if (consumer != null) {
            consumer.stop();
            tellGone(channel);
            log.info("Channel {} consumes no more", channel);
        }
    }
}
