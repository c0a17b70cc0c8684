package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.inbox.AfterCommit;
import java.util.function.Predicate;
import org.flowable.common.engine.api.delegate.event.FlowableEngineEventType;
import org.flowable.common.engine.api.delegate.event.FlowableEntityEvent;
import org.flowable.common.engine.api.delegate.event.FlowableEvent;
import org.flowable.common.engine.api.delegate.event.FlowableEventListener;
import org.flowable.common.engine.api.delegate.event.FlowableEventType;
import org.flowable.engine.impl.persistence.entity.ExecutionEntity;
import org.flowable.engine.impl.persistence.entity.ProcessDefinitionEntity;
import org.flowable.eventsubscription.service.impl.persistence.entity.EventSubscriptionEntity;
import org.flowable.eventsubscription.service.impl.persistence.entity.MessageEventSubscriptionEntity;
import org.flowable.variable.api.event.FlowableVariableEvent;
import org.jspecify.annotations.Nullable;

/**
 * The engine's half of rule R6: tells of each new event subscription, of each activated receiver, and of variables that plain
 * messages are found by, after their transaction committed. It never writes in the user's thread: neither its time nor its
 * connection nor a failure of ours is the user's.
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

        /** The activation of a suspended process definition, or a new message start event of it, was committed. */
        void definitionActivated(String processDefinitionId);

        /**
         * The subscription of a plain BPMN message was committed or activated, or a process variable that messages are found
         * by: messages may wait for this instance.
         */
        void instanceChanged(String processInstanceId);
    }

    private final Target target;
    private final Predicate<String> correlates;

    /**
     * Tells this target.
     *
     * @param correlates whether messages are found by a process variable of this name; asked for every variable that is set
     */
    public SubscriptionListener(Target target, Predicate<String> correlates) {
        this.target = target;
        this.correlates = correlates;
    }

    /** The events to register it for. */
    public static FlowableEventType[] types() {
        return new FlowableEventType[] {
            FlowableEngineEventType.ENTITY_CREATED,
            FlowableEngineEventType.ENTITY_ACTIVATED,
            FlowableEngineEventType.VARIABLE_CREATED,
            FlowableEngineEventType.VARIABLE_UPDATED
        };
    }

    @Override
    public void onEvent(FlowableEvent event) {
        if (event instanceof FlowableVariableEvent variable) {
            onVariable(variable);
        } else if (event instanceof FlowableEntityEvent about) {
            if (event.getType() == FlowableEngineEventType.ENTITY_ACTIVATED) {
                onActivated(about.getEntity());
            } else if (about.getEntity() instanceof EventSubscriptionEntity subscription) {
                onSubscribed(subscription);
            }
        }
    }

    private void onActivated(Object entity) {
        if (entity instanceof ExecutionEntity execution) {
            String id = execution.getId();
            String instance = execution.getProcessInstanceId();
            AfterCommit.run(() -> {
                target.executionActivated(id);
                target.instanceChanged(instance);
            });
        } else if (entity instanceof ProcessDefinitionEntity definition) {
            String id = definition.getId();
            AfterCommit.run(() -> target.definitionActivated(id));
        }
    }

    private void onSubscribed(EventSubscriptionEntity subscription) {
        String eventKey = subscription.getEventType();
        String instance = subscription.getProcessInstanceId();
        String definition = subscription.getProcessDefinitionId();
        if (!MessageEventSubscriptionEntity.EVENT_TYPE.equals(eventKey)) {
            if (eventKey != null) {
                String configuration = subscription.getConfiguration();
                AfterCommit.run(() -> target.subscribed(eventKey, configuration));
            }
        } else if (instance != null) {
            AfterCommit.run(() -> target.instanceChanged(instance));
        } else if (definition != null) {
            AfterCommit.run(() -> target.definitionActivated(definition));
        }
    }

    /** Of the instance itself, as no other counts. */
    private void onVariable(FlowableVariableEvent variable) {
        String instance = variable.getProcessInstanceId();
        if (instance != null
                && instance.equals(variable.getExecutionId())
                && variable.getTaskId() == null
                && correlates.test(variable.getVariableName())) {
            AfterCommit.run(() -> target.instanceChanged(instance));
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
