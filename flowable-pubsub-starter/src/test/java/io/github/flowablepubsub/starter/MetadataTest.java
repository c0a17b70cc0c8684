package io.github.flowablepubsub.starter;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
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
            defaults.put(
                    property.get("name").getAsString(),
                    property.has("defaultValue") ? property.get("defaultValue").getAsString() : "");
        }
        assertThat(defaults)
                .isEqualTo(new TreeMap<>(Map.ofEntries(
                        Map.entry("flowable.pubsub.enabled", "true"),
                        Map.entry("flowable.pubsub.project-id", ""),
                        Map.entry("flowable.pubsub.emulator-host", ""),
                        Map.entry("flowable.pubsub.stop-timeout", "10s"),
                        Map.entry("flowable.pubsub.subscriber.enabled", "true"),
                        Map.entry("flowable.pubsub.subscriber.database-patience", "30s"),
                        Map.entry("flowable.pubsub.relay.enabled", "true"),
                        Map.entry("flowable.pubsub.relay.threads", "4"),
                        Map.entry("flowable.pubsub.relay.sweep-interval", "5s"),
                        Map.entry("flowable.pubsub.retention.enabled", "true"),
                        Map.entry("flowable.pubsub.retention.interval", "1m"))));
    }

    private static JsonObject metadata() throws IOException {
        try (InputStream json = Objects.requireNonNull(
                PubSubProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            return JsonParser.parseReader(new InputStreamReader(json, StandardCharsets.UTF_8))
                    .getAsJsonObject();
        }
    }
}
