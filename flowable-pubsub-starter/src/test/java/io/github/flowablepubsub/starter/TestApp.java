package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.server.PubSubServer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An app with the starter, a database and a Pub/Sub server of its own, and the files where users put them. */
final class TestApp implements AutoCloseable {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class App {}

    static {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60)); // a loaded machine is slow, not wrong
    }

    final PubSubServer server = PubSubServer.start();

    TestApp() {
        server.createTopic("rueckmeldungen");
        server.createSubscription("abgeschlossen-sub", "rueckmeldungen");
    }

    ConfigurableApplicationContext run(String... more) {
        return run(App.class, more);
    }

    ConfigurableApplicationContext run(Class<?> beans, String... more) {
        return new SpringApplicationBuilder(App.class, beans)
                .web(WebApplicationType.NONE)
                .properties(Map.of(
                        "spring.datasource.url", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                        "spring.main.banner-mode", "off",
                        "test.subscription", "abgeschlossen-sub",
                        "flowable.pubsub.project-id", "sample",
                        "flowable.pubsub.emulator-host", server.endpoint()))
                .run(more);
    }

    @Override
    public void close() {
        server.close();
    }
}
