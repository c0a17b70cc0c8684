package io.github.flowablepubsub.crash;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.engine.PubSubRuntime;
import io.github.flowablepubsub.engine.PubSubSettings;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.subscriber.PubSubConnection;
import io.github.flowablepubsub.testdb.Database;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.flowable.common.engine.impl.interceptor.EngineConfigurationConstants;
import org.flowable.engine.ProcessEngine;
import org.flowable.engine.impl.cfg.StandaloneProcessEngineConfiguration;
import org.flowable.eventregistry.impl.EventRegistryEngineConfiguration;

/** One node: a plain process engine with the plugin, the ledger's mapper, and nothing that polls in the time of a test. */
final class CrashNode implements AutoCloseable {

    /** No sweep after the one at the start. */
    static final Duration NEVER = Duration.ofHours(1);

    final ProcessEngine engine;
    final PubSubRuntime pubsub;

    private CrashNode(ProcessEngine engine, PubSubRuntime pubsub) {
        this.engine = engine;
        this.pubsub = pubsub;
    }

    /**
     * What kind of node.
     *
     * @param relay whether it relays; nodes that do not relay store only
     * @param subscriber whether it consumes
     */
    record Role(boolean relay, boolean subscriber, boolean jobs, Duration sweep) {
        static final Role FULL = new Role(true, true, true, NEVER);
        static final Role STORE = new Role(false, true, true, NEVER);
        static final Role RELAY = new Role(true, false, true, NEVER);
        static final Role STARTER = new Role(false, false, true, NEVER);

        Role sweeping(Duration interval) {
            return new Role(relay, subscriber, jobs, interval);
        }

        Role withoutJobs() {
            return new Role(relay, subscriber, false, sweep);
        }
    }

    static CrashNode start(String name, String endpoint, Database database, DataSource source, Role role) {
        PubSubSettings defaults = PubSubSettings.defaults();
        PubSubSettings settings = new PubSubSettings(
                new PubSubConnection("sample", endpoint, null),
                new RelaySettings(role.relay(), 4, role.sweep()),
                defaults.retention(),
                role.subscriber(),
                Duration.ofSeconds(3),
                defaults.databasePatience(),
                defaults.placeholders(),
                defaults.channelDefaults(),
                true,
                (row, change) -> {});
        StandaloneProcessEngineConfiguration configuration = new StandaloneProcessEngineConfiguration();
        database.configure(configuration, source);
        configuration.setDatabaseSchemaUpdate("true");
        configuration.setAsyncExecutorActivate(role.jobs());
        configuration.setEngineName(name);
        configuration.setCustomMybatisMappers(Set.of(LedgerMapper.class));
        PubSubEngineConfigurator configurator = new PubSubEngineConfigurator(settings);
        configuration.addConfigurator(configurator);
        return new CrashNode(configuration.buildProcessEngine(), configurator.runtime());
    }

    /** The first node of a database: makes the ledger and deploys channel, event and processes. */
    CrashNode deploy(Database database, String policy) {
        database.update(LedgerMapper.table(database.kind()));
        Object registry = engine.getProcessEngineConfiguration()
                .getEngineConfigurations()
                .get(EngineConfigurationConstants.KEY_EVENT_REGISTRY_CONFIG);
        ((EventRegistryEngineConfiguration) Objects.requireNonNull(registry))
                .getEventRepositoryService()
                .createDeployment()
                .addEventDefinition("tranche.event", Models.EVENT)
                .addChannelDefinition("tranchen.channel", Models.channel(policy))
                .deploy();
        engine.getRepositoryService()
                .createDeployment()
                .addString("auftrag.bpmn20.xml", Models.PROCESS)
                .addString("auftragAsync.bpmn20.xml", Models.ASYNC_PROCESS)
                .addString("auftragNachricht.bpmn20.xml", Models.MESSAGE_PROCESS)
                .deploy();
        return this;
    }

    /** Starts an order that is over after its tranche with this number. */
    void startOrder(String order, int last) {
        start("auftrag", order, last);
    }

    void start(String process, String order, int last) {
        engine.getRuntimeService()
                .createProcessInstanceBuilder()
                .processDefinitionKey(process)
                .businessKey(order)
                .variables(Map.of("auftragId", order, "letzte", last))
                .start();
    }

    @Override
    public void close() {
        engine.close();
    }
}
