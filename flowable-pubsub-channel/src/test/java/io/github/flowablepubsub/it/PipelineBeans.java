package io.github.flowablepubsub.it;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.zip.GZIPInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.flowable.eventregistry.api.EventRegistryEvent;
import org.flowable.eventregistry.api.InboundEvent;
import org.flowable.eventregistry.api.InboundEventProcessingPipeline;
import org.flowable.eventregistry.api.InboundEventTransformer;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.api.runtime.EventPayloadInstance;
import org.flowable.eventregistry.impl.event.FlowableEventRegistryEvent;
import org.flowable.eventregistry.impl.runtime.EventInstanceImpl;
import org.flowable.eventregistry.impl.runtime.EventPayloadInstanceImpl;
import org.flowable.eventregistry.model.EventPayload;
import org.flowable.eventregistry.model.InboundChannelModel;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

/** What an app may bring along for the way of a message through its channel. */
final class PipelineBeans {

    private PipelineBeans() {}

    static Document unzip(Object body) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new GZIPInputStream(new ByteArrayInputStream((byte[]) body)));
        } catch (IOException | ParserConfigurationException | SAXException e) {
            throw new IllegalArgumentException("kein gepacktes XML", e);
        }
    }

    private static EventRegistryEvent event(String eventKey, String auftragId) {
        Collection<EventPayloadInstance> payload =
                List.of(new EventPayloadInstanceImpl(EventPayload.correlation("auftragId", "string"), auftragId));
        return new FlowableEventRegistryEvent(new EventInstanceImpl(eventKey, payload));
    }

    /** One event for each {@code event:order} of the text, and surprises. */
    static final class Split implements InboundEventTransformer {
        @Override
        public Collection<EventRegistryEvent> transform(EventInstance whole) {
            String text = whole.getPayloadInstances().stream()
                    .filter(payload -> payload.getDefinitionName().equals("text"))
                    .map(payload -> String.valueOf(payload.getValue()))
                    .findFirst()
                    .orElse("");
            if (text.equals("fremd")) {
                return List.of(new Foreign());
            } else if (text.equals("fehler")) {
                throw new NoClassDefFoundError("gibt/Es/Nicht");
            }
            List<EventRegistryEvent> events = new ArrayList<>();
            for (String part : text.isEmpty() ? new String[0] : text.split(",")) {
                int colon = part.indexOf(':');
                events.add(event(part.substring(0, colon), part.substring(colon + 1)));
            }
            return events;
        }
    }

    static final class Foreign implements EventRegistryEvent {
        @Override
        public String getType() {
            return "fremd";
        }

        @Override
        public Object getEventObject() {
            return "kein Ereignis";
        }
    }

    /** A format of the app's own, in bytes that are no text. */
    static final class OwnPipeline implements InboundEventProcessingPipeline {
        @Override
        public Collection<EventRegistryEvent> run(InboundChannelModel channel, InboundEvent message) {
            byte[] bytes = (byte[]) message.getRawEvent();
            if (bytes.length == 0 || bytes[0] != (byte) 0xFE) {
                throw new IllegalArgumentException("kein FE am Anfang");
            }
            return List.of(event(
                    String.valueOf(message.getHeaders().get("art")),
                    new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8)));
        }
    }
}
