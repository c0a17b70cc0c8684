package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.Keys;
import org.flowable.common.engine.api.FlowableIllegalArgumentException;
import org.flowable.eventregistry.api.FlowableEventInfo;
import org.flowable.eventregistry.api.InboundEventKeyDetector;
import org.flowable.eventregistry.api.InboundEventProcessingPipeline;
import org.flowable.eventregistry.impl.pipeline.DefaultInboundEventProcessingPipeline;
import org.flowable.eventregistry.model.ChannelEventKeyDetection;
import org.jspecify.annotations.Nullable;

/**
 * Takes the event key from the channel's {@code eventKeyAttribute}, else from Flowable's detection, and stops keys that no
 * event definition can have before the pipeline asks the database for them: on PostgreSQL a NUL character fails the
 * statement, and with it the whole transaction.
 */
final class CheckedKeyDetector<T> implements InboundEventKeyDetector<T> {

    /** What Flowable builds a pipeline with that has nothing but the attribute; never an event's key. */
    private static final String ONLY_BY_ATTRIBUTE = "(eventKeyAttribute)";

    private final InboundEventKeyDetector<T> detector;
    private final @Nullable String attribute;

    private CheckedKeyDetector(InboundEventKeyDetector<T> detector, @Nullable String attribute) {
        this.detector = detector;
        this.attribute = attribute;
    }

    /** Before Flowable builds the pipeline, which it refuses to without any detection. */
    static void prepare(PubSubInboundChannelModel model) {
        if (model.getEventKeyAttribute() != null && model.getChannelEventKeyDetection() == null) {
            ChannelEventKeyDetection none = new ChannelEventKeyDetection();
            none.setFixedValue(ONLY_BY_ATTRIBUTE);
            model.setChannelEventKeyDetection(none);
        }
    }

    /** Puts the check into a stock pipeline; one that has it, or is an app's own, stays as it is. */
    static void install(InboundEventProcessingPipeline pipeline, @Nullable String attribute) {
        if (pipeline instanceof DefaultInboundEventProcessingPipeline<?>) {
            installTyped((DefaultInboundEventProcessingPipeline<?>) pipeline, attribute);
        }
    }

    private static <T> void installTyped(
            DefaultInboundEventProcessingPipeline<T> pipeline, @Nullable String attribute) {
        InboundEventKeyDetector<T> detector = pipeline.getInboundEventKeyDetector();
        if (!(detector instanceof CheckedKeyDetector)) {
            pipeline.setInboundEventKeyDetector(new CheckedKeyDetector<>(detector, attribute));
        }
    }

    @Override
    public String detectEventDefinitionKey(T event) {
        return checked(detector.detectEventDefinitionKey(event));
    }

    @Override
    public String detectEventDefinitionKey(FlowableEventInfo<T> event) {
        Object named = attribute == null ? null : event.getHeaders().get(attribute);
        return named != null ? checked(named.toString()) : checked(detector.detectEventDefinitionKey(event));
    }

    private static String checked(@Nullable String key) {
        if (key == null
                || key.isBlank()
                || key.equals(ONLY_BY_ATTRIBUTE)
                || key.equals("null")) { // what Flowable 7.2 makes of JSON null
            throw new FlowableIllegalArgumentException("No event key was found in the message");
        }
        if (!Keys.isStorable(key)) {
            throw new FlowableIllegalArgumentException("The event key of the message has " + key.length()
                    + " characters, or ones that no event definition's key can have");
        }
        return key;
    }
}
