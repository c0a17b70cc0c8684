package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.inbox.Keys;
import java.util.List;
import java.util.stream.Collectors;
import org.flowable.eventsubscription.api.EventSubscription;
import org.jspecify.annotations.Nullable;

/** The receiver that a person has chosen, among those that could receive the message. */
final class Chosen {

    private static final int MAX_SHOWN = 20;

    private Chosen() {}

    /**
     * Picks it.
     *
     * @param id of its execution or process instance; in cases of its plan item instance or case instance
     * @throws NotReceivingException when none of them has this id, or several have
     */
    static EventSubscription of(List<EventSubscription> matches, String id) {
        List<EventSubscription> waiting = matches.stream()
                .filter(match -> execution(match) != null && instance(match) != null)
                .toList();
        List<EventSubscription> named =
                waiting.stream().filter(match -> id.equals(execution(match))).toList();
        if (named.isEmpty()) {
            named = waiting.stream().filter(match -> id.equals(instance(match))).toList();
        }
        if (named.size() == 1) {
            return named.get(0);
        }
        if (named.isEmpty()) {
            throw new NotReceivingException("Neither an execution nor an instance with id " + Keys.printable(id)
                    + " waits for this message now; "
                    + (waiting.isEmpty() ? "nothing does" : "these executions do: " + shown(waiting)));
        }
        throw new NotReceivingException(named.size() + " executions of instance " + Keys.printable(id)
                + " wait for this message; name one of them: " + shown(named));
    }

    private static String shown(List<EventSubscription> receivers) {
        return receivers.stream()
                        .limit(MAX_SHOWN)
                        .map(one -> execution(one) + " of instance " + instance(one) + " at activity "
                                + one.getActivityId())
                        .collect(Collectors.joining(", "))
                + (receivers.size() > MAX_SHOWN ? " and " + (receivers.size() - MAX_SHOWN) + " more" : "");
    }

    private static @Nullable String execution(EventSubscription one) {
        return CaseReceivers.isCase(one) ? one.getSubScopeId() : one.getExecutionId();
    }

    private static @Nullable String instance(EventSubscription one) {
        return CaseReceivers.isCase(one) ? one.getScopeId() : one.getProcessInstanceId();
    }
}
