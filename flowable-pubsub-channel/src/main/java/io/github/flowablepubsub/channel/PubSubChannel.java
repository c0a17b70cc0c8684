package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.Keys;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code .channel} file of type {@code pubsub} says, with placeholders resolved and defaults filled in.
 *
 * @param key key of the channel definition
 * @param subscription short name, or {@code projects/P/subscriptions/S}; a short name belongs to the app's own project
 * @param ack when a message is acked
 * @param policy what happens to a message that cannot be delivered at once
 * @param events the same for some events, by event key as rows keep it
 * @param consumer how messages are pulled
 * @param correlation the plain BPMN message that they are delivered as; null: as events of the event registry
 * @param outputs payload fields that take metadata of the message
 */
public record PubSubChannel(
        String key,
        String subscription,
        Ack ack,
        ChannelPolicy policy,
        Map<String, ChannelPolicy> events,
        ConsumerSettings consumer,
        @Nullable MessageCorrelation correlation,
        Map<Metadata, String> outputs) {

    /** Takes a copy. */
    public PubSubChannel {
        events = Map.copyOf(events);
        outputs = Map.copyOf(outputs);
    }

    /**
     * What holds for messages of an event: {@code policy.events.KEY}, else {@code policy}.
     *
     * @param eventKey key of the event, or what a row keeps of it; null when it could not be read
     */
    public ChannelPolicy policy(@Nullable String eventKey) {
        return eventKey == null || events.isEmpty() ? policy : events.getOrDefault(Keys.indexed(eventKey), policy);
    }
}
