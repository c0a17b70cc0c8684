package io.github.flowablepubsub.channel;

import static io.github.flowablepubsub.channel.ChannelFiles.file;
import static io.github.flowablepubsub.channel.ChannelFiles.fileWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code flowable.pubsub.policy.*} and {@code flowable.pubsub.consumer.*}, under the names of the channel file. */
class ApplicationDefaultsTest {

    private static PubSubChannel parse(Map<String, ?> defaults, String file) {
        PubSubInboundChannelModel model = new ChannelFiles().deploy(file);
        return new ChannelParser(text -> text, ApplicationDefaults.of(defaults)).parse(model);
    }

    @Test
    void theEventComesBeforeTheFileBeforeTheApplicationBeforeTheBuiltInDefault() {
        PubSubChannel channel = parse(
                Map.of(
                        "policy.buffer.timeToLive", "PT1H",
                        "policy.cardinality", "all",
                        "policy.retry.giveUpAfter", "PT2H",
                        "consumer.parallelPullCount", 3,
                        "consumer.maxOutstandingBytes", "1MB",
                        "consumer.pauseAtBacklog", 50),
                file(
                        """
                        'key': 'orders', 'subscription': 's', 'eventKeyAttribute': 'type',
                        'policy': {'buffer': {'timeToLive': 'PT3H'}, 'cardinality': 'one',
                                   'events': {'late': {'buffer': {'timeToLive': 'PT4H'}}}},
                        'consumer': {'parallelPullCount': 5}
                        """));

        assertThat(channel.policy("late").buffer().timeToLive()).as("event").isEqualTo(Duration.ofHours(4));
        assertThat(channel.policy("late").cardinality()).as("file").isEqualTo(Cardinality.ONE);
        assertThat(channel.policy("late").retry().giveUpAfter())
                .as("application")
                .isEqualTo(Duration.ofHours(2));
        assertThat(channel.policy("late").retry().maxDelay()).as("built-in").isEqualTo(Duration.ofMinutes(5));
        assertThat(channel.policy("other").buffer().timeToLive()).isEqualTo(Duration.ofHours(3));
        assertThat(channel.consumer())
                .isEqualTo(new ConsumerSettings(5, 1000, 1024 * 1024, ChannelDefaults.MAX_ACK_EXTENSION, 50));
    }

    @Test
    void aFileIsCheckedAgainstThem() {
        assertThatThrownBy(() -> parse(
                        Map.of("policy.retry.maxDelay", "PT10S"),
                        fileWith("'policy': {'retry': {'initialDelay': 'PT20S'}}")))
                .hasMessageContaining("policy.retry.maxDelay = \"PT10S\": (the default) must be at least");
    }

    @Test
    void everyPropertyOfPolicyAndConsumerCanBeSet() {
        assertThat(ApplicationDefaults.paths())
                .contains("policy.ack", "policy.order", "policy.retention.payload", "consumer.pauseAtBacklog")
                .allMatch(path -> path.startsWith("policy.") || path.startsWith("consumer."))
                .noneMatch(path -> path.startsWith("policy.events"));
        assertThat(ApplicationDefaults.property("policy.buffer.timeToLive"))
                .isEqualTo("flowable.pubsub.policy.buffer.time-to-live");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "policy.buffer.timeToLive | -PT1S | policy.buffer.time-to-live = \"-PT1S\": must be an ISO 8601",
                "policy.retry.multiplier  | 0.5   | policy.retry.multiplier = \"0.5\": must be a number from 1 to 100",
                "policy.retry.initialDelay| PT10M | policy.retry.max-delay = \"PT5M\": (the default) must be at least"
                        + " flowable.pubsub.policy.retry.initial-delay, which is PT10M",
                "policy.deduplication.window | PT1M | policy.deduplication.window = \"PT1M\": must be",
                "policy.parking.onNoMatch | prak  | policy.parking.on-no-match = \"prak\": is not a known value; did you",
                "policy.order             | ${x}  | policy.order = \"${x}\": has a placeholder without a value: none is",
                "consumer.parallelPullCount | 33  | consumer.parallel-pull-count = \"33\": must be a whole number from 1",
                "policy.buffer.timeToLve  | PT1S  | policy.buffer.time-to-lve = \"PT1S\": unknown property, did you mean"
                        + " flowable.pubsub.policy.buffer.time-to-live? available in flowable.pubsub.policy.buffer: ",
                "polcy.order              | none  | polcy = {\"order\": \"none\"}: unknown property, did you mean"
                        + " flowable.pubsub.policy? available in flowable.pubsub: consumer, policy",
                "policy.events.a.order    | none  | policy.events = {\"a\": {\"order\": \"none\"}}: is of one channel",
                "subscription             | s     | subscription = \"s\": is of one channel only: set it in its file"
            })
    void refusesWhatNoFileMayHave(String path, String value, String message) {
        assertThatThrownBy(() -> ApplicationDefaults.of(Map.of(path, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Defaults of Pub/Sub channels are refused:\n - flowable.pubsub." + message);
    }
}
