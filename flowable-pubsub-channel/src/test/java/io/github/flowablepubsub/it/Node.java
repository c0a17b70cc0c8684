package io.github.flowablepubsub.it;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.engine.PubSubRuntime;
import io.github.flowablepubsub.engine.PubSubSettings;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.subscriber.PubSubConnection;
import io.github.flowablepubsub.testdb.Database;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.flowable.common.engine.impl.interceptor.EngineConfigurationConstants;
import org.flowable.engine.ProcessEngine;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.flowable.engine.impl.cfg.StandaloneProcessEngineConfiguration;
import org.flowable.eventregistry.api.EventRepositoryService;
import org.flowable.eventregistry.impl.EventRegistryEngineConfiguration;

/** One node: a plain process engine with the plugin. */
final class Node implements AutoCloseable {

    final ProcessEngine engine;
    final PubSubRuntime pubsub;

    private Node(ProcessEngine engine, PubSubRuntime pubsub) {
        this.engine = engine;
        this.pubsub = pubsub;
    }

    static PubSubSettings settings(String pubsubEndpoint) {
        return PubSubSettings.defaults()
                .withConnection(new PubSubConnection("sample", pubsubEndpoint, null))
                .withRelay(new RelaySettings(true, 4, Duration.ofSeconds(1)));
    }

    static Node start(Database database, PubSubSettings settings) {
        return start(database, settings, engine -> {});
    }

    static Node start(Database database, PubSubSettings settings, Consumer<ProcessEngineConfigurationImpl> more) {
        ProcessEngineConfigurationImpl configuration = new StandaloneProcessEngineConfiguration();
        database.configure(configuration);
        configuration.setDatabaseSchemaUpdate("true");
        configuration.setAsyncExecutorActivate(true);
        configuration.setEngineName("node" + System.nanoTime());
        PubSubEngineConfigurator configurator = new PubSubEngineConfigurator(settings);
        configuration.addConfigurator(configurator);
        more.accept(configuration);
        return new Node(configuration.buildProcessEngine(), configurator.runtime());
    }

    EventRepositoryService events() {
        Object registry = engine.getProcessEngineConfiguration()
                .getEngineConfigurations()
                .get(EngineConfigurationConstants.KEY_EVENT_REGISTRY_CONFIG);
        return ((EventRegistryEngineConfiguration) Objects.requireNonNull(registry)).getEventRepositoryService();
    }

    /** Deploys an inline channel, event and the like. */
    Node deployEvents(Map<String, String> files) {
        var deployment = events().createDeployment();
        files.forEach((name, content) -> {
            if (name.endsWith(".channel")) {
                deployment.addChannelDefinition(name, content);
            } else {
                deployment.addEventDefinition(name, content);
            }
        });
        deployment.deploy();
        return this;
    }

    Node deployProcess(String bpmn) {
        engine.getRepositoryService()
                .createDeployment()
                .addString("p.bpmn20.xml", bpmn)
                .deploy();
        return this;
    }

    @Override
    public void close() {
        engine.close();
    }
}
