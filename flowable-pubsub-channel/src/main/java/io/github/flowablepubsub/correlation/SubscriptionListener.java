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
import org.flowable.engine.impl.persistence.entity.ExecutionEntity;
import org.flowable.engine.impl.persistence.entity.ProcessDefinitionEntity;
import org.flowable.eventsubscription.service.impl.persistence.entity.EventSubscriptionEntity;
import org.jspecify.annotations.Nullable;

/**
 * The engine's half of rule R6: tells of each new event subscription, and of each activated receiver, after its transaction committed. It never writes in
 * the user's thread: neither its time nor its connection nor a failure of ours is the user's.
 */
public final class SubscriptionListener implements FlowableEventListener {

    /** Hears of new subscriptions, in the committing thread; must neither block nor throw. */
    public interface Target {
        /**
         * A subscription was committed.
         *
         * @param eventKey the event it waits for
         * @param configuration hash of its correlation, null when it takes every message of the event
         */
        void subscribed(String eventKey, @Nullable String configuration);

        /** The activation of a suspended execution was committed. */
        void executionActivated(String executionId);

        /** The activation of a suspended process definition was committed. */
        void definitionActivated(String processDefinitionId);
    }

    private final Target target;

    /** Tells this target. */
    public SubscriptionListener(Target target) {
        this.target = target;
    }

    /** The events to register it for. */
    public static FlowableEventType[] types() {
        return new FlowableEventType[] {FlowableEngineEventType.ENTITY_CREATED, FlowableEngineEventType.ENTITY_ACTIVATED
        };
    }

    @Override
    public void onEvent(FlowableEvent event) {
        if (!(event instanceof FlowableEntityEvent about)) {
            return;
        }
        Object entity = about.getEntity();
        if (event.getType() == FlowableEngineEventType.ENTITY_ACTIVATED) {
            if (entity instanceof ExecutionEntity execution) {
                String id = execution.getId();
                afterCommit(() -> target.executionActivated(id));
            } else if (entity instanceof ProcessDefinitionEntity definition) {
                String id = definition.getId();
                afterCommit(() -> target.definitionActivated(id));
            }
        } else if (entity instanceof EventSubscriptionEntity subscription && subscription.getEventType() != null) {
            String eventKey = subscription.getEventType();
            String configuration = subscription.getConfiguration();
            afterCommit(() -> target.subscribed(eventKey, configuration));
        }
    }

    private static void afterCommit(Runnable work) {
        TransactionContext transaction = Context.getTransactionContext();
        if (transaction == null) {
            work.run();
        } else if (transaction instanceof StandaloneMybatisTransactionContext) {
            Context.getCommandContext().addCloseListener(new AfterCommit(work));
        } else {
            transaction.addTransactionListener(TransactionState.COMMITTED, context -> work.run());
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
