package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.MessageKeys;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flowable.bpmn.constants.BpmnXMLConstants;
import org.flowable.common.engine.api.scope.ScopeTypes;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.db.DbSqlSession;
import org.flowable.common.engine.impl.interceptor.EngineConfigurationConstants;
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
 * Flowable's own consumer for BPMN (and through {@link CaseReceivers} that for CMMN), with look-up and delivery taken apart, so that the number of matches is known before
 * anything is triggered. Used inside an engine command only.
 */
public final class Receivers extends BpmnEventRegistryEventConsumer {

    /** More parameters mean more than a thousand keys in one query: every subset is one. */
    static final int MAX_CORRELATION_PARAMETERS = 10;

    private volatile @Nullable CaseReceivers cases;

    private final ThreadLocal<Boolean> started = ThreadLocal.withInitial(() -> false);

    /** On the process engine. */
    public Receivers(ProcessEngineConfigurationImpl engine) {
        super(engine);
    }

    ProcessEngineConfigurationImpl engine() {
        return processEngineConfiguration;
    }

    /** Correlation keys of the parameters that have a value: one per subset. */
    Collection<CorrelationKey> correlationKeys(EventInstance event) {
        return generateCorrelationKeys(MessageKeys.present(event));
    }

    /** The configurations that a matching subscription has. */
    static Set<String> configurations(Collection<CorrelationKey> keys) {
        return keys.stream().map(CorrelationKey::getValue).collect(Collectors.toSet());
    }

    /** Everything that could receive this event: waiting executions, start events, and the same of cases. */
    List<EventSubscription> find(EventInstance event, Collection<CorrelationKey> keys) {
        Stream<EventSubscription> processes = findEventSubscriptions(ScopeTypes.BPMN, event, keys).stream()
                .filter(subscription -> subscription.getExecutionId() != null || isStart(subscription));
        CaseReceivers inCases = cases();
        return (inCases == null ? processes : Stream.concat(processes, inCases.find(event, keys).stream())).toList();
    }

    /** Of the CMMN engine beside this one, which may be built after it; null when there is none. */
    private @Nullable CaseReceivers cases() {
        if (cases == null) {
            Object engine = processEngineConfiguration
                    .getEngineConfigurations()
                    .get(EngineConfigurationConstants.KEY_CMMN_ENGINE_CONFIG);
            cases = engine == null ? null : CmmnReceivers.of(engine);
        }
        return cases;
    }

    /** Key and tenant of the process or case definition that a receiver is of. */
    String definition(EventSubscription subscription) {
        boolean isCase = CaseReceivers.isCase(subscription);
        String id = isCase ? subscription.getScopeDefinitionId() : subscription.getProcessDefinitionId();
        String key = isCase ? Objects.requireNonNull(cases()).definitionKey(id) : findDefinitionKeyById(id);
        return (isCase ? "case " : "") + (key == null ? id : key) + "@" + subscription.getTenantId();
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
        if (CaseReceivers.isCase(subscription)) {
            return false; // CMMN knows no suspended instances
        }
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

    /** Of a candidate's instance; null when it has none, or is gone. */
    @Nullable
    String businessKey(EventSubscription candidate) {
        if (CaseReceivers.isCase(candidate)) {
            return Objects.requireNonNull(cases()).businessKey(candidate.getScopeId());
        }
        ExecutionEntity instance =
                processEngineConfiguration.getExecutionEntityManager().findById(candidate.getProcessInstanceId());
        return instance == null ? null : instance.getBusinessKey();
    }

    /**
     * Delivers to one receiver.
     *
     * @return false when a unique start found its instance
     * @throws SubscriptionGoneException when it moved on since the look-up
     */
    boolean deliver(EventSubscription subscription, EventInstance event, Collection<CorrelationKey> keys) {
        if (CaseReceivers.isCase(subscription)) {
            return Objects.requireNonNull(cases()).deliver(subscription, event, keys);
        }
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
    void requireStillThere(EventSubscription subscription, String executionId) {
        boolean there = processEngineConfiguration.getExecutionEntityManager().findById(executionId) != null
                && Context.getCommandContext()
                                .getSession(DbSqlSession.class)
                                .getCustomMapper(SubscriptionMapper.class)
                                .stillThere(subscription.getId(), executionId)
                        > 0;
        if (!there) {
            String awaited = subscription.getEventName() == null
                    ? "event " + subscription.getEventType()
                    : "message " + subscription.getEventName();
            throw new SubscriptionGoneException("The subscription of " + awaited
                    + " at activity " + subscription.getActivityId() + " of process instance "
                    + subscription.getProcessInstanceId() + " was gone at delivery");
        }
    }

    private void lockUniqueStart(EventSubscription subscription, EventInstance event, Collection<CorrelationKey> keys) {
        if (!keys.isEmpty()
                && BpmnXMLConstants.START_EVENT_CORRELATION_STORE_AS_UNIQUE_REFERENCE_ID.equals(
                        getStartCorrelationConfiguration(subscription))) {
            UniqueStarts.lock(findDefinitionKeyById(subscription.getProcessDefinitionId()) + "@"
                    + subscription.getTenantId() + "#"
                    + getCorrelationKeyWithAllParameters(keys, event).getValue());
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
