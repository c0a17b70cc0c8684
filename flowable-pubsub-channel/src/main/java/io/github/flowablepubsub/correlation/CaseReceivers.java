package io.github.flowablepubsub.correlation;

import java.util.Collection;
import java.util.List;
import org.flowable.common.engine.api.scope.ScopeTypes;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.impl.consumer.CorrelationKey;
import org.flowable.eventsubscription.api.EventSubscription;
import org.jspecify.annotations.Nullable;

/** Receivers in cases. An app without a CMMN engine has none, and needs no class of it. Used inside an engine command. */
interface CaseReceivers {

    /** Whether it is a case that waits, or a case's start. */
    static boolean isCase(EventSubscription subscription) {
        return ScopeTypes.CMMN.equals(subscription.getScopeType());
    }

    /** Waiting plan items and case starts that could receive this event. */
    List<EventSubscription> find(EventInstance event, Collection<CorrelationKey> keys);

    /**
     * Delivers to one receiver.
     *
     * @return false when a unique start found its case
     * @throws SubscriptionGoneException when it moved on since the look-up
     * @throws StartLockedException when another thread or node is starting the unique case
     */
    boolean deliver(EventSubscription subscription, EventInstance event, Collection<CorrelationKey> keys);

    /** Key of a case definition, null when it is gone. */
    @Nullable
    String definitionKey(String caseDefinitionId);

    /** Null when it has none, or is gone. */
    @Nullable
    String businessKey(String caseInstanceId);
}
