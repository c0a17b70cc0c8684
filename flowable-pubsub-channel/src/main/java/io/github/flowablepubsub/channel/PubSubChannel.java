package io.github.flowablepubsub.channel;

/**
 * What a {@code .channel} file of type {@code pubsub} says, with placeholders resolved and defaults filled in.
 *
 * @param key key of the channel definition
 * @param subscription short name, or {@code projects/P/subscriptions/S}; a short name belongs to the app's own project
 * @param ack when a message is acked
 * @param policy what happens to a message that cannot be delivered at once
 * @param consumer how messages are pulled
 */
public record PubSubChannel(
        String key, String subscription, Ack ack, ChannelPolicy policy, ConsumerSettings consumer) {}
