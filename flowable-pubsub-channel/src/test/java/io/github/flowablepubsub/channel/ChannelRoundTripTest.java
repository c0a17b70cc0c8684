package io.github.flowablepubsub.channel;

import static io.github.flowablepubsub.channel.ChannelFiles.fileWith;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flowable compares a channel's JSON to find out that it changed. */
class ChannelRoundTripTest {

    private static final String POLICY =
            "'policy': {'buffer': {'timeToLive': '${ttl:P1D}'}, 'retry': {'multiplier': 2}}";

    private final ChannelFiles files = new ChannelFiles(new SystemPlaceholders(name -> null));

    @Test
    void isStable() {
        for (String file :
                List.of(fileWith(), fileWith(POLICY), fileWith("'name': '${n:x}'"), AcceptedChannelTest.FULL)) {
            String first = files.toJson(files.deploy(file));
            String second = files.toJson(files.deploy(first));

            assertThat(second).isEqualTo(first);
            assertThat(files.parse(first)).isEqualTo(files.parse(file));
        }
    }

    @Test
    void keepsEveryProperty() {
        assertThat(files.toJson(files.deploy(AcceptedChannelTest.FULL)))
                .contains(
                        "\"subscription\":\"projects/my-project/subscriptions/orders-sub\"",
                        "\"retry\":{\"initialDelay\":\"PT2S\",\"multiplier\":1.5,\"maxDelay\":\"PT10M\"",
                        "\"deduplication\":{\"key\":\"payload:eventId\",\"onConflict\":\"ignore\",\"window\":\"P14D\"}",
                        "\"parallelPullCount\":4",
                        "\"messageIdOutputName\":\"nachrichtId\"",
                        "\"deadLetterSourceSubscriptionOutputName\":\"herkunft\"",
                        "\"correlation\":{\"messageName\":\"Order done\",\"processDefinitionKey\":\"order-process\",",
                        "\"extension\":{\"anything\":[1,{\"deep\":true}]}",
                        "\"channelEventKeyDetection\":{\"jsonPointerExpression\":\"/event/type\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'policy': {'buffer': {'timeToLive': 'P2D'}, 'retry': {'multiplier': 2}}",
                "'policy': {'buffer': {'timeToLive': '${ttl:P1D}'}, 'retry': {'multiplier': 3}}",
                "'policy': {'buffer': {'timeToLive': '${ttl:P1D}'}}",
                "'policy': {'buffer': {'timeToLive': '${ttl:P1D}'}, 'retry': {'multiplier': 2}}, 'consumer': {}",
                "'policy': {'buffer': {'timeToLive': '${ttl:P1D}'}, 'retry': {'multiplier': 2}}, 'subscription': 'other'"
            })
    void showsChanges(String changed) {
        assertThat(files.toJson(files.deploy(fileWith(changed))))
                .isNotEqualTo(files.toJson(files.deploy(fileWith(POLICY))));
    }

    @Test
    void holdsNothingElse() {
        PubSubInboundChannelModel model = files.deploy(fileWith());
        model.setInboundEventChannelAdapter(new Object());
        model.setInboundEventProcessingPipeline(new Object());

        assertThat(files.toJson(model))
                .isEqualTo(files.toJson(files.deploy(fileWith())))
                .doesNotContain("null", "inboundEvent", "properties", "misfits", "output");
    }

    @Test
    void mayBeParsedAgain() {
        PubSubInboundChannelModel model = files.deploy(fileWith("'name': '${n:x}'", POLICY));
        ChannelParser parser = new ChannelParser(new SystemPlaceholders(name -> null));

        assertThat(parser.parse(model)).isEqualTo(parser.parse(model));
        assertThat(model.getName()).isEqualTo("x");
    }
}
