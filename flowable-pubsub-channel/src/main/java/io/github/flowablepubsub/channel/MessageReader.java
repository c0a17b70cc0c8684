package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.Keys;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.flowable.eventregistry.api.EventRegistryEvent;
import org.flowable.eventregistry.api.FlowableEventInfo;
import org.flowable.eventregistry.api.InboundEventProcessingPipeline;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.impl.FlowableEventInfoImpl;
import org.flowable.eventregistry.impl.pipeline.DefaultInboundEventProcessingPipeline;
import org.jspecify.annotations.Nullable;

/** Reads messages through the channel's inbound pipeline: deserialise, filter, detect event and tenant, extract. */
public final class MessageReader {

    private static final int MAX_ERROR = 1000;

    private final RememberedDefinitions definitions;

    /** With the event registry's definitions. */
    public MessageReader(RememberedDefinitions definitions) {
        this.definitions = definitions;
    }

    /** What is read from now on is read with the definitions that are deployed now. */
    public void refresh() {
        definitions.refresh();
    }

    /**
     * Reads a message. A bad message is a normal result, not an exception (rule R8).
     *
     * @throws RuntimeException when the database failed: nothing is known about the message then
     */
    public Reading read(RegisteredChannel channel, byte[] body, Map<String, String> attributes) {
        String deserializer = channel.model().getDeserializerType();
        PubSubInboundEvent event = new PubSubInboundEvent(body, attributes, "json".equals(deserializer));
        if (!event.isText() && ("json".equals(deserializer) || "xml".equals(deserializer))) {
            return new Reading.Unreadable("The body is not valid UTF-8 text, which " + deserializer + " must be");
        }
        if ("xml".equals(deserializer) && HostileXml.isSuspect((String) event.getBody())) {
            return new Reading.Unreadable("XML with a document type declaration or an unusual encoding is not read");
        }
        try {
            Collection<EventRegistryEvent> events = channel.pipeline().run(channel.model(), event);
            return events.isEmpty() ? new Reading.Filtered() : new Reading.Events(instances(events));
        } catch (RuntimeException | StackOverflowError e) {
            return afterFailure(channel, event, e);
        }
    }

    private static List<EventInstance> instances(Collection<EventRegistryEvent> events) {
        return events.stream()
                .map(EventRegistryEvent::getEventObject)
                .map(EventInstance.class::cast)
                .toList();
    }

    private Reading afterFailure(RegisteredChannel channel, PubSubInboundEvent event, Throwable failure) {
        if (DatabaseFailures.isDatabaseAway(failure)) {
            throw (RuntimeException) failure;
        }
        String eventKey = eventKey(channel, event);
        return eventKey != null && isUnknown(eventKey)
                ? new Reading.UnknownEvent(eventKey)
                : new Reading.Unreadable(describe(failure));
    }

    private boolean isUnknown(String eventKey) {
        try {
            return definitions
                            .repository()
                            .createEventDefinitionQuery()
                            .eventDefinitionKey(eventKey)
                            .count()
                    == 0;
        } catch (RuntimeException e) {
            if (DatabaseFailures.isDatabaseAway(e)) {
                throw e;
            }
            return false;
        }
    }

    private static @Nullable String eventKey(RegisteredChannel channel, PubSubInboundEvent event) {
        InboundEventProcessingPipeline pipeline = channel.pipeline();
        if (!(pipeline instanceof DefaultInboundEventProcessingPipeline<?>)) {
            return null;
        }
        try {
            return eventKey((DefaultInboundEventProcessingPipeline<?>) pipeline, channel, event);
        } catch (RuntimeException | StackOverflowError e) {
            return null; // it is this failure that made the message unreadable, and it is reported already
        }
    }

    private static <T> @Nullable String eventKey(
            DefaultInboundEventProcessingPipeline<T> pipeline, RegisteredChannel channel, PubSubInboundEvent event) {
        FlowableEventInfo<T> info =
                new FlowableEventInfoImpl<>(event, pipeline.deserialize(event.getBody()), channel.model());
        String key = pipeline.detectEventDefinitionKey(info);
        return key == null || key.isBlank() ? null : key;
    }

    /** Type and message along the cause chain. Parsers quote the message's content only where Flowable configures it. */
    private static String describe(Throwable failure) {
        StringBuilder text = new StringBuilder();
        int depth = 0;
        for (Throwable cause = failure; cause != null && depth < 5; cause = cause.getCause(), depth++) {
            text.append(depth == 0 ? "" : ", caused by ")
                    .append(cause.getClass().getSimpleName())
                    .append(": ")
                    .append(cause.getMessage());
        }
        return Keys.text(text.toString(), MAX_ERROR);
    }
}
