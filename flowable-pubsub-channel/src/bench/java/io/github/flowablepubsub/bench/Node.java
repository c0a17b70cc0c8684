package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.channel.ChannelParser;
import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.RememberedDefinitions;
import io.github.flowablepubsub.channel.SystemPlaceholders;
import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.engine.PubSubSettings;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.mirror.MirrorSettings;
import io.github.flowablepubsub.mirror.Mirrors;
import io.github.flowablepubsub.relay.RelayListener;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.subscriber.PubSubConnection;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.flowable.common.engine.impl.interceptor.EngineConfigurationConstants;
import org.flowable.engine.ProcessEngine;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.flowable.engine.impl.cfg.StandaloneProcessEngineConfiguration;
import org.flowable.eventregistry.api.EventRepositoryService;
import org.flowable.eventregistry.impl.EventRegistryEngineConfiguration;
import org.flowable.eventregistry.impl.cfg.StandaloneEventRegistryEngineConfiguration;
import org.flowable.eventregistry.impl.configurator.EventRegistryEngineConfigurator;

/** A plain process engine, with the plugin or without it; the job executor is off. */
final class Node implements AutoCloseable {

    final ProcessEngine engine;
    final PubSubEngineConfigurator plugin;
    private final DataSource pool;

    private Node(ProcessEngine engine, PubSubEngineConfigurator plugin, DataSource pool) {
        this.engine = engine;
        this.plugin = plugin;
        this.pool = pool;
    }

    /** Settings of a node whose parts are started by the benchmark. */
    static PubSubSettings settings(String endpoint, RelaySettings relay, boolean subscriber, RelayListener listener) {
        PubSubSettings defaults = PubSubSettings.defaults();
        return new PubSubSettings(
                new PubSubConnection("sample", endpoint, null),
                relay,
                defaults.retention(),
                subscriber,
                defaults.stopTimeout(),
                Duration.ofSeconds(30),
                defaults.placeholders(),
                defaults.channelDefaults(),
                false,
                listener);
    }

    /** The plugin's tables and statements, nothing that runs. */
    static Node quiet(DataSource pool) {
        return start(
                pool,
                new PubSubEngineConfigurator(
                        settings("127.0.0.1:1", RelaySettings.DEFAULTS, false, (row, change) -> {})));
    }

    static Node start(DataSource pool, PubSubEngineConfigurator plugin) {
        return start(pool, plugin, Map.of());
    }

    /** With these beans for delegate expressions of channels. */
    static Node start(DataSource pool, PubSubEngineConfigurator plugin, Map<Object, Object> beans) {
        EventRegistryEngineConfiguration events = new StandaloneEventRegistryEngineConfiguration();
        events.setBeans(new HashMap<>(beans));
        ProcessEngineConfigurationImpl configuration = new StandaloneProcessEngineConfiguration();
        configuration.setDataSource(pool);
        configuration.setDatabaseSchemaUpdate("true");
        configuration.setAsyncExecutorActivate(false);
        configuration.setEngineName("bench" + System.nanoTime());
        configuration.setEventRegistryConfigurator(
                new EventRegistryEngineConfigurator().setEventEngineConfiguration(events));
        configuration.addConfigurator(plugin);
        return new Node(configuration.buildProcessEngine(), plugin, pool);
    }

    ProcessEngineConfigurationImpl configuration() {
        return (ProcessEngineConfigurationImpl) engine.getProcessEngineConfiguration();
    }

    EventRegistryEngineConfiguration eventRegistry() {
        return (EventRegistryEngineConfiguration) Objects.requireNonNull(
                configuration().getEngineConfigurations().get(EngineConfigurationConstants.KEY_EVENT_REGISTRY_CONFIG));
    }

    EventRepositoryService events() {
        return eventRegistry().getEventRepositoryService();
    }

    InboxTransactions transactions() {
        return new InboxTransactions(configuration().getCommandExecutor(), pool, false);
    }

    /** Jobs of parked rows. */
    Mirrors mirrors() {
        return new Mirrors(configuration(), MirrorSettings.DEFAULTS);
    }

    MessageStore store() {
        return new MessageStore(transactions());
    }

    /** What is deployed, read now. */
    ChannelRegistry channels() {
        ChannelRegistry channels = new ChannelRegistry(new ChannelParser(new SystemPlaceholders()), name -> name);
        channels.reconcile(new RememberedDefinitions(events()));
        return channels;
    }

    /** Event and process of {@link Models}, and our channels with their subscriptions by key. */
    Node deploy(String... channels) {
        var deployment = events().createDeployment().addEventDefinition("e.event", Models.EVENT);
        for (String channel : channels) {
            deployment.addChannelDefinition(channel + ".channel", Models.channel(channel, channel + "-sub"));
        }
        deployment.deploy();
        engine.getRepositoryService()
                .createDeployment()
                .addString("p.bpmn20.xml", Models.PROCESS)
                .deploy();
        return this;
    }

    /** An instance that waits for the completion of this order. */
    void startOrder(String order) {
        engine.getRuntimeService().startProcessInstanceByKey("auftrag", Map.of("auftragId", order));
    }

    @Override
    public void close() throws IOException {
        engine.close();
        if (pool instanceof Closeable closeable) {
            closeable.close();
        }
    }
}
