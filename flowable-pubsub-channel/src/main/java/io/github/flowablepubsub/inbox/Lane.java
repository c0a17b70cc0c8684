package io.github.flowablepubsub.inbox;

/**
 * The messages of one channel that are worked on one after the other (rule R4). A lane is locked through its row in
 * {@code FLW_PUBSUB_LANE}; messages of different lanes never wait for each other.
 *
 * @param channelKey key of the channel definition
 * @param channelTenantId tenant of the channel definition, empty when there is none
 * @param orderKey what the messages have in common, see {@link Keys}
 */
public record Lane(String channelKey, String channelTenantId, String orderKey) {

    /** As rows have it: some databases keep an empty text as a blank. */
    public Lane {
        channelTenantId = channelTenantId.strip();
    }

    /** Lane of an order key in a channel. */
    public static Lane of(ChannelId channel, String orderKey) {
        return new Lane(channel.key(), channel.tenantId(), orderKey);
    }

    /** The channel that this lane belongs to. */
    public ChannelId channel() {
        return new ChannelId(channelKey, channelTenantId);
    }
}
