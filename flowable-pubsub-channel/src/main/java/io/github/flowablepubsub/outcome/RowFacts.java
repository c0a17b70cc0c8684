package io.github.flowablepubsub.outcome;

import io.github.flowablepubsub.channel.TimeToLive;
import io.github.flowablepubsub.inbox.Waiting;
import java.time.OffsetDateTime;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the decision needs to know of a row.
 *
 * @param attempts look-ups before this one; 0 means new, or repaired by hand: then the other values do not count
 * @param expiresAt end of its time to live, null while it has not waited
 * @param waiting since when it waits, null while it has not
 * @param failedSince first process failure of this series
 * @param now the database's clock (rule R5)
 * @param jitter 0 to 1, spreads retries
 * @param timeToLive how long the message may wait
 * @param known what is known of its key; asked only for a message that nobody took
 */
public record RowFacts(
        int attempts,
        @Nullable OffsetDateTime expiresAt,
        @Nullable Waiting waiting,
        @Nullable OffsetDateTime failedSince,
        OffsetDateTime now,
        double jitter,
        TimeToLive timeToLive,
        Supplier<String> known) {

    @Nullable
    OffsetDateTime currentExpiry() {
        return attempts == 0 ? null : expiresAt;
    }

    @Nullable
    Waiting currentWaiting() {
        return attempts == 0 ? null : waiting;
    }

    @Nullable
    OffsetDateTime currentFailure() {
        return attempts == 0 ? null : failedSince;
    }

    OffsetDateTime failingSince() {
        OffsetDateTime since = currentFailure();
        return since == null ? now : since;
    }
}
