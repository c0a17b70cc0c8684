package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.Incoming;
import io.github.flowablepubsub.inbox.Keys;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.flowable.eventregistry.api.EventRegistryEvent;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.api.runtime.EventPayloadInstance;
import org.flowable.eventregistry.impl.EventRegistryEngineConfiguration;
import org.flowable.eventregistry.impl.runtime.EventInstanceImpl;
import org.jspecify.annotations.Nullable;

/** Reads messages through the channel's inbound pipeline: deserialise, filter, detect event and tenant, extract. */
public final class MessageReader {

    private static final int MAX_ERROR = 1000;

    private final RememberedDefinitions definitions;
    private final MetadataPayload metadata;

    private final EventRegistryEngineConfiguration registry;

    /** With the event registry and its definitions. */
    public MessageReader(RememberedDefinitions definitions, EventRegistryEngineConfiguration registry) {
        this.definitions = definitions;
        this.registry = registry;
        this.metadata = new MetadataPayload(definitions);
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
    public Reading read(RegisteredChannel channel, Incoming message) {
        PubSubInboundChannelModel model = channel.model();
        boolean ownPipeline = isSet(model.getPipelineDelegateExpression());
        String type = ownPipeline ? "" : model.getDeserializerType();
        boolean stockParser =
                ("json".equals(type) || "xml".equals(type)) && !isSet(model.getDeserializerDelegateExpression());
        PubSubInboundEvent event =
                new PubSubInboundEvent(message.body(), message.attributes(), stockParser && "json".equals(type));
        if (stockParser && !event.isText()) {
            return new Reading.Unreadable("The body is not valid UTF-8 text, which " + type + " must be");
        }
        if ("xml".equals(type) && event.isText() && HostileXml.isSuspect((String) event.getBody())) {
            return new Reading.Unreadable("XML with a document type declaration or an unusual encoding is not read");
        }
        try {
            Collection<EventRegistryEvent> events = channel.pipeline().run(channel.model(), event);
            return events.isEmpty()
                    ? new Reading.Filtered()
                    : new Reading.Events(
                            metadata.addTo(instances(events), channel.config().outputs(), message));
        } catch (RuntimeException | StackOverflowError e) {
            return afterFailure(channel, event, e);
        }
    }

    private static List<EventInstance> instances(Collection<EventRegistryEvent> events) {
        return events.stream()
                .map(EventRegistryEvent::getEventObject)
                .map(EventInstance.class::cast)
                .map(MessageReader::oneValueEach)
                .toList();
    }

    /**
     * A payload that the event definition marks as header is read from body and attributes where both have it, and the engine
     * stumbles over two values of one name. The attribute counts: its extractor comes last.
     */
    private static EventInstance oneValueEach(EventInstance event) {
        Map<String, EventPayloadInstance> byName = new LinkedHashMap<>();
        event.getPayloadInstances().forEach(payload -> byName.put(payload.getDefinitionName(), payload));
        return byName.size() == event.getPayloadInstances().size()
                ? event
                : new EventInstanceImpl(event.getEventKey(), List.copyOf(byName.values()), event.getTenantId());
    }

    private Reading afterFailure(RegisteredChannel channel, PubSubInboundEvent event, Throwable failure) {
        if (DatabaseFailures.isDatabaseAway(failure)) {
            throw (RuntimeException) failure;
        }
        DetectedEvent detected = DetectedEvent.of(channel, event);
        return detected != null && isUnknown(detected)
                ? new Reading.UnknownEvent(detected.key())
                : new Reading.Unreadable(describe(failure));
    }

    private boolean isUnknown(DetectedEvent detected) {
        try {
            return detected.isUnknown(definitions.repository(), registry);
        } catch (RuntimeException e) {
            if (DatabaseFailures.isDatabaseAway(e)) {
                throw e;
            }
            return false;
        }
    }

    private static boolean isSet(@Nullable String expression) {
        return expression != null && !expression.isEmpty();
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
