package io.github.flowablepubsub.it;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.channel.ApplicationDefaults;
import io.github.flowablepubsub.engine.PubSubSettings;
import io.github.flowablepubsub.mirror.MirrorSettings;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.flowable.eventregistry.impl.EventRegistryEngineConfiguration;
import org.flowable.eventregistry.impl.cfg.StandaloneEventRegistryEngineConfiguration;
import org.flowable.eventregistry.impl.configurator.EventRegistryEngineConfigurator;

/** A Pub/Sub server, a database and one node on both, for the tests of a class: each takes keys of its own. */
final class Lab implements AutoCloseable {

    /** What a channel of {@link #channel} detects: always the completion of the order. */
    static final String FIXED = "{\"fixedValue\": \"auftragAbgeschlossen\"}";

    final PubSubServer server = PubSubServer.start();
    final Database database;
    final InboxTable inbox;
    final Node node;

    private final Consumer<ProcessEngineConfigurationImpl> more;
    private final Duration sweepInterval;
    private final UnaryOperator<PubSubSettings> moreSettings;

    private Lab(
            Database database,
            Consumer<ProcessEngineConfigurationImpl> more,
            Duration sweepInterval,
            UnaryOperator<PubSubSettings> moreSettings) {
        this.moreSettings = moreSettings;
        this.database = database;
        this.more = more;
        this.sweepInterval = sweepInterval;
        this.inbox = new InboxTable(database);
        this.node = anotherNode();
        node.deployEvents(Map.of("e.event", Models.EVENT));
    }

    static Lab start(TestDatabase kind) {
        return start(kind, Map.of());
    }

    /** With these beans for delegate expressions of processes and channels. */
    static Lab start(TestDatabase kind, Map<Object, Object> beans) {
        return start(kind.create(), beans);
    }

    static Lab start(Database database, Map<Object, Object> beans) {
        return start(database, beans, settings -> settings);
    }

    /** With these defaults for channels. */
    static Lab start(Database database, Map<Object, Object> beans, ApplicationDefaults channelDefaults) {
        return start(database, beans, settings -> settings.withChannelDefaults(channelDefaults));
    }

    static Lab start(Database database, Map<Object, Object> beans, UnaryOperator<PubSubSettings> moreSettings) {
        return start(database, beans, Duration.ofMillis(200), moreSettings);
    }

    /** Nothing is found by looking at the table: neither lanes, after the first look, nor what plain SQL did to jobs. */
    static Lab withoutSweep(TestDatabase kind) {
        return start(
                kind.create(),
                Map.of(),
                Duration.ofHours(1),
                settings -> settings.withMirrors(new MirrorSettings(false, Duration.ofSeconds(10))));
    }

    private static Lab start(
            Database database,
            Map<Object, Object> beans,
            Duration sweepInterval,
            UnaryOperator<PubSubSettings> moreSettings) {
        return new Lab(
                database,
                configuration -> {
                    // The engines have their beans each.
                    EventRegistryEngineConfiguration events = new StandaloneEventRegistryEngineConfiguration();
                    events.setBeans(new HashMap<>(beans));
                    configuration.setBeans(new HashMap<>(beans));
                    configuration.setEventRegistryConfigurator(
                            new EventRegistryEngineConfigurator().setEventEngineConfiguration(events));
                },
                sweepInterval,
                moreSettings);
    }

    /** One more node on the same; the caller closes it, before the laboratory. */
    Node anotherNode() {
        return anotherNode(4);
    }

    /** The same with so many relay threads. */
    Node anotherNode(int threads) {
        PubSubSettings settings = moreSettings.apply(
                Node.settings(server.endpoint()).withMirrors(new MirrorSettings(false, Duration.ofMillis(200))));
        return Node.start(database, settings.withRelay(new RelaySettings(true, threads, sweepInterval)), more);
    }

    /** Topic and subscription {@code key-sub}, and a channel on it. */
    Lab channel(String key, String policy) {
        return channel(key, policy, FIXED);
    }

    Lab channel(String key, String policy, String keyDetection) {
        return channel(key, policy, keyDetection, SubscriptionOptions.DEFAULT);
    }

    Lab channel(String key, String policy, String keyDetection, SubscriptionOptions options) {
        server.createTopic(key);
        server.createSubscription(key + "-sub", key, options);
        node.deployEvents(Map.of(key + ".channel", Models.channel(key, key + "-sub", policy, keyDetection, "")));
        return this;
    }

    String publish(String topic, String body) {
        return publish(topic, ByteString.copyFromUtf8(body), Map.of());
    }

    String publish(String topic, ByteString body, Map<String, String> attributes) {
        return server.publish(topic, body, attributes, "");
    }

    /** Starts an instance that has the order's id as variable; returns its id. */
    String startOrder(String processKey, String auftragId) {
        return node.engine
                .getRuntimeService()
                .startProcessInstanceByKey(processKey, Map.of("auftragId", auftragId))
                .getId();
    }

    /** Open tasks of one instance. */
    long tasks(String processInstanceId) {
        return node.engine
                .getTaskService()
                .createTaskQuery()
                .processInstanceId(processInstanceId)
                .count();
    }

    /** Open tasks of this process definition key. */
    long tasksOf(String processKey) {
        return node.engine
                .getTaskService()
                .createTaskQuery()
                .processDefinitionKey(processKey)
                .count();
    }

    static void eventually(String what, Callable<Boolean> condition) {
        await(what)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(60))
                .until(condition);
    }

    @Override
    public void close() {
        node.close();
        server.close();
    }
}
