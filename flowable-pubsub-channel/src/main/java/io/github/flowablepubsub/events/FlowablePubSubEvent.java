package io.github.flowablepubsub.events;

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
        PUBSUB_MESSAGE_DELIVERED,
        /** See {@link InboxEvent.DeliveryFailed}. */
        PUBSUB_DELIVERY_FAILED,
        /** See {@link InboxEvent.Parked}. */
        PUBSUB_MESSAGE_PARKED,
        /** See {@link InboxEvent.Repaired}. */
        PUBSUB_MESSAGE_REPAIRED,
        /** See {@link InboxEvent.Discarded}. */
        PUBSUB_MESSAGE_DISCARDED,
        /** See {@link InboxEvent.ConsumerFailed}. */
        PUBSUB_CONSUMER_FAILED,
        /** See {@link InboxEvent.ConsumerRecovered}. */
        PUBSUB_CONSUMER_RECOVERED,
        /** See {@link InboxEvent.DoubleSubscription}. */
        PUBSUB_DOUBLE_SUBSCRIPTION
    }

    @Override
    public Type getType() {
        if (event instanceof InboxEvent.Delivered) {
            return Type.PUBSUB_MESSAGE_DELIVERED;
        } else if (event instanceof InboxEvent.DeliveryFailed) {
            return Type.PUBSUB_DELIVERY_FAILED;
        } else if (event instanceof InboxEvent.Parked) {
            return Type.PUBSUB_MESSAGE_PARKED;
        } else if (event instanceof InboxEvent.Repaired) {
            return Type.PUBSUB_MESSAGE_REPAIRED;
        } else if (event instanceof InboxEvent.Discarded) {
            return Type.PUBSUB_MESSAGE_DISCARDED;
        } else if (event instanceof InboxEvent.ConsumerFailed) {
            return Type.PUBSUB_CONSUMER_FAILED;
        } else if (event instanceof InboxEvent.ConsumerRecovered) {
            return Type.PUBSUB_CONSUMER_RECOVERED;
        }
        return Type.PUBSUB_DOUBLE_SUBSCRIPTION;
    }
}
