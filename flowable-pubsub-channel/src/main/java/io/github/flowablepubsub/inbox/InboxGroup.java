package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one channel that are in the same state for the same reason.
 *
 * @param channelKey key of the channel definition
 * @param channelTenantId tenant of the channel definition, empty when there is none
 * @param state of all of them
 * @param reason of all of them; null where there is none
 * @param messages how many
 * @param oldest when the first of them was received
 */
public record InboxGroup(
        String channelKey,
        String channelTenantId,
        MessageState state,
        @Nullable String reason,
        Long messages,
        OffsetDateTime oldest) {

    /** Their channel. */
    public ChannelId channel() {
        return new ChannelId(channelKey, channelTenantId.strip());
    }
}
