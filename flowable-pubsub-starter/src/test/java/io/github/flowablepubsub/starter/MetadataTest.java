package io.github.flowablepubsub.starter;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.flowablepubsub.channel.ApplicationDefaults;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The configuration metadata that IDEs show: every property, with a description and its default. */
class MetadataTest {

    @Test
    void everyPropertyIsDescribedWithItsDefault() throws IOException {
        Map<String, String> defaults = new TreeMap<>();
        for (JsonElement element : metadata().getAsJsonArray("properties")) {
            JsonObject property = element.getAsJsonObject();
            assertThat(property.get("description").getAsString())
                    .as("%s", property)
                    .isNotBlank();
            String name = property.get("name").getAsString();
            if (!name.startsWith("management.endpoint.pubsubinbox.")) { // Spring Boot's own, of each endpoint
                defaults.put(
                        name,
                        property.has("defaultValue")
                                ? property.get("defaultValue").getAsString()
                                : "");
            }
        }
        assertThat(defaults)
                .as("everything that a channel file can say for all its events")
                .containsKeys(ApplicationDefaults.paths().stream()
                        .map(ApplicationDefaults::property)
                        .toArray(String[]::new));
        assertThat(defaults)
                .isEqualTo(new TreeMap<>(Map.ofEntries(
                        Map.entry("flowable.pubsub.enabled", "true"),
                        Map.entry("flowable.pubsub.project-id", ""),
                        Map.entry("flowable.pubsub.emulator-host", ""),
                        Map.entry("flowable.pubsub.stop-timeout", "10s"),
                        Map.entry("flowable.pubsub.subscriber.enabled", "true"),
                        Map.entry("flowable.pubsub.subscriber.database-patience", "30s"),
                        Map.entry("flowable.pubsub.subscriber.max-silence", "10m"),
                        Map.entry("flowable.pubsub.relay.enabled", "true"),
                        Map.entry("flowable.pubsub.relay.threads", "4"),
                        Map.entry("flowable.pubsub.relay.sweep-interval", "5s"),
                        Map.entry("flowable.pubsub.retention.enabled", "true"),
                        Map.entry("flowable.pubsub.retention.interval", "1m"),
                        Map.entry("flowable.pubsub.admin.show-payload", "false"),
                        Map.entry("flowable.pubsub.admin.trailing-slash", "true"),
                        Map.entry("flowable.pubsub.health.parked-above", "0"),
                        Map.entry("flowable.pubsub.health.parked-status", "UP"),
                        Map.entry("flowable.pubsub.health.oldest-open", "10m"),
                        Map.entry("flowable.pubsub.health.oldest-open-status", "UP"),
                        Map.entry("flowable.pubsub.health.oldest-waiting", "1h"),
                        Map.entry("flowable.pubsub.health.oldest-waiting-status", "UP"),
                        Map.entry("flowable.pubsub.policy.ack", "afterStore"),
                        Map.entry("flowable.pubsub.policy.cardinality", "onePerDefinition"),
                        Map.entry("flowable.pubsub.policy.order", "correlationKey"),
                        Map.entry("flowable.pubsub.policy.deduplication.key", "none"),
                        Map.entry("flowable.pubsub.policy.deduplication.on-conflict", "park"),
                        Map.entry("flowable.pubsub.policy.deduplication.window", "7d"),
                        Map.entry("flowable.pubsub.policy.buffer.time-to-live", "7d"),
                        Map.entry("flowable.pubsub.policy.buffer.time-to-live-attribute", ""),
                        Map.entry("flowable.pubsub.policy.buffer.alarm-after", "1h"),
                        Map.entry("flowable.pubsub.policy.retry.initial-delay", "1s"),
                        Map.entry("flowable.pubsub.policy.retry.multiplier", "2"),
                        Map.entry("flowable.pubsub.policy.retry.max-delay", "5m"),
                        Map.entry("flowable.pubsub.policy.retry.give-up-after", "1d"),
                        Map.entry("flowable.pubsub.policy.parking.on-no-match", "park"),
                        Map.entry("flowable.pubsub.policy.parking.on-unknown-event", "park"),
                        Map.entry("flowable.pubsub.policy.parking.later-messages", "continue"),
                        Map.entry("flowable.pubsub.policy.parking.dead-letter-job", "true"),
                        Map.entry("flowable.pubsub.policy.retention.payload", "1d"),
                        Map.entry("flowable.pubsub.consumer.parallel-pull-count", "1"),
                        Map.entry("flowable.pubsub.consumer.max-outstanding-messages", "1000"),
                        Map.entry("flowable.pubsub.consumer.max-outstanding-bytes", "100MB"),
                        Map.entry("flowable.pubsub.consumer.max-ack-extension", "1h"),
                        Map.entry("flowable.pubsub.consumer.pause-at-backlog", "0"))));
    }

    private static JsonObject metadata() throws IOException {
        try (InputStream json = Objects.requireNonNull(
                PubSubProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            return JsonParser.parseReader(new InputStreamReader(json, StandardCharsets.UTF_8))
                    .getAsJsonObject();
        }
    }
}
