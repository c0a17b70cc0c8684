package io.github.flowablepubsub.channel;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.flowable.eventregistry.api.InboundEvent;

/**
 * A Pub/Sub message as Flowable's pipeline sees it. Attributes are headers. The raw event is the body's bytes; the body is
 * text where it is valid UTF-8, else the bytes. Attributes without a body are legal: a JSON channel reads an empty object.
 */
final class PubSubInboundEvent implements InboundEvent {

    private final byte[] bytes;
    private final Object body;
    private final Map<String, Object> headers;

    PubSubInboundEvent(byte[] bytes, Map<String, String> attributes, boolean json) {
        this.bytes = bytes;
        this.body = bytes.length == 0 && json ? "{}" : body(bytes);
        this.headers = Collections.unmodifiableMap(new HashMap<>(attributes));
    }

    private static Object body(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return bytes;
        }
    }

    boolean isText() {
        return body instanceof String;
    }

    @Override
    public Object getRawEvent() {
        return bytes;
    }

    @Override
    public Object getBody() {
        return body;
    }

    @Override
    public Map<String, Object> getHeaders() {
        return headers;
    }

    /** Never the payload: Flowable logs events. */
    @Override
    public String toString() {
        return "PubSubInboundEvent[" + bytes.length + " bytes, attributes " + headers.keySet() + "]";
    }
}
