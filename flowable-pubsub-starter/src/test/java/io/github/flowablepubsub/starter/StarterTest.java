package io.github.flowablepubsub.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.channel.ApplicationDefaults;
import io.github.flowablepubsub.channel.ChannelDefaults;
import io.github.flowablepubsub.channel.ChannelParser;
import io.github.flowablepubsub.channel.PubSubChannel;
import io.github.flowablepubsub.channel.PubSubInboundChannelModel;
import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.inbox.FailureKind;
import io.github.flowablepubsub.inbox.StoreHook;
import io.github.flowablepubsub.relay.FailureClassifier;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.server.PubSubServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.flowable.engine.RepositoryService;
import org.flowable.engine.RuntimeService;
import org.flowable.engine.TaskService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** The starter in a real application, with the files where users put them. */
class StarterTest {

    private final TestApp testApp = new TestApp();
    private final PubSubServer server = testApp.server;

    @AfterEach
    void stop() {
        testApp.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Classifier {
        private static final AtomicBoolean asked = new AtomicBoolean();

        @Bean
        FailureClassifier failureClassifier() {
            return failure -> {
                asked.set(true);
                return FailureKind.PROCESS;
            };
        }
    }

    /** The process's expression fails on a variable that is not there, on every node and line. */
    @Test
    void aBeanClassifiesFailures() {
        try (ConfigurableApplicationContext app = testApp.run(Classifier.class)) {
            app.getBean(RepositoryService.class)
                    .createDeployment()
                    .addString(
                            "p.bpmn20.xml",
                            """
                            <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
                                xmlns:flowable="http://flowable.org/bpmn" targetNamespace="test">
                              <process id="scheitert"><startEvent id="s"/><endEvent id="e"/>
                                <intermediateCatchEvent id="w"><extensionElements>
                                  <flowable:eventType>auftragAbgeschlossen</flowable:eventType>
                                  <flowable:eventCorrelationParameter name="auftragId" value="${auftragId}"/>
                                </extensionElements></intermediateCatchEvent>
                                <serviceTask id="t" flowable:expression="${gibtEsNicht}"/>
                                <sequenceFlow sourceRef="s" targetRef="w"/><sequenceFlow sourceRef="w" targetRef="t"/>
                                <sequenceFlow sourceRef="t" targetRef="e"/></process>
                            </definitions>
                            """)
                    .deploy();
            app.getBean(RuntimeService.class).startProcessInstanceByKey("scheitert", Map.of("auftragId", "9"));
            server.publish("rueckmeldungen", "{\"auftragId\": \"9\"}", Map.of());
            await().untilTrue(Classifier.asked);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class StoreHooks {
        private static final AtomicBoolean refused = new AtomicBoolean();

        @Bean
        StoreHook storeHook(DataSource dataSource) {
            JdbcTemplate jdbc = new JdbcTemplate(dataSource);
            jdbc.execute("create table EINGANG (ID varchar(255))");
            return (messages, connection) -> {
                messages.forEach(message -> jdbc.update("insert into EINGANG values (?)", message.messageId()));
                if (refused.compareAndSet(false, true)) {
                    throw new IllegalStateException("beim ersten Mal nicht");
                }
            };
        }
    }

    /** What it wrote the first time is rolled back: a {@code JdbcTemplate} is part of the transaction by itself. */
    @Test
    void aBeanTakesPartInTheTransactionThatStores() {
        try (ConfigurableApplicationContext app = testApp.run(StoreHooks.class)) {
            JdbcTemplate jdbc = new JdbcTemplate(app.getBean(DataSource.class));
            String id = server.publish("rueckmeldungen", "{\"auftragId\": \"1\"}", Map.of());
            await().until(() -> jdbc.queryForList("select MESSAGE_ID_ from FLW_PUBSUB_INBOX", String.class)
                    .equals(List.of(id)));
            assertThat(StoreHooks.refused).isTrue();
            assertThat(jdbc.queryForList("select ID from EINGANG", String.class))
                    .containsExactly(id);
        }
    }

    @Test
    void deploysFilesFromTheClasspathAndDeliversInBothOrders() {
        try (ConfigurableApplicationContext app = testApp.run()) {
            RuntimeService processes = app.getBean(RuntimeService.class);
            TaskService tasks = app.getBean(TaskService.class);
            processes.startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "1"));
            server.publish("rueckmeldungen", "{\"auftragId\": \"1\"}", Map.of());
            server.publish("rueckmeldungen", "{\"auftragId\": \"2\"}", Map.of());
            await().until(() -> tasks.createTaskQuery().count() == 1);
            server.awaitEmpty("abgeschlossen-sub", Duration.ofSeconds(60));
            processes.startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "2"));
            await().until(() -> tasks.createTaskQuery().count() == 2);
        }
    }

    @Test
    void healthIsDownWithinSecondsWhenASubscriberDiesAndUpAgainAfterwards() {
        try (ConfigurableApplicationContext app = testApp.run()) {
            HealthView health = new HealthView(app.getBean("flowablePubSubHealthIndicator"));
            await().until(() -> health.status().equals("UP"));
            server.failStreams("abgeschlossen-sub", io.grpc.Status.PERMISSION_DENIED);
            await().atMost(Duration.ofSeconds(15)).until(() -> health.status().equals("DOWN"));
            assertThat(health.details().toString()).contains("restarting", "PERMISSION_DENIED");
            server.heal("abgeschlossen-sub");
            await().atMost(Duration.ofSeconds(60)).until(() -> health.status().equals("UP"));
        }
    }

    /** Replaced within the limit, the consumer is never down; what was found stays to be seen. */
    @Test
    void googleCloudJava4205_healthShowsAStreamThatDeliveredNothing() {
        try (ConfigurableApplicationContext app = testApp.run("--flowable.pubsub.subscriber.max-silence=1s")) {
            HealthView health = new HealthView(app.getBean("flowablePubSubHealthIndicator"));
            await().until(() -> server.stats("abgeschlossen-sub").openStreams() == 1);
            assertThat(health.details().toString()).doesNotContain("lastStall");
            server.muteStreams("abgeschlossen-sub");
            server.publish("rueckmeldungen", "{\"auftragId\": \"1\"}", Map.of());
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> health.details().toString().contains("lastStall"));
            assertThat(health.status()).isEqualTo("UP");
        }
    }

    @Test
    void theContextStopsConsumers() {
        ConfigurableApplicationContext app = testApp.run();
        PubSubEngineConfigurator plugin = app.getBean(PubSubEngineConfigurator.class);
        assertThat(plugin.runtime().consumers()).hasSize(1);
        app.close();
        assertThat(plugin.runtime().isRunning()).isFalse();
        assertThat(plugin.runtime().consumers()).isEmpty();
    }

    @Test
    void canBeSwitchedOff() {
        try (ConfigurableApplicationContext app =
                testApp.run("--flowable.pubsub.enabled=false", "--flowable.eventregistry.deploy-resources=false")) {
            assertThat(app.getBeanProvider(PubSubLifecycle.class).getIfAvailable())
                    .isNull();
            assertThat(app.getBean(JdbcTemplate.class)
                            .queryForObject(
                                    "select count(*) from INFORMATION_SCHEMA.TABLES where TABLE_NAME like 'FLW_PUBSUB%'",
                                    Integer.class))
                    .isZero();
        }
    }

    @Test
    void refusesToStartWithSettingsOutOfRange() {
        assertThatThrownBy(
                        () -> testApp.run("--flowable.pubsub.relay.threads=0").close())
                .hasStackTraceContaining("flowable.pubsub.relay.threads is 0, allowed: 1 to 256");
    }

    @Test
    void refusesToStartWithPropertiesThatItDoesNotKnow() {
        assertThatThrownBy(
                        () -> testApp.run("--flowable.pubsub.policy.ordre=none").close())
                .hasStackTraceContaining("flowable.pubsub.policy.ordre");
    }

    /** Three layers: this app's default, a channel file that says nothing, and the built-in default of the rest. */
    @Test
    void channelDefaultsComeFromApplicationProperties() {
        try (ConfigurableApplicationContext app = testApp.run(
                "--flowable.pubsub.policy.buffer.time-to-live=0s",
                "--flowable.pubsub.policy.parking.on-no-match=discard",
                "--flowable.pubsub.consumer.max-outstanding-bytes=1MB")) {
            JdbcTemplate rows = app.getBean(JdbcTemplate.class);
            server.publish("rueckmeldungen", "{\"auftragId\": \"niemand\"}", Map.of());
            await().until(() -> rows.queryForList("select STATE_ || REASON_ from FLW_PUBSUB_INBOX", String.class)
                    .equals(List.of("DISCARDEDNO_MATCH")));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "policy.order=corelationKey | flowable.pubsub.policy.order = \"corelationKey\": is not a known value;"
                        + " did you mean correlationKey?",
                "policy.buffer.time-to-live=soon | flowable.pubsub.policy.buffer.time-to-live",
                "policy.retry.initial-delay=10m | flowable.pubsub.policy.retry.max-delay = \"PT5M\": must be at least"
                        + " flowable.pubsub.policy.retry.initial-delay, which is PT10M",
                "consumer.max-outstanding-bytes=0B | flowable.pubsub.consumer.max-outstanding-bytes = 0: must be a number"
            })
    void refusesToStartWithChannelDefaultsThatNoFileMayHave(String property, String message) {
        assertThatThrownBy(() -> testApp.run("--flowable.pubsub." + property).close())
                .hasStackTraceContaining(message);
    }

    @Test
    void refusesToStartWithAPlaceholderThatNobodySets() {
        assertThatThrownBy(() ->
                        testApp.run("--test.subscription=${nobody.sets.this}").close())
                .hasStackTraceContaining("nobody.sets.this");
    }

    @Test
    void propertyDefaultsAreThePluginsDefaults() {
        try (ConfigurableApplicationContext app = testApp.run()) {
            PubSubProperties properties = app.getBean(PubSubProperties.class);
            assertThat(properties.relay().toSettings()).isEqualTo(RelaySettings.DEFAULTS);
            ApplicationDefaults defaults = ChannelDefaultsReader.toDefaults(properties.policy(), properties.consumer());
            PubSubInboundChannelModel model = new PubSubInboundChannelModel();
            model.setKey("k");
            model.setSubscription("s");
            model.setEventKeyAttribute("e");
            PubSubChannel channel = new ChannelParser(text -> text, defaults).parse(model);
            assertThat(channel.policy()).isEqualTo(ChannelDefaults.POLICY);
            assertThat(channel.consumer()).isEqualTo(ChannelDefaults.CONSUMER);
        }
    }
}
