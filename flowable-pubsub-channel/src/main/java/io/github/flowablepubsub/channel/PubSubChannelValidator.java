package io.github.flowablepubsub.channel;

import java.util.ArrayList;
import java.util.List;
import org.flowable.common.engine.api.FlowableIllegalArgumentException;
import org.flowable.eventregistry.json.converter.ChannelJsonConverter;
import org.flowable.eventregistry.json.converter.ChannelValidator;
import org.flowable.eventregistry.json.converter.FlowableEventJsonException;
import org.flowable.eventregistry.model.ChannelModel;

/**
 * Makes the deployment of a {@code .channel} file of type {@code pubsub} fail when {@link ChannelParser} refuses it. Other
 * channels pass untouched.
 */
public final class PubSubChannelValidator implements ChannelValidator {

    private final ChannelParser parser;

    public PubSubChannelValidator(ChannelParser parser) {
        this.parser = parser;
    }

    /**
     * Teaches Flowable's converter the type {@code pubsub}. This validator becomes the first one: Flowable's own stops at the
     * first problem, has other words for it, and takes a placeholder in {@code deserializerType} for a type. May be called
     * again, by any instance: the newest one stays.
     */
    public void addTo(ChannelJsonConverter converter) {
        converter.addInboundChannelModelClass(PubSubInboundChannelModel.TYPE, PubSubInboundChannelModel.class);
        List<ChannelValidator> validators = new ArrayList<>(converter.getValidators());
        validators.removeIf(PubSubChannelValidator.class::isInstance);
        validators.add(0, this);
        converter.setValidators(validators);
    }

    /**
     * @throws FlowableEventJsonException with the message of {@link ChannelParser#parse}: the converter would wrap any other
     *     exception and hide it
     */
    @Override
    public void validateChannel(ChannelModel channelModel) {
        if (channelModel instanceof PubSubInboundChannelModel model) {
            try {
                parser.parse(model);
            } catch (FlowableIllegalArgumentException e) {
                throw new FlowableEventJsonException(e.getMessage(), e);
            }
        }
    }
}
