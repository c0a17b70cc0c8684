package io.github.flowablepubsub.correlation;

import java.util.Collection;
import java.util.List;
import org.flowable.cmmn.api.CmmnRuntimeService;
import org.flowable.cmmn.engine.CmmnEngineConfiguration;
import org.flowable.cmmn.engine.impl.eventregistry.CmmnEventRegistryEventConsumer;
import org.flowable.cmmn.engine.impl.persistence.entity.CaseInstanceEntity;
import org.flowable.common.engine.api.scope.ScopeTypes;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.db.DbSqlSession;
import org.flowable.eventregistry.api.EventConsumerInfo;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.impl.consumer.CorrelationKey;
import org.flowable.eventsubscription.api.EventSubscription;
import org.jspecify.annotations.Nullable;

/**
 * Flowable's own consumer for CMMN, with look-up and delivery taken apart as in {@link Receivers}. Its class is loaded only
 * where there is a CMMN engine.
 */
final class CmmnReceivers extends CmmnEventRegistryEventConsumer implements CaseReceivers {

    /** What {@code CmmnXmlConstants} calls it: the same word as in BPMN. */
    private static final String UNIQUE = "storeAsUniqueReferenceId";

    private final ThreadLocal<Boolean> started = ThreadLocal.withInitial(() -> false);

    private CmmnReceivers(CmmnEngineConfiguration engine) {
        super(engine);
    }

    /** On this CMMN engine. */
    static CaseReceivers of(Object cmmnEngineConfiguration) {
        return new CmmnReceivers((CmmnEngineConfiguration) cmmnEngineConfiguration);
    }

    @Override
    public List<EventSubscription> find(EventInstance event, Collection<CorrelationKey> keys) {
        return findEventSubscriptions(ScopeTypes.CMMN, event, keys).stream()
                .filter(subscription -> subscription.getSubScopeId() != null || isStart(subscription))
                .toList();
    }

    private static boolean isStart(EventSubscription subscription) {
        return subscription.getScopeDefinitionId() != null && subscription.getScopeId() == null;
    }

    @Override
    public boolean deliver(EventSubscription subscription, EventInstance event, Collection<CorrelationKey> keys) {
        String planItemInstanceId = subscription.getSubScopeId();
        if (planItemInstanceId != null) {
            requireStillThere(subscription, planItemInstanceId);
        } else if (!keys.isEmpty() && UNIQUE.equals(getStartCorrelationConfiguration(subscription))) {
            UniqueStarts.lock("case " + findDefinitionKeyById(subscription.getScopeDefinitionId()) + "@"
                    + subscription.getTenantId() + "#"
                    + getCorrelationKeyWithAllParameters(keys, event).getValue());
        }
        EventConsumerInfo info = new EventConsumerInfo(
                subscription.getId(), planItemInstanceId, subscription.getScopeDefinitionId(), ScopeTypes.CMMN);
        started.set(false);
        try {
            boolean taken = handleEventSubscription(
                    cmmnEngineConfiguration.getCmmnRuntimeService(), subscription, event, keys, info);
            if (!taken) {
                throw gone(subscription, "is not in a state to receive it");
            }
            if (info.isHasExistingInstancesForUniqueCorrelation()) {
                return false;
            }
            if (planItemInstanceId == null && !started.get()) {
                throw new StartLockedException("The unique start of case definition "
                        + subscription.getScopeDefinitionId() + " is locked by another thread or node");
            }
            return true;
        } finally {
            started.remove();
        }
    }

    /** See {@link Receivers}: the plan item's revision is guarded from here on. */
    private void requireStillThere(EventSubscription subscription, String planItemInstanceId) {
        boolean there =
                cmmnEngineConfiguration.getPlanItemInstanceEntityManager().findById(planItemInstanceId) != null
                        && Context.getCommandContext()
                                        .getSession(DbSqlSession.class)
                                        .getCustomMapper(SubscriptionMapper.class)
                                        .stillInCase(subscription.getId(), planItemInstanceId)
                                > 0;
        if (!there) {
            throw gone(subscription, "was gone at delivery");
        }
    }

    private static SubscriptionGoneException gone(EventSubscription subscription, String what) {
        return new SubscriptionGoneException("The subscription of event " + subscription.getEventType()
                + " at plan item instance " + subscription.getSubScopeId() + " of case instance "
                + subscription.getScopeId() + " " + what);
    }

    @Override
    protected void startCaseInstance(
            CmmnRuntimeService cmmnRuntimeService,
            EventSubscription subscription,
            EventInstance event,
            @Nullable CorrelationKey key) {
        started.set(true);
        super.startCaseInstance(cmmnRuntimeService, subscription, event, key);
    }

    @Override
    public @Nullable String definitionKey(String caseDefinitionId) {
        return findDefinitionKeyById(caseDefinitionId);
    }

    @Override
    public @Nullable String businessKey(String caseInstanceId) {
        CaseInstanceEntity instance =
                cmmnEngineConfiguration.getCaseInstanceEntityManager().findById(caseInstanceId);
        return instance == null ? null : instance.getBusinessKey();
    }
}
