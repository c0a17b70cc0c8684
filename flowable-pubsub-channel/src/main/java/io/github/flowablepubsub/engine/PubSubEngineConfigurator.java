package io.github.flowablepubsub.engine;

import io.github.flowablepubsub.channel.ChannelParser;
import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.PubSubChannelModelProcessor;
import io.github.flowablepubsub.channel.PubSubChannelValidator;
import io.github.flowablepubsub.correlation.SubscriptionListener;
import io.github.flowablepubsub.correlation.SubscriptionMapper;
import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.inbox.InboxSchemaManager;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.mirror.DiscardListener;
import io.github.flowablepubsub.mirror.LookHandler;
import io.github.flowablepubsub.mirror.Mirrors;
import io.github.flowablepubsub.mirror.RetryHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.flowable.common.engine.api.Engine;
import org.flowable.common.engine.api.delegate.event.FlowableEventDispatcher;
import org.flowable.common.engine.api.engine.EngineLifecycleListener;
import org.flowable.common.engine.impl.AbstractEngineConfiguration;
import org.flowable.common.engine.impl.EngineConfigurator;
import org.flowable.common.engine.impl.cfg.TransactionState;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.interceptor.EngineConfigurationConstants;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.flowable.eventregistry.impl.EventRegistryEngineConfiguration;
import org.flowable.eventregistry.impl.cfg.StandaloneEventRegistryEngineConfiguration;
import org.flowable.eventregistry.impl.configurator.EventRegistryEngineConfigurator;
import org.flowable.eventregistry.impl.persistence.deploy.Deployer;
import org.flowable.eventregistry.impl.persistence.deploy.EventDeploymentManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the channel type {@code pubsub} to a Flowable engine. A plain engine finds it through the service loader, with
 * default settings; to set them, add one with {@code addConfigurator}, which then counts alone. One instance serves one
 * process engine.
 */
public final class PubSubEngineConfigurator implements EngineConfigurator {

    private static final Logger log = LoggerFactory.getLogger(PubSubEngineConfigurator.class);

    private final boolean enabled;
    private final PubSubSettings settings;
    private final ChannelParser parser;
    private final ChannelRegistry channels;
    private final Set<FlowableEventDispatcher> dispatchers = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable EventRegistryEngineConfiguration eventRegistry;
    private volatile @Nullable PubSubRuntime runtime;

    /** With default settings; used by the service loader. */
    public PubSubEngineConfigurator() {
        this(PubSubSettings.defaults());
    }

    /** With these settings. */
    public PubSubEngineConfigurator(PubSubSettings settings) {
        this(settings, true);
    }

    private PubSubEngineConfigurator(PubSubSettings settings, boolean enabled) {
        this.enabled = enabled;
        this.settings = settings;
        this.parser = new ChannelParser(settings.placeholders(), settings.channelDefaults());
        this.channels = new ChannelRegistry(
                parser, subscription -> settings.connection().fullName(subscription));
    }

    /** Keeps the plugin out of an engine although its jar is there. */
    public static PubSubEngineConfigurator disabled() {
        return new PubSubEngineConfigurator(PubSubSettings.defaults(), false);
    }

    /**
     * The running plugin.
     *
     * @throws IllegalStateException before the process engine is built
     */
    public PubSubRuntime runtime() {
        PubSubRuntime current = runtime;
        if (current == null) {
            throw new IllegalStateException("The process engine is not built yet");
        }
        return current;
    }

    /** Last: the event registry engine is built before this plugin starts. */
    @Override
    public int getPriority() {
        return Integer.MAX_VALUE / 2;
    }

    @Override
    public void beforeInit(AbstractEngineConfiguration engine) {
        if (!enabled || !isFirst(engine)) {
            return;
        }
        EventRegistryEngineConfigurator configurator = eventRegistryConfigurator(engine);
        if (configurator != null) {
            if (configurator.getEventEngineConfiguration() == null) {
                configurator.setEventEngineConfiguration(new StandaloneEventRegistryEngineConfiguration());
            }
            install(configurator.getEventEngineConfiguration());
            // The root engine owns the schema; it is the one with the event registry.
            engine.addAdditionalSchemaManager(new InboxSchemaManager(engine));
        }
    }

    @Override
    public void configure(AbstractEngineConfiguration engine) {
        if (!enabled || !isFirst(engine)) {
            return;
        }
        if (engine instanceof ProcessEngineConfigurationImpl processEngine && eventRegistry != null) {
            InboxTransactions.registerMappers(
                    processEngine.getSqlSessionFactory(), processEngine.getDatabaseType(), SubscriptionMapper.class);
            listenTo(processEngine);
            Mirrors mirrors = new Mirrors(processEngine, settings.mirrors());
            RetryHandler retryHandler = new RetryHandler(mirrors, this::offer, this::publish);
            processEngine.addJobHandler(retryHandler);
            LookHandler lookHandler = new LookHandler(this::offer);
            processEngine.addJobHandler(lookHandler);
            processEngine
                    .getEventDispatcher()
                    .addEventListener(new DiscardListener(this::offer, this::publish), DiscardListener.types());
            processEngine.addEngineLifecycleListener(new Lifecycle(processEngine, mirrors, retryHandler, lookHandler));
        }
        // Under an app engine it is there only when that one is configured, after the process engine.
        AbstractEngineConfiguration cmmn =
                engine.getEngineConfigurations().get(EngineConfigurationConstants.KEY_CMMN_ENGINE_CONFIG);
        if (cmmn != null && eventRegistry != null) {
            listenTo(cmmn);
            warnOfSecondRegistry(engine, cmmn);
        }
    }

    /** Channels that are deployed there would be taken, and never consumed. */
    private static void warnOfSecondRegistry(AbstractEngineConfiguration engine, AbstractEngineConfiguration cmmn) {
        if (engine == cmmn
                && engine.getEngineConfigurations()
                        .containsKey(EngineConfigurationConstants.KEY_PROCESS_ENGINE_CONFIG)) {
            log.warn(
                    "The CMMN engine {} has an event registry of its own beside the process engine's: channels of type"
                            + " pubsub are consumed for neither. Call setDisableEventRegistry(true) on the CMMN engine's"
                            + " configuration, as Spring Boot does, so that both use one",
                    engine.getEngineName());
        }
    }

    /** To new subscriptions, once: engines may share a dispatcher. */
    private void listenTo(AbstractEngineConfiguration engine) {
        FlowableEventDispatcher dispatcher = engine.getEventDispatcher();
        if (dispatcher != null && dispatchers.add(dispatcher)) {
            dispatcher.addEventListener(
                    new SubscriptionListener(new Forward(), channels::correlatesBy), SubscriptionListener.types());
        }
    }

    /** The service loader adds an instance to every engine, also where one was added by hand: the first one counts. */
    private boolean isFirst(AbstractEngineConfiguration engine) {
        return engine.getAllConfigurators().stream()
                        .filter(PubSubEngineConfigurator.class::isInstance)
                        .findFirst()
                        .orElse(this)
                == this;
    }

    private static @Nullable EventRegistryEngineConfigurator eventRegistryConfigurator(
            AbstractEngineConfiguration engine) {
        List<EngineConfigurator> all = engine.getAllConfigurators();
        return all.stream()
                .filter(EventRegistryEngineConfigurator.class::isInstance)
                .map(EventRegistryEngineConfigurator.class::cast)
                .findFirst()
                .orElse(null);
    }

    private void install(EventRegistryEngineConfiguration configuration) {
        if (eventRegistry != null) {
            throw new IllegalStateException("One PubSubEngineConfigurator serves one engine; create another one");
        }
        eventRegistry = configuration;
        new PubSubChannelValidator(parser).addTo(configuration.getChannelJsonConverter());
        configuration.addChannelModelProcessor(new PubSubChannelModelProcessor(channels, this::channelsChanged));
    }

    private void channelsChanged() {
        PubSubRuntime current = runtime;
        if (current != null) {
            current.channelsChanged();
        }
    }

    private void offer(Lane lane) {
        PubSubRuntime current = runtime;
        if (current != null) {
            current.offer(lane);
        }
    }

    private void publish(InboxEvent event) {
        PubSubRuntime current = runtime;
        if (current != null) {
            current.publish(event);
        }
    }

    private static void afterDeployment(EventDeploymentManager manager, Runnable work) {
        List<Deployer> deployers = new ArrayList<>(manager.getDeployers());
        deployers.add(deployment -> Context.getTransactionContext()
                .addTransactionListener(TransactionState.COMMITTED, context -> work.run()));
        manager.setDeployers(deployers);
    }

    /** To the relay, once it is there: what comes before it, it finds by its first sweep. */
    private final class Forward implements SubscriptionListener.Target {

        private void tell(Consumer<SubscriptionListener.Target> what) {
            PubSubRuntime current = runtime;
            if (current != null) {
                what.accept(current.wakeUps());
            }
        }

        @Override
        public void subscribed(String eventKey, @Nullable String configuration) {
            tell(target -> target.subscribed(eventKey, configuration));
        }

        @Override
        public void executionActivated(String executionId) {
            tell(target -> target.executionActivated(executionId));
        }

        @Override
        public void definitionActivated(String processDefinitionId) {
            tell(target -> target.definitionActivated(processDefinitionId));
        }

        @Override
        public void instanceChanged(String processInstanceId) {
            tell(target -> target.instanceChanged(processInstanceId));
        }
    }

    private final class Lifecycle implements EngineLifecycleListener {

        private final ProcessEngineConfigurationImpl processEngine;
        private final Mirrors mirrors;
        private final RetryHandler retryHandler;
        private final LookHandler lookHandler;

        Lifecycle(
                ProcessEngineConfigurationImpl processEngine,
                Mirrors mirrors,
                RetryHandler retryHandler,
                LookHandler lookHandler) {
            this.processEngine = processEngine;
            this.mirrors = mirrors;
            this.retryHandler = retryHandler;
            this.lookHandler = lookHandler;
        }

        @Override
        public void onEngineBuilt(Engine engine) {
            EventRegistryEngineConfiguration events = Objects.requireNonNull(eventRegistry);
            PubSubRuntime built =
                    new PubSubRuntime(settings, channels, processEngine, events, mirrors, retryHandler, lookHandler);
            runtime = built;
            afterDeployment(events.getDeploymentManager(), built::definitionsChanged);
            if (settings.autoStart()) {
                built.start();
            }
        }

        @Override
        public void onEngineClosed(Engine engine) {
            runtime().close();
        }
    }
}
