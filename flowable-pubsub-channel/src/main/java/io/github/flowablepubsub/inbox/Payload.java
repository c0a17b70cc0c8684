package io.github.flowablepubsub.inbox;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message body as the table keeps it: readable where the text column can hold it exactly, else as bytes. Either way not
 * a byte is lost (rule R8).
 *
 * @param text the body as text, null when it is not valid UTF-8 or has NUL characters
 * @param bytes the body as bytes, null when {@code text} holds it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and copying a body of 10 MB is not free
public record Payload(@Nullable String text, byte @Nullable [] bytes) {

    /** Splits a body as it came from Pub/Sub. */
    public static Payload of(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            return text.indexOf('\0') < 0 ? new Payload(text, null) : new Payload(null, body);
        } catch (CharacterCodingException e) {
            return new Payload(null, body);
        }
    }

    /** The body as it came. */
    public byte[] toBytes() {
        if (bytes != null) {
            return bytes;
        }
        return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    }
}
