package io.github.flowablepubsub.inbox;

import io.github.flowablepubsub.inbox.RetentionMapper.Content;
import io.github.flowablepubsub.inbox.RetentionMapper.FinishedRow;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A finished message for an {@link ArchiveHook}; good for the duration of the call. */
public final class FinishedMessage {

    private final FinishedRow row;
    private final LongFunction<@Nullable Content> read;

    FinishedMessage(FinishedRow row, LongFunction<@Nullable Content> read) {
        this.row = row;
        this.read = read;
    }

    /** Everything but body and attributes. */
    public FinishedRow row() {
        return row;
    }

    /** The body as it came, read from the database with each call. */
    public byte[] body() {
        Content content = content();
        return new Payload(content.payload(), content.payloadBytes()).toBytes();
    }

    /** Pub/Sub attributes, read from the database with each call. */
    public Map<String, String> attributes() {
        return Attributes.fromJson(content().attributes());
    }

    private Content content() {
        return Objects.requireNonNull(read.apply(row.id()), "the row is locked");
    }

    @Override
    public String toString() {
        return "row " + row.id() + ", message " + row.messageId();
    }
}
