package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.MessageKeys;
import io.github.flowablepubsub.inbox.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.flowable.common.engine.impl.history.HistoryLevel;
import org.flowable.engine.history.HistoricProcessInstance;
import org.flowable.engine.history.HistoricProcessInstanceQuery;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.flowable.engine.runtime.ProcessInstance;
import org.flowable.engine.runtime.ProcessInstanceQuery;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventsubscription.api.EventSubscription;
import org.flowable.eventsubscription.api.EventSubscriptionQuery;
import org.jspecify.annotations.Nullable;

/**
 * What the engine knows of the key of a message that nobody took, for whoever finds it parked: who waits for another event with
 * the same correlation, and which instances have one of its values as business key. Only by what the engine has an index for:
 * an instance that has the value in a variable alone is not found, nor a case by its business key. Used inside an engine command.
 */
final class Whereabouts {

    private static final int MAX_FOUND = 3;
    private static final int MAX_VALUES = 3;
    private static final int MAX_ACTIVITIES = 3;

    /** Column of business keys on every database. */
    private static final int MAX_BUSINESS_KEY = 255;

    private final ProcessEngineConfigurationImpl engine;

    Whereabouts(ProcessEngineConfigurationImpl engine) {
        this.engine = engine;
    }

    /**
     * Looks.
     *
     * @param configuration of a subscription that waits for all values of the event, null when it has none
     * @return a sentence for each thing found; empty when there is nothing
     */
    List<String> find(EventInstance event, @Nullable String configuration) {
        Set<String> instances = new TreeSet<>();
        List<String> found = new ArrayList<>();
        if (configuration != null) {
            for (EventSubscription other : waiting(configuration, event.getTenantId())) {
                instances.add(String.valueOf(other.getProcessInstanceId()));
                found.add(who(other) + " for event " + Keys.printable(other.getEventType()) + " with this key");
            }
        }
        Map<String, Object> values = MessageKeys.correlationValues(event);
        values.values().stream()
                .map(Object::toString)
                .filter(value -> value.length() <= MAX_BUSINESS_KEY)
                .distinct()
                .limit(MAX_VALUES)
                .forEach(value -> byBusinessKey(value, event.getTenantId(), instances, found));
        return found;
    }

    private static String who(EventSubscription subscription) {
        return CaseReceivers.isCase(subscription)
                ? "case instance " + subscription.getScopeId() + " waits with plan item instance "
                        + subscription.getSubScopeId()
                : "process instance " + subscription.getProcessInstanceId() + " waits at activity "
                        + subscription.getActivityId();
    }

    private List<EventSubscription> waiting(String configuration, @Nullable String tenantId) {
        EventSubscriptionQuery query =
                engine.getRuntimeService().createEventSubscriptionQuery().configuration(configuration);
        if (tenantId != null && !tenantId.isEmpty()) {
            query.tenantId(tenantId);
        }
        return query.orderByCreateDate().asc().listPage(0, MAX_FOUND).stream()
                .filter(subscription ->
                        subscription.getProcessInstanceId() != null || subscription.getSubScopeId() != null)
                .toList();
    }

    private void byBusinessKey(String value, @Nullable String tenantId, Set<String> seen, List<String> found) {
        for (ProcessInstance instance : running(value, tenantId)) {
            if (seen.add(instance.getId())) {
                List<String> at = engine.getRuntimeService().getActiveActivityIds(instance.getId());
                String more = at.size() > MAX_ACTIVITIES ? " and " + (at.size() - MAX_ACTIVITIES) + " more" : "";
                found.add("process instance " + instance.getId() + " of " + instance.getProcessDefinitionKey()
                        + " has it as business key and is at "
                        + String.join(", ", at.subList(0, Math.min(MAX_ACTIVITIES, at.size()))) + more);
            }
        }
        for (HistoricProcessInstance instance : ended(value, tenantId)) {
            if (seen.add(instance.getId())) {
                String deleted = instance.getDeleteReason() == null
                        ? "ended at activity " + Objects.requireNonNullElse(instance.getEndActivityId(), "?")
                        : "was deleted (" + Keys.printable(instance.getDeleteReason()) + ")";
                found.add("process instance " + instance.getId() + " of " + instance.getProcessDefinitionKey()
                        + " had it as business key and " + deleted + " on "
                        + instance.getEndTime().toInstant());
            }
        }
    }

    private List<ProcessInstance> running(String value, @Nullable String tenantId) {
        ProcessInstanceQuery query = engine.getRuntimeService().createProcessInstanceQuery();
        query.processInstanceBusinessKey(value);
        if (tenantId != null && !tenantId.isEmpty()) {
            query.processInstanceTenantId(tenantId);
        }
        return query.listPage(0, MAX_FOUND);
    }

    private List<HistoricProcessInstance> ended(String value, @Nullable String tenantId) {
        if (!engine.isDbHistoryUsed() || engine.getHistoryLevel() == HistoryLevel.NONE) {
            return List.of();
        }
        HistoricProcessInstanceQuery query = engine.getHistoryService().createHistoricProcessInstanceQuery();
        query.processInstanceBusinessKey(value).finished();
        if (tenantId != null && !tenantId.isEmpty()) {
            query.processInstanceTenantId(tenantId);
        }
        return query.orderByProcessInstanceEndTime().desc().listPage(0, MAX_FOUND);
    }
}
