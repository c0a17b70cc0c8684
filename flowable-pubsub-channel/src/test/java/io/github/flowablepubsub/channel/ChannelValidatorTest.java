package io.github.flowablepubsub.channel;

import static io.github.flowablepubsub.channel.ChannelFiles.fileWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.flowable.common.engine.api.FlowableIllegalArgumentException;
import org.flowable.eventregistry.json.converter.ChannelJsonConverter;
import org.flowable.eventregistry.model.KafkaInboundChannelModel;
import org.junit.jupiter.api.Test;

/** The place of ours among Flowable's validators. */
class ChannelValidatorTest {

    @Test
    void worksBehindFlowablesOwnValidators() {
        ChannelJsonConverter converter = new ChannelJsonConverter();
        converter.addInboundChannelModelClass("pubsub", PubSubInboundChannelModel.class);
        converter.addValidator(new PubSubChannelValidator(new ChannelParser(text -> text)));

        assertThat(converter.convertToChannelModel(fileWith())).isInstanceOf(PubSubInboundChannelModel.class);
        assertThatThrownBy(() -> converter.convertToChannelModel(fileWith("'polciy': {}")))
                .hasMessageContaining("did you mean policy?")
                .hasCauseInstanceOf(FlowableIllegalArgumentException.class);
    }

    @Test
    void registersOnce() {
        ChannelJsonConverter converter = new ChannelJsonConverter();
        PubSubChannelValidator newest = new PubSubChannelValidator(new ChannelParser(text -> text));
        new PubSubChannelValidator(new ChannelParser(text -> text)).addTo(converter);
        newest.addTo(converter);

        assertThat(converter.getValidators()).hasSize(3).first().isSameAs(newest);
    }

    @Test
    void leavesOtherChannelsAlone() {
        new PubSubChannelValidator(new ChannelParser(text -> text)).validateChannel(new KafkaInboundChannelModel());
    }
}
