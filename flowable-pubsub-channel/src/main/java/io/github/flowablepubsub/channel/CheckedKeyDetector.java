package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.Keys;
import org.flowable.common.engine.api.FlowableIllegalArgumentException;
import org.flowable.eventregistry.api.FlowableEventInfo;
import org.flowable.eventregistry.api.InboundEventKeyDetector;
import org.flowable.eventregistry.api.InboundEventProcessingPipeline;
import org.flowable.eventregistry.impl.pipeline.DefaultInboundEventProcessingPipeline;
import org.jspecify.annotations.Nullable;

/**
 * Stops keys that no event definition can have before the pipeline asks the database for them: on PostgreSQL a NUL
 * character fails the statement, and with it the whole transaction.
 */
final class CheckedKeyDetector<T> implements InboundEventKeyDetector<T> {

    private final InboundEventKeyDetector<T> detector;

    private CheckedKeyDetector(InboundEventKeyDetector<T> detector) {
        this.detector = detector;
    }

    /** Puts the check into a stock pipeline; one that has it, or is an app's own, stays as it is. */
    static void install(InboundEventProcessingPipeline pipeline) {
        if (pipeline instanceof DefaultInboundEventProcessingPipeline<?>) {
            installTyped((DefaultInboundEventProcessingPipeline<?>) pipeline);
        }
    }

    private static <T> void installTyped(DefaultInboundEventProcessingPipeline<T> pipeline) {
        InboundEventKeyDetector<T> detector = pipeline.getInboundEventKeyDetector();
        if (!(detector instanceof CheckedKeyDetector)) {
            pipeline.setInboundEventKeyDetector(new CheckedKeyDetector<>(detector));
        }
    }

    @Override
    public String detectEventDefinitionKey(T event) {
        return checked(detector.detectEventDefinitionKey(event));
    }

    @Override
    public String detectEventDefinitionKey(FlowableEventInfo<T> event) {
        return checked(detector.detectEventDefinitionKey(event));
    }

    private static String checked(@Nullable String key) {
        if (key == null || key.isBlank() || key.equals("null")) { // the last is what Flowable 7.2 makes of JSON null
            throw new FlowableIllegalArgumentException("No event key was found in the message");
        }
        if (!Keys.isStorable(key)) {
            throw new FlowableIllegalArgumentException("The event key of the message has " + key.length()
                    + " characters, or ones that no event definition's key can have");
        }
        return key;
    }
}
