package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Since when a row waits, by the database's clock. It goes on while the row is looked at in vain, suspended receivers and
 * failures of the infrastructure included; a row that is repaired begins anew.
 *
 * @param since first look-up that could not deliver it
 * @param alarmedAt when it raised the alarm, null while it has not
 */
public record Waiting(OffsetDateTime since, @Nullable OffsetDateTime alarmedAt) {}
