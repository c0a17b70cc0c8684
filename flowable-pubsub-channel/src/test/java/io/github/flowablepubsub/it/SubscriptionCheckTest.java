package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.crash.LogLines;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What does not go together in a channel and its subscription is told once; what can't be known is not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SubscriptionCheckTest {

    private static final String ACK = "{\"ack\": \"afterCorrelation\"}";

    private final Lab lab = Lab.start(TestDatabase.H2);

    @AfterAll
    void stop() {
        lab.close();
    }

    /** The warnings about this channel, after the check is through. */
    private List<String> warnings(String key, Runnable deployment) {
        try (LogLines lines = new LogLines()) {
            deployment.run();
            Lab.eventually("consumes", () -> lines.all().stream()
                    .anyMatch(line -> line.contains("Channel " + key + " consumes")));
            Lab.eventually("checked", () -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("pubsub-check-" + key)));
            return lines.all().stream()
                    .filter(line -> line.startsWith("WARN") && line.contains("does not fit channel " + key))
                    .toList();
        }
    }

    private List<String> warnings(String key, String policy, SubscriptionOptions options) {
        return warnings(key, () -> lab.channel(key, policy, Lab.FIXED, options));
    }

    @Test
    void afterCorrelationNeedsRetryPolicyAndDeadLetterTopic() {
        assertThat(warnings("blank", ACK, SubscriptionOptions.DEFAULT))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("projects/sample/subscriptions/blank-sub", "no retry policy", "no dead-letter topic")
                        .doesNotContain("deduplication.window"));
        SubscriptionOptions retried = SubscriptionOptions.DEFAULT.withRetryPolicy(Duration.ofSeconds(10));
        assertThat(warnings("halb", ACK, retried)).singleElement().satisfies(line -> assertThat(line)
                .contains("no dead-letter topic")
                .doesNotContain("no retry policy"));
        lab.server.createTopic("tot");
        assertThat(warnings("ganz", ACK, retried.withDeadLetterTopic("tot", 5))).isEmpty();
    }

    @Test
    void afterStoreNeedsNeither() {
        assertThat(warnings("lager", "{}", SubscriptionOptions.DEFAULT)).isEmpty();
    }

    @Test
    void theWindowMustBeAsLongAsTheRetention() {
        assertThat(warnings("fenster", "{\"deduplication\": {\"window\": \"P6D\"}}", SubscriptionOptions.DEFAULT))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("PT168H", "policy.deduplication.window is PT144H"));
    }

    @Test
    void aSubscriptionThatIsNotThereIsTheConsumersProblem() {
        assertThat(warnings(
                        "fort",
                        () -> lab.node.deployEvents(
                                Map.of("fort.channel", Models.channel("fort", "fort-sub", ACK, Lab.FIXED, "")))))
                .isEmpty();
    }
}
