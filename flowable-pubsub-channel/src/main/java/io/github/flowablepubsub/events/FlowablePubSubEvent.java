package io.github.flowablepubsub.events;

import java.util.stream.Stream;
import org.flowable.common.engine.api.delegate.event.FlowableEvent;
import org.flowable.common.engine.api.delegate.event.FlowableEventType;

/**
 * An event as the engine's dispatcher brings it to {@code FlowableEventListener}s: after the commit and outside of any
 * transaction, so not to those that fire on a transaction's lifecycle.
 *
 * @param event what has happened
 */
public record FlowablePubSubEvent(InboxEvent event) implements FlowableEvent {

    /** Types to register listeners for. */
    public enum Type implements FlowableEventType {
        /** See {@link InboxEvent.Delivered}. */
        PUBSUB_MESSAGE_DELIVERED(InboxEvent.Delivered.class),
        /** See {@link InboxEvent.DeliveryFailed}. */
        PUBSUB_DELIVERY_FAILED(InboxEvent.DeliveryFailed.class),
        /** See {@link InboxEvent.Alarmed}. */
        PUBSUB_MESSAGE_ALARMED(InboxEvent.Alarmed.class),
        /** See {@link InboxEvent.Parked}. */
        PUBSUB_MESSAGE_PARKED(InboxEvent.Parked.class),
        /** See {@link InboxEvent.Repaired}. */
        PUBSUB_MESSAGE_REPAIRED(InboxEvent.Repaired.class),
        /** See {@link InboxEvent.Discarded}. */
        PUBSUB_MESSAGE_DISCARDED(InboxEvent.Discarded.class),
        /** See {@link InboxEvent.DoubleSubscription}. */
        PUBSUB_DOUBLE_SUBSCRIPTION(InboxEvent.DoubleSubscription.class),
        /** See {@link InboxEvent.ConsumerFailed}. */
        PUBSUB_CONSUMER_FAILED(InboxEvent.ConsumerFailed.class),
        /** See {@link InboxEvent.ConsumerRecovered}. */
        PUBSUB_CONSUMER_RECOVERED(InboxEvent.ConsumerRecovered.class);

        private final Class<? extends InboxEvent> of;

        Type(Class<? extends InboxEvent> of) {
            this.of = of;
        }
    }

    @Override
    public Type getType() {
        return Stream.of(Type.values())
                .filter(type -> type.of.isInstance(event))
                .findFirst()
                .orElseThrow();
    }
}
