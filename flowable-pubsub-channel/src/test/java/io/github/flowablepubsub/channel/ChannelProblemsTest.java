package io.github.flowablepubsub.channel;

import static io.github.flowablepubsub.channel.ChannelFiles.DETECTION;
import static io.github.flowablepubsub.channel.ChannelFiles.KEY;
import static io.github.flowablepubsub.channel.ChannelFiles.file;
import static io.github.flowablepubsub.channel.ChannelFiles.fileWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How problems of a file are told: all at once, short, and harmless whatever the file says. */
class ChannelProblemsTest {

    private final ChannelFiles files = new ChannelFiles();

    @Test
    void tellsAllProblemsAtOnce() {
        String refusal = files.refusal(file(
                KEY,
                "'name': 'secret name'",
                "'subscription': 'a b'",
                "'polciy': 1",
                "'channelEventKeyDetection': {'jsonFeld': 'a'}",
                "'policy': {'ack': 'afterLunch', 'buffer': {'timeToLive': '7 days'}}",
                "'consumer': {'parallelPullCount': 0, 'maxOutstandingMessages': 1}"));

        assertThat(refusal.lines().map(line -> line.replaceFirst(" =.*", "")))
                .containsExactlyInAnyOrder(
                        "Pub/Sub channel \"orders\" is refused for 6 reasons:",
                        " - subscription",
                        " - polciy",
                        " - channelEventKeyDetection.jsonFeld",
                        " - policy.ack",
                        " - policy.buffer.timeToLive",
                        " - consumer.parallelPullCount");
        assertThat(refusal).doesNotContain("secret");
    }

    @Test
    void setsNothingWhenItFails() {
        PubSubInboundChannelModel model = new PubSubInboundChannelModel();
        model.setKey("${key}");
        ChannelParser parser = new ChannelParser(text -> "resolved");

        assertThatThrownBy(() -> parser.parse(model))
                .hasMessageStartingWith("Pub/Sub channel \"resolved\" is refused for 2 reasons:");
        assertThat(model.getKey()).isEqualTo("${key}");
    }

    @Test
    void outboundChannelsAreNotAvailable() {
        assertThatThrownBy(() -> files.deploy("{\"channelType\": \"outbound\", \"type\": \"pubsub\", \"key\": \"a\"}"))
                .hasMessageContaining("Not supported outbound channel model type was found pubsub");
    }

    @Test
    void hostileFilesGiveShortMessages() {
        String deep = "[".repeat(400) + "]".repeat(400);
        String wide = "{'a': 1, '" + "b".repeat(40_000) + "': '" + "c".repeat(100_000) + "'}";
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            many.append(", 'u").append(i).append("': 1");
        }
        for (String hostile : List.of(
                "'policy': " + deep,
                "'key': " + deep,
                "'policy': {'buffer': {'timeToLive': " + deep + "}}",
                "'consumer': {'x': " + wide + "}",
                "'consumer': {'maxOutstandingBytes': '" + "9".repeat(100_000) + "'}",
                "'consumer': {'maxOutstandingMessages': '" + "9".repeat(100_000) + "'}",
                "'policy': {'ack': '" + "a".repeat(100_000) + "'}",
                "'" + "n".repeat(40_000) + "': 1",
                "'subscription': '" + "a".repeat(100_000) + "'",
                "'channelEventKeyDetection': {'xmlXPathExpression': '" + "(".repeat(100_000) + "'}",
                "'x': 1" + many)) {
            assertThat(files.refusal(fileWith(hostile)).length())
                    .as(hostile.substring(0, 20))
                    .isLessThan(40_000);
            assertThat(files.refusal(fileWith(hostile)).lines().count()).isLessThan(40);
        }
    }

    @Test
    void namesAndValuesCannotForgeLines() {
        assertThat(files.refusal(file("'key': 'a\\nINFO forged', 'sub\\r\\nscription': 'x\\u0000\\u2028y'", DETECTION)))
                .contains("Pub/Sub channel \"a\\u000aINFO forged\"")
                .contains("sub\\u000d\\u000ascription = \"x\\u0000\\u2028y\"");
    }
}
