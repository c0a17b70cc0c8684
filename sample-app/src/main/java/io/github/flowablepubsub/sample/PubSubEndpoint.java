package io.github.flowablepubsub.sample;

import io.github.flowablepubsub.server.PubSubServer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Decides where Pub/Sub is: at the emulator or in the project that is configured, else in a server in this process. The
 * channel and the service provider then read the same two properties. {@code GOOGLE_CLOUD_PROJECT} alone, which many have
 * in their shell, does not make the sample publish to a real project.
 */
final class PubSubEndpoint implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final String EMULATOR = "flowable.pubsub.emulator-host";
    private static final String PROJECT = "flowable.pubsub.project-id";

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        ConfigurableEnvironment environment = context.getEnvironment();
        String emulator = first(environment, EMULATOR, "spring.cloud.gcp.pubsub.emulator-host", "PUBSUB_EMULATOR_HOST");
        String project =
                first(environment, PROJECT, "spring.cloud.gcp.pubsub.project-id", "spring.cloud.gcp.project-id");
        if (emulator == null && project == null) {
            PubSubServer server = PubSubServer.start();
            // The context closes it, after everything that uses it.
            ((GenericApplicationContext) context).registerBean(PubSubServer.class, () -> server);
            emulator = server.endpoint();
        }
        Map<String, Object> resolved = new HashMap<>();
        resolved.put(PROJECT, project == null ? PubSubServer.PROJECT : project);
        if (emulator != null) {
            resolved.put(EMULATOR, emulator);
        }
        environment.getPropertySources().addFirst(new MapPropertySource("pubSubEndpoint", resolved));
    }

    private static @Nullable String first(ConfigurableEnvironment environment, String... names) {
        for (String name : names) {
            String value = environment.getProperty(name);
            if (value != null && !value.isBlank()) {
                return value;
            }
        }
        return null;
    }
}
