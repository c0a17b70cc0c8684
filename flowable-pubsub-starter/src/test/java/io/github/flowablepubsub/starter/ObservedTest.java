package io.github.flowablepubsub.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.events.Measures;
import io.github.flowablepubsub.server.PubSubServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.flowable.engine.RuntimeService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an app with Micrometer can see and hear, and an app without a registry. */
class ObservedTest {

    @Configuration(proxyBeanMethods = false)
    static class Registry {
        @Bean
        MeterRegistry meterRegistry() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Listening {
        private final List<InboxEvent> heard = new CopyOnWriteArrayList<>();

        @EventListener
        void on(InboxEvent.Parked event) {
            heard.add(event);
            throw new IllegalStateException("a listener that fails");
        }

        @EventListener
        void on(InboxEvent.Delivered event) {
            heard.add(event);
        }
    }

    /** As Spring Cloud makes them: a child context that is refreshed while its parent is still being built. */
    @Configuration(proxyBeanMethods = false)
    static class WithChild {
        @Bean
        Object early(ConfigurableApplicationContext parent) {
            try (GenericApplicationContext child = new GenericApplicationContext(parent)) {
                child.refresh();
            }
            return "early";
        }

        @Bean
        MeterRegistry meterRegistry() {
            return new SimpleMeterRegistry();
        }
    }

    private final TestApp testApp = new TestApp();
    private final PubSubServer server = testApp.server;

    @AfterEach
    void stop() {
        testApp.close();
    }

    @Test
    void aChildContextThatIsThereFirstDisturbsNothing() {
        try (ConfigurableApplicationContext app = run(WithChild.class)) {
            assertThat(app.getBean(MeterRegistry.class)
                            .get("flowable.pubsub.relay.up")
                            .gauge()
                            .value())
                    .isEqualTo(1);
        }
    }

    private ConfigurableApplicationContext run(Class<?> beans) {
        return testApp.run(beans, "--flowable.pubsub.policy.buffer.time-to-live=0s");
    }

    private static Search of(MeterRegistry registry, String name) {
        return registry.find("flowable.pubsub." + name).tag("channel", "auftragRueckmeldungen");
    }

    private static double count(MeterRegistry registry, String name, String reason) {
        var counter = of(registry, name).tag("reason", reason).counter();
        return counter == null ? 0 : counter.count();
    }

    private static double count(MeterRegistry registry, String name) {
        var counter = of(registry, name).counter();
        return counter == null ? -1 : counter.count();
    }

    private void publish(String auftragId) {
        server.publish("rueckmeldungen", "{\"auftragId\": \"" + auftragId + "\"}", Map.of());
    }

    @Test
    void countersAndTimersOfWhatHappens() {
        try (ConfigurableApplicationContext app = run(Registry.class)) {
            MeterRegistry registry = app.getBean(MeterRegistry.class);
            await().until(() -> count(registry, "messages.received") == 0);
            app.getBean(RuntimeService.class)
                    .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "1"));
            publish("1");
            publish("niemand");
            await().until(() -> count(registry, "messages.correlated", "none") == 1
                    && count(registry, "messages.parked", "NO_MATCH") == 1);
            await().until(() -> count(registry, "messages.received") == 2);
            assertThat(count(registry, "messages.duplicates")).isZero();
            assertThat(of(registry, "correlation").timer()).isNotNull().satisfies(timer -> {
                assertThat(timer.count()).isEqualTo(1);
                assertThat(timer.max(TimeUnit.NANOSECONDS)).isPositive();
            });
            assertThat(of(registry, "delay").timer()).isNotNull().satisfies(timer -> {
                assertThat(timer.count()).isEqualTo(1);
                assertThat(timer.totalTime(TimeUnit.SECONDS)).isBetween(0d, 600d);
            });
            await().until(() -> of(registry, "store").timer() != null);
            assertThat(of(registry, "consumer.up").gauge()).isNotNull().satisfies(gauge -> assertThat(gauge.value())
                    .isEqualTo(1));
            server.failStreams("abgeschlossen-sub", io.grpc.Status.PERMISSION_DENIED);
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            Objects.requireNonNull(of(registry, "consumer.up").gauge())
                                            .value()
                                    == 0);
            assertThat(count(registry, "consumer.failures")).isPositive();
            assertThat(registry.getMeters())
                    .allSatisfy(meter -> assertThat(meter.getId().toString())
                            .as("no key of a message is a tag")
                            .doesNotContain("niemand"));
        }
    }

    @Test
    void aDoubleSubscriptionIsCounted() {
        try (ConfigurableApplicationContext app = run(Registry.class)) {
            MeterRegistry registry = app.getBean(MeterRegistry.class);
            assertThat(doubles(registry)).as("there before the first one").isZero();
            for (int i = 0; i < 2; i++) {
                app.getBean(RuntimeService.class)
                        .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "zweimal"));
            }
            await().until(() -> doubles(registry) == 1);
        }
    }

    private static double doubles(MeterRegistry registry) {
        return registry.get("flowable.pubsub.subscriptions.double").counter().count();
    }

    private static double gauge(MeterRegistry registry, String name, String... tags) {
        var gauge = registry.find("flowable.pubsub." + name).tags(tags).gauge();
        return gauge == null ? Double.NaN : gauge.value();
    }

    @Test
    void theTableHasGauges() {
        try (ConfigurableApplicationContext app = run(Registry.class)) {
            MeterRegistry registry = app.getBean(MeterRegistry.class);
            String[] parked = {"channel", "auftragRueckmeldungen", "state", "PARKED"};
            for (String state : List.of("OPEN", "WAITING", "PARKED")) {
                assertThat(gauge(registry, "inbox.messages", "channel", "auftragRueckmeldungen", "state", state))
                        .as("zero, not NaN")
                        .isZero();
                assertThat(gauge(registry, "inbox.oldest.age", "state", state)).isZero();
            }
            assertThat(gauge(registry, "relay.up")).isEqualTo(1);
            publish("niemand");
            await().atMost(Duration.ofSeconds(60)).until(() -> gauge(registry, "inbox.messages", parked) == 1);
            app.getBean(JdbcTemplate.class)
                    .update("update FLW_PUBSUB_INBOX set RECEIVED_AT_ = timestamp '2020-01-01 00:00:00'");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> gauge(registry, "inbox.oldest.age", "state", "PARKED") > 1_000_000);
        }
    }

    @Test
    void applicationEvents() {
        try (ConfigurableApplicationContext app = run(Listening.class)) {
            assertThat(app.getBeanProvider(Measures.class).getIfAvailable()).isNull();
            Listening listening = app.getBean(Listening.class);
            publish("niemand");
            await().until(() -> listening.heard.stream().anyMatch(InboxEvent.Parked.class::isInstance));
            app.getBean(RuntimeService.class)
                    .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "2"));
            publish("2");
            await().until(() -> listening.heard.stream().anyMatch(InboxEvent.Delivered.class::isInstance));
        }
    }
}
