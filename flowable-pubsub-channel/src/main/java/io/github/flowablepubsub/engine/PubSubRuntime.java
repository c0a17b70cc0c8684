package io.github.flowablepubsub.engine;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.MessageReader;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.channel.RememberedDefinitions;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.correlation.EventCorrelator;
import io.github.flowablepubsub.correlation.Receivers;
import io.github.flowablepubsub.correlation.SubscriptionListener;
import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.events.FlowablePubSubEvent;
import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.events.InboxListener;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.mirror.LookHandler;
import io.github.flowablepubsub.mirror.MirrorKeeper;
import io.github.flowablepubsub.mirror.Mirrors;
import io.github.flowablepubsub.mirror.RetryHandler;
import io.github.flowablepubsub.operations.Housekeeper;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.operations.TableState;
import io.github.flowablepubsub.relay.DirectRelay;
import io.github.flowablepubsub.relay.Relay;
import io.github.flowablepubsub.relay.Repair;
import io.github.flowablepubsub.relay.TracedCorrelator;
import io.github.flowablepubsub.subscriber.ConsumerManager;
import io.github.flowablepubsub.subscriber.ConsumerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.flowable.common.engine.api.delegate.event.FlowableEventDispatcher;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.flowable.eventregistry.impl.EventRegistryEngineConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running plugin of one engine. Thread safe. */
public final class PubSubRuntime {

    private static final Logger log = LoggerFactory.getLogger(PubSubRuntime.class);

    /** How long a stop waits for listeners to hear what is left. */
    private static final Duration LISTENERS_STOP = Duration.ofSeconds(2);

    private static final Duration RETRY_CHANNELS = Duration.ofSeconds(5);

    private final PubSubSettings settings;
    private final ChannelRegistry channels;
    private final RememberedDefinitions definitions;
    private final EventPublisher events;
    private final ScheduledExecutorService scheduler;
    private final ConsumerManager consumers;
    private final Relay relay;
    private final DirectRelay direct;
    private final Housekeeper housekeeper;
    private final MirrorKeeper mirrorKeeper;
    private final PubSubInboxService inbox;
    private final TableState table;
    private volatile boolean running;

    PubSubRuntime(
            PubSubSettings settings,
            ChannelRegistry channels,
            ProcessEngineConfigurationImpl engine,
            EventRegistryEngineConfiguration registry,
            Mirrors mirrors,
            RetryHandler retryHandler,
            LookHandler lookHandler) {
        this.settings = settings;
        this.channels = channels;
        this.events = publisher(settings, engine);
        this.definitions = new RememberedDefinitions(registry.getEventRepositoryService());
        this.scheduler = Executors.newSingleThreadScheduledExecutor(runnable -> {
            Thread thread = new Thread(runnable, "pubsub-channels");
            thread.setDaemon(true);
            return thread;
        });
        InboxTransactions transactions = new InboxTransactions(
                engine.getCommandExecutor(), engine.getDataSource(), engine.isTransactionsExternallyManaged());
        MessageReader reader = new MessageReader(definitions, registry);
        Correlator correlator = new TracedCorrelator(
                new EventCorrelator(new Receivers(engine), reader, definitions),
                settings.observers().tracing());
        MessageStore store =
                new MessageStore(transactions, settings.hooks().store(), (session, message, row) -> channels.find(
                                message.lane().channel())
                        .map(channel -> channel.config().policy(message.eventKey()))
                        .ifPresent(policy -> mirrors.parked(session, row, policy)));
        this.consumers = new ConsumerManager(
                channels,
                settings.connection(),
                reader,
                store,
                new ConsumerManager.Shared(
                        scheduler,
                        store::probe,
                        settings.stopTimeout(),
                        settings.databasePatience(),
                        settings.maxSilence(),
                        events));
        this.relay = new Relay(
                settings.relay(),
                transactions,
                channels,
                correlator,
                settings.listener(),
                events,
                settings.failures(),
                mirrors,
                this::channelsChanged);
        this.housekeeper = new Housekeeper(
                settings.retention(), channels, transactions, settings.hooks().archive());
        this.direct = new DirectRelay(
                settings.relay(),
                transactions,
                channels,
                correlator,
                settings.listener(),
                events,
                settings.failures(),
                store,
                settings.databasePatience(),
                mirrors);
        this.mirrorKeeper =
                new MirrorKeeper(settings.mirrors(), channels, transactions, mirrors, retryHandler, lookHandler);
        Repair repair =
                new Repair(transactions, channels, correlator, mirrors, events, settings.failures(), this::offer);
        this.inbox = new PubSubInboxService(
                transactions, channels, repair, settings.relay().sweepInterval());
        this.table = new TableState(
                transactions,
                () -> channels.all().stream().map(RegisteredChannel::id).toList(),
                TableState.PERIOD);
        consumers.handOverTo(relay::offer);
        if (settings.relay().enabled()) {
            consumers.correlateThrough(direct);
        }
        channels.addListener(consumers);
    }

    /**
     * Starts to consume and to relay; does nothing when it runs. Call when the engine is ready. While the database does not
     * answer, the deployed channels are read again every {@code 5 s}, on another thread.
     *
     * @throws RuntimeException when a deployed channel can't be registered
     */
    public synchronized void start() {
        if (!running) {
            boolean known = readChannels();
            running = true;
            if (!known) {
                schedule(RETRY_CHANNELS.toMillis());
            }
            relay.start();
            direct.start();
            housekeeper.start();
            mirrorKeeper.start();
            table.start();
            if (settings.subscriberEnabled()) {
                consumers.start();
            }
        }
    }

    private boolean readChannels() {
        try {
            channels.reconcile(definitions);
            return true;
        } catch (RuntimeException e) {
            if (!DatabaseFailures.isDatabaseAway(e)) {
                throw e;
            }
            log.warn(
                    "The database does not answer; the deployed channels are read again in {}: {}",
                    RETRY_CHANNELS,
                    DatabaseFailures.summary(e));
            return false;
        }
    }

    /** Stops in a bounded time: what was stored is acked, everything else nacked, messages in correlation are finished. */
    public synchronized void stop() {
        if (running) {
            running = false;
            consumers.stop();
            housekeeper.stop();
            mirrorKeeper.stop();
            table.stop();
            direct.stop(settings.stopTimeout());
            relay.stop(settings.stopTimeout());
            events.stop(LISTENERS_STOP);
        }
    }

    /** Stops for good. */
    void close() {
        stop();
        events.stop(LISTENERS_STOP);
        scheduler.shutdownNow();
    }

    /** Whether it was started. */
    public boolean isRunning() {
        return running;
    }

    /** Whether the relay's threads are alive; true on a node that does not relay but watches for subscriptions. */
    public boolean isRelayRunning() {
        return relay.isRunning() && direct.isAlive();
    }

    /** What operators do with messages; works whether the plugin is started or not. */
    public PubSubInboxService inbox() {
        return inbox;
    }

    /** How the table stands; asked for when somebody looks. */
    public TableState table() {
        return table;
    }

    /** How the consumers are, one per channel; from local state. */
    public List<ConsumerStatus> consumers() {
        return consumers.status();
    }

    /** Tells listeners and metrics, without waiting for them. Call after the commit. */
    void publish(InboxEvent event) {
        events.publish(event);
    }

    /** The engine's own listeners hear first, as far as the engine dispatches events at all. */
    private static EventPublisher publisher(PubSubSettings settings, ProcessEngineConfigurationImpl engine) {
        List<InboxListener> listeners = new ArrayList<>();
        FlowableEventDispatcher dispatcher = engine.getEventDispatcher();
        if (dispatcher != null) {
            listeners.add(event -> {
                if (dispatcher.isEnabled()) {
                    dispatcher.dispatchEvent(new FlowablePubSubEvent(event), engine.getEngineCfgKey());
                }
            });
        }
        listeners.addAll(settings.observers().listeners());
        return new EventPublisher(listeners, settings.observers().measures());
    }

    /** Work is to be done on this lane. */
    void offer(Lane lane) {
        relay.offer(List.of(lane));
    }

    SubscriptionListener.Target wakeUps() {
        return relay.wakeUps();
    }

    /** Event definitions were deployed on this node. */
    void definitionsChanged() {
        definitions.refresh();
    }

    /** Brings the consumers in line with what is deployed, soon and on another thread. */
    void channelsChanged() {
        schedule(0);
    }

    private void schedule(long delayMillis) {
        try {
            var unused = scheduler.schedule(this::reconcile, delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("The engine is closed", e);
        }
    }

    private void reconcile() {
        if (!running) {
            return;
        }
        try {
            channels.reconcile(definitions);
        } catch (RuntimeException e) {
            log.error("Can't read the deployed channels; trying again in {}", RETRY_CHANNELS, e);
            schedule(RETRY_CHANNELS.toMillis());
        }
    }
}
