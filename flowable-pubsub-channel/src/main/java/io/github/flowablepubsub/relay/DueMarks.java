package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper.DueFrom;
import io.github.flowablepubsub.inbox.DueMapper.DueRow;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * From which time on due rows are looked for. Finished rows leave remains in PostgreSQL's indexes as long as any transaction
 * is open that began before; every look from the beginning of time would have to pass all of them. So only the whole pass,
 * about once a minute, begins there; the others begin at the oldest row it found, or where the whole pass before it was made.
 * Confined to the sweeping thread.
 */
final class DueMarks {

    private static final OffsetDateTime BEGINNING = OffsetDateTime.parse("1970-01-02T00:00:00Z");

    private final Map<ChannelId, OffsetDateTime> marks = new HashMap<>();
    private @Nullable OffsetDateTime lastWholePass;
    private @Nullable OffsetDateTime wholePass;

    /** A whole pass begins, at this time by the database's clock. */
    void begin(OffsetDateTime now) {
        wholePass = now;
    }

    /** It is over. */
    void end() {
        lastWholePass = wholePass;
        wholePass = null;
    }

    DueFrom from(ChannelId channel) {
        return new DueFrom(channel, wholePass != null ? BEGINNING : marks.getOrDefault(channel, BEGINNING));
    }

    /** What the running pass found in a channel, oldest first or not. */
    void seen(ChannelId channel, List<DueRow> rows) {
        if (wholePass != null && lastWholePass != null) {
            OffsetDateTime last = lastWholePass;
            marks.put(
                    channel,
                    rows.stream()
                            .map(DueRow::dueAt)
                            .filter(oldest -> oldest.isBefore(last))
                            .min(OffsetDateTime::compareTo)
                            .orElse(last));
        }
    }
}
