package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.MessageCorrelation;
import io.github.flowablepubsub.inbox.MessageMapper;
import io.github.flowablepubsub.inbox.VariableValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.db.DbSqlSession;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.flowable.engine.runtime.ProcessInstanceBuilder;
import org.flowable.eventsubscription.api.EventSubscription;
import org.flowable.eventsubscription.service.EventSubscriptionService;
import org.jspecify.annotations.Nullable;

/** Receivers of plain BPMN messages: waiting executions and start events. Used inside an engine command only. */
final class MessageReceivers {

    private final ProcessEngineConfigurationImpl engine;
    private final Receivers receivers;

    MessageReceivers(Receivers receivers) {
        this.engine = receivers.engine();
        this.receivers = receivers;
    }

    /**
     * Executions that wait for the message, of instances with this process variable.
     *
     * @param tenantId as with the event registry: without a tenant all do
     */
    List<EventSubscription> waiting(MessageCorrelation correlation, VariableValue value, @Nullable String tenantId) {
        List<String> ids = mapper()
                .receivers(
                        correlation.messageName(),
                        correlation.processDefinitionKey(),
                        correlation.variable(),
                        value,
                        blankToNull(tenantId))
                .stream()
                .filter(found -> value.text() == null || value.text().equals(found.text()))
                .map(MessageMapper.Receiver::subscriptionId)
                .toList();
        return subscriptions(ids);
    }

    /** The message start events of the process. */
    List<EventSubscription> starts(MessageCorrelation correlation, @Nullable String tenantId) {
        return subscriptions(
                mapper().starts(correlation.messageName(), correlation.processDefinitionKey(), blankToNull(tenantId)));
    }

    private List<EventSubscription> subscriptions(List<String> ids) {
        EventSubscriptionService service =
                engine.getEventSubscriptionServiceConfiguration().getEventSubscriptionService();
        List<EventSubscription> found = new ArrayList<>();
        for (String id : ids) {
            EventSubscription subscription = service.findById(id);
            if (subscription != null) { // else it moved on just now
                found.add(subscription);
            }
        }
        return found;
    }

    /** Delivers with the engine's own calls. */
    void deliver(EventSubscription to, Map<String, Object> variables) {
        String executionId = to.getExecutionId();
        if (executionId != null) {
            receivers.requireStillThere(to, executionId);
            engine.getRuntimeService().messageEventReceived(to.getEventName(), executionId, variables);
            return;
        }
        ProcessInstanceBuilder start = engine.getRuntimeService()
                .createProcessInstanceBuilder()
                .messageName(to.getEventName())
                .variables(variables);
        String tenantId = blankToNull(to.getTenantId());
        (tenantId == null ? start : start.tenantId(tenantId)).start();
    }

    private static @Nullable String blankToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static MessageMapper mapper() {
        return Context.getCommandContext().getSession(DbSqlSession.class).getCustomMapper(MessageMapper.class);
    }
}
