package io.github.flowablepubsub.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.function.UnaryOperator;
import org.flowable.common.engine.api.FlowableIllegalArgumentException;
import org.flowable.eventregistry.json.converter.ChannelJsonConverter;
import org.flowable.eventregistry.json.converter.FlowableEventJsonException;

/** Channel files, read by the converter of the Flowable line on the class path as a deployment reads them. */
final class ChannelFiles {

    static final String KEY = "\"key\": \"orders\"";
    static final String SUBSCRIPTION = "\"subscription\": \"orders-sub\"";
    static final String DETECTION = "\"channelEventKeyDetection\": {\"fixedValue\": \"orderDone\"}";

    private final ChannelParser parser;
    private final ChannelJsonConverter converter = new ChannelJsonConverter();

    ChannelFiles(UnaryOperator<String> placeholders) {
        parser = new ChannelParser(placeholders);
        new PubSubChannelValidator(parser).addTo(converter);
    }

    ChannelFiles() {
        this(text -> {
            throw new IllegalArgumentException("unexpected placeholder in " + text);
        });
    }

    /** A file of the given properties, with single quotes for double ones. */
    static String file(String... properties) {
        return ("{\"channelType\": \"inbound\", \"type\": \"pubsub\", " + String.join(", ", properties) + "}")
                .replace('\'', '"');
    }

    /** A file that is accepted, with further properties. */
    static String fileWith(String... properties) {
        return file(KEY, SUBSCRIPTION, DETECTION, String.join(", ", properties)).replace(", }", "}");
    }

    PubSubInboundChannelModel deploy(String file) {
        return (PubSubInboundChannelModel) converter.convertToChannelModel(file);
    }

    PubSubChannel parse(String file) {
        return parser.parse(deploy(file));
    }

    String toJson(PubSubInboundChannelModel model) {
        return converter.convertToJson(model);
    }

    /** The message with which the file is refused. */
    String refusal(String file) {
        FlowableEventJsonException e =
                catchThrowableOfType(FlowableEventJsonException.class, () -> converter.convertToChannelModel(file));
        assertThat(e).as("refusal of " + file).isNotNull().hasCauseInstanceOf(FlowableIllegalArgumentException.class);
        return String.valueOf(e.getMessage());
    }
}
