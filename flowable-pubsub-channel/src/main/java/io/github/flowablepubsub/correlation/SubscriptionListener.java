package io.github.flowablepubsub.correlation;

import org.flowable.common.engine.api.delegate.event.FlowableEngineEventType;
import org.flowable.common.engine.api.delegate.event.FlowableEntityEvent;
import org.flowable.common.engine.api.delegate.event.FlowableEvent;
import org.flowable.common.engine.api.delegate.event.FlowableEventListener;
import org.flowable.common.engine.api.delegate.event.FlowableEventType;
import org.flowable.common.engine.impl.cfg.TransactionContext;
import org.flowable.common.engine.impl.cfg.TransactionState;
import org.flowable.common.engine.impl.cfg.standalone.StandaloneMybatisTransactionContext;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.eventsubscription.service.impl.persistence.entity.EventSubscriptionEntity;
import org.jspecify.annotations.Nullable;

/**
 * The engine's half of rule R6: tells of each new event subscription after its transaction committed. It never writes in
 * the user's thread: neither its time nor its connection nor a failure of ours is the user's.
 */
public final class SubscriptionListener implements FlowableEventListener {

    /** Hears of new subscriptions, in the committing thread; must neither block nor throw. */
    @FunctionalInterface
    public interface Target {
        /**
         * A subscription was committed.
         *
         * @param eventKey the event it waits for
         * @param configuration hash of its correlation, null when it takes every message of the event
         */
        void subscribed(String eventKey, @Nullable String configuration);
    }

    private final Target target;

    /** Tells this target. */
    public SubscriptionListener(Target target) {
        this.target = target;
    }

    /** The events to register it for. */
    public static FlowableEventType[] types() {
        return new FlowableEventType[] {FlowableEngineEventType.ENTITY_CREATED};
    }

    @Override
    public void onEvent(FlowableEvent event) {
        if (event instanceof FlowableEntityEvent created
                && created.getEntity() instanceof EventSubscriptionEntity subscription
                && subscription.getEventType() != null) {
            String eventKey = subscription.getEventType();
            String configuration = subscription.getConfiguration();
            TransactionContext transaction = Context.getTransactionContext();
            if (transaction == null) {
                target.subscribed(eventKey, configuration);
            } else if (transaction instanceof StandaloneMybatisTransactionContext) {
                Context.getCommandContext()
                        .addCloseListener(new AfterCommit(() -> target.subscribed(eventKey, configuration)));
            } else {
                transaction.addTransactionListener(
                        TransactionState.COMMITTED, context -> target.subscribed(eventKey, configuration));
            }
        }
    }

    @Override
    public boolean isFailOnException() {
        return false;
    }

    @Override
    public boolean isFireOnTransactionLifecycleEvent() {
        return false;
    }

    @Override
    public @Nullable String getOnTransaction() {
        return null;
    }
}
