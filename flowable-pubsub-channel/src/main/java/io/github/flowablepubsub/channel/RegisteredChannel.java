package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.ChannelId;
import org.flowable.eventregistry.api.InboundEventProcessingPipeline;
import org.flowable.eventregistry.model.ChannelEventKeyDetection;

/**
 * A deployed channel as this node runs it.
 *
 * @param id key and tenant of the channel definition
 * @param config what its file says, checked and resolved
 * @param model Flowable's model of it, which carries the inbound pipeline
 */
public record RegisteredChannel(ChannelId id, PubSubChannel config, PubSubInboundChannelModel model) {

    /** Whether its messages may come to subscriptions of this event of the registry, as far as its file says. */
    public boolean mayBring(String eventKey) {
        ChannelEventKeyDetection detection = model.getChannelEventKeyDetection();
        String fixed = detection == null ? null : detection.getFixedValue();
        boolean another = fixed != null
                && !fixed.equals(eventKey)
                && model.getEventKeyAttribute() == null
                && model.getPipelineDelegateExpression() == null
                && model.getEventTransformerDelegateExpression() == null;
        return config.correlation() == null && !another;
    }

    /**
     * Flowable's inbound pipeline of this channel.
     *
     * @throws IllegalStateException while Flowable has not built it yet, which is the case only during the registration
     */
    public InboundEventProcessingPipeline pipeline() {
        Object pipeline = model.getInboundEventProcessingPipeline();
        if (pipeline == null) {
            throw new IllegalStateException("Channel " + id + " has no inbound pipeline yet");
        }
        return (InboundEventProcessingPipeline) pipeline;
    }
}
