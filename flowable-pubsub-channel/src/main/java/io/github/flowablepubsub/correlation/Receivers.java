package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.MessageKeys;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.LaneMapper;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.flowable.bpmn.constants.BpmnXMLConstants;
import org.flowable.common.engine.api.scope.ScopeTypes;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.db.DbSqlSession;
import org.flowable.common.engine.impl.persistence.entity.Entity;
import org.flowable.engine.RuntimeService;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.flowable.engine.impl.eventregistry.BpmnEventRegistryEventConsumer;
import org.flowable.engine.impl.persistence.entity.ExecutionEntity;
import org.flowable.engine.impl.persistence.entity.ProcessDefinitionEntity;
import org.flowable.eventregistry.api.EventConsumerInfo;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.impl.consumer.CorrelationKey;
import org.flowable.eventsubscription.api.EventSubscription;
import org.jspecify.annotations.Nullable;

/**
 * Flowable's own consumer for BPMN, with look-up and delivery taken apart, so that the number of matches is known before
 * anything is triggered. Used inside an engine command only.
 */
public final class Receivers extends BpmnEventRegistryEventConsumer {

    /** More parameters mean more than a thousand keys in one query: every subset is one. */
    static final int MAX_CORRELATION_PARAMETERS = 10;

    private final ThreadLocal<Boolean> started = ThreadLocal.withInitial(() -> false);

    /** On the process engine. */
    public Receivers(ProcessEngineConfigurationImpl engine) {
        super(engine);
    }

    /** Correlation keys of the parameters that have a value: one per subset. */
    Collection<CorrelationKey> correlationKeys(EventInstance event) {
        return generateCorrelationKeys(MessageKeys.present(event));
    }

    /** The configurations that a matching subscription has. */
    static Set<String> configurations(Collection<CorrelationKey> keys) {
        return keys.stream().map(CorrelationKey::getValue).collect(Collectors.toSet());
    }

    /** Everything that could receive this event: waiting executions and start events. */
    List<EventSubscription> find(EventInstance event, Collection<CorrelationKey> keys) {
        return findEventSubscriptions(ScopeTypes.BPMN, event, keys).stream()
                .filter(subscription -> subscription.getExecutionId() != null || isStart(subscription))
                .toList();
    }

    /** Whether a delivery in this transaction has removed it. */
    static boolean isGone(EventSubscription subscription) {
        return subscription instanceof Entity entity && entity.isDeleted();
    }

    static boolean isStart(EventSubscription subscription) {
        return subscription.getProcessDefinitionId() != null && subscription.getProcessInstanceId() == null;
    }

    /**
     * Whether the engine would refuse to move it. A suspended definition stops starts only: its running instances go on, as
     * elsewhere in Flowable. Loads what the delivery needs anyway, and guards its revision: a suspension after it makes the
     * commit fail.
     */
    boolean isSuspended(EventSubscription subscription) {
        String executionId = subscription.getExecutionId();
        if (executionId != null) {
            ExecutionEntity execution =
                    processEngineConfiguration.getExecutionEntityManager().findById(executionId);
            return execution != null && execution.isSuspended();
        }
        ProcessDefinitionEntity definition = processEngineConfiguration
                .getProcessDefinitionEntityManager()
                .findById(subscription.getProcessDefinitionId());
        return definition != null && definition.isSuspended();
    }

    /** What is known of the key of an event that nobody waits for. */
    List<String> whereabouts(EventInstance event) {
        boolean keyed = !MessageKeys.present(event).isEmpty();
        return new Whereabouts(processEngineConfiguration)
                .find(
                        event,
                        keyed
                                ? getCorrelationKeyWithAllParameters(correlationKeys(event), event)
                                        .getValue()
                                : null);
    }

    /** Null when it has none, or is gone. */
    @Nullable
    String businessKey(String processInstanceId) {
        ExecutionEntity instance =
                processEngineConfiguration.getExecutionEntityManager().findById(processInstanceId);
        return instance == null ? null : instance.getBusinessKey();
    }

    /**
     * Delivers to one receiver.
     *
     * @return false when a unique start found its instance
     * @throws SubscriptionGoneException when it moved on since the look-up
     */
    boolean deliver(EventSubscription subscription, EventInstance event, Collection<CorrelationKey> keys) {
        String executionId = subscription.getExecutionId();
        if (executionId != null) {
            requireStillThere(subscription, executionId);
        } else {
            lockUniqueStart(subscription, event, keys);
        }
        EventConsumerInfo info = new EventConsumerInfo(
                subscription.getId(), executionId, subscription.getProcessDefinitionId(), ScopeTypes.BPMN);
        started.set(false);
        try {
            handleEventSubscription(processEngineConfiguration.getRuntimeService(), subscription, event, keys, info);
            if (info.isHasExistingInstancesForUniqueCorrelation()) {
                return false;
            }
            if (executionId == null && !started.get()) {
                throw new StartLockedException("The unique start of process definition "
                        + subscription.getProcessDefinitionId() + " is locked by another thread or node");
            }
            return true;
        } finally {
            started.remove();
        }
    }

    /**
     * Loads the execution first, which guards its revision from here on, then looks whether this subscription still hangs
     * on it. Whoever moves the instance meanwhile either wins before the look, or makes the commit fail.
     */
    private void requireStillThere(EventSubscription subscription, String executionId) {
        boolean there = processEngineConfiguration.getExecutionEntityManager().findById(executionId) != null
                && Context.getCommandContext()
                                .getSession(DbSqlSession.class)
                                .getCustomMapper(SubscriptionMapper.class)
                                .stillThere(subscription.getId(), executionId)
                        > 0;
        if (!there) {
            throw new SubscriptionGoneException("The subscription of event " + subscription.getEventType()
                    + " at activity " + subscription.getActivityId() + " of process instance "
                    + subscription.getProcessInstanceId() + " was gone at delivery");
        }
    }

    /**
     * Holds a row of our own until the commit: the engine gives its lock for a unique start back before, and two messages of
     * one key in different channels would start two instances.
     *
     * @throws StartLockedException when another transaction is starting it
     */
    private void lockUniqueStart(EventSubscription subscription, EventInstance event, Collection<CorrelationKey> keys) {
        if (keys.isEmpty()
                || !BpmnXMLConstants.START_EVENT_CORRELATION_STORE_AS_UNIQUE_REFERENCE_ID.equals(
                        getStartCorrelationConfiguration(subscription))) {
            return;
        }
        String key = Keys.indexed(findDefinitionKeyById(subscription.getProcessDefinitionId()) + "@"
                + subscription.getTenantId() + "#"
                + getCorrelationKeyWithAllParameters(keys, event).getValue());
        LaneMapper locks =
                Context.getCommandContext().getSession(DbSqlSession.class).getCustomMapper(LaneMapper.class);
        if (locks.existing(ChannelId.UNIQUE_STARTS, List.of(key)).isEmpty()) {
            create(locks, key);
        } else if (locks.lock(Lane.of(ChannelId.UNIQUE_STARTS, key)).isEmpty()) {
            throw new StartLockedException("Another transaction is starting the unique instance " + key);
        }
    }

    private static void create(LaneMapper locks, String key) {
        try {
            locks.create(ChannelId.UNIQUE_STARTS, List.of(key));
        } catch (RuntimeException e) {
            throw DatabaseFailures.isDuplicateKey(e)
                    ? new StartLockedException("Another transaction has just started the unique instance " + key)
                    : e;
        }
    }

    @Override
    protected void startProcessInstance(
            RuntimeService runtimeService,
            EventSubscription subscription,
            EventInstance event,
            @Nullable CorrelationKey key) {
        started.set(true);
        super.startProcessInstance(runtimeService, subscription, event, key);
    }
}
