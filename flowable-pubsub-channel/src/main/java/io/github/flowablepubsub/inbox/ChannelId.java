package io.github.flowablepubsub.inbox;

/**
 * Identity of a deployed channel, as rows keep it.
 *
 * @param key key of the channel definition
 * @param tenantId tenant of the channel definition, empty when there is none
 */
public record ChannelId(String key, String tenantId) {

    /** Lock rows of unique starts hang on it; no channel can have this key. */
    public static final ChannelId UNIQUE_STARTS = new ChannelId("#unique-start", "");

    @Override
    public String toString() {
        return tenantId.isEmpty() ? key : key + " (tenant " + tenantId + ")";
    }
}
