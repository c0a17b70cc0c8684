package io.github.flowablepubsub.correlation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.flowable.eventsubscription.api.EventSubscription;

/**
 * Which of the subscriptions that match get the message, under the cardinality {@code onePerDefinition}.
 *
 * @param chosen one per process definition
 * @param ambiguous all candidates of the definitions that have more than one; empty when the choice is clear
 */
record Choice(List<EventSubscription> chosen, List<EventSubscription> ambiguous) {

    /**
     * Chooses. A subscription that names its correlation wins over one without, which matches every event of its type.
     *
     * @param definition process definition key and tenant of a subscription
     */
    static Choice of(List<EventSubscription> matches, Function<EventSubscription, String> definition) {
        Map<String, List<EventSubscription>> byDefinition =
                matches.stream().collect(Collectors.groupingBy(definition, LinkedHashMap::new, Collectors.toList()));
        List<EventSubscription> chosen = new ArrayList<>();
        List<EventSubscription> ambiguous = new ArrayList<>();
        byDefinition.values().forEach(all -> {
            List<EventSubscription> named =
                    all.stream().filter(s -> s.getConfiguration() != null).toList();
            List<EventSubscription> candidates = named.isEmpty() ? all : named;
            (candidates.size() == 1 ? chosen : ambiguous).addAll(candidates);
        });
        return new Choice(chosen, ambiguous);
    }

    /** The candidates in words, for whoever has to decide between them. */
    String describeAmbiguity() {
        long instances = ambiguous.stream()
                .map(EventSubscription::getProcessInstanceId)
                .distinct()
                .count();
        String kind = instances == 1 ? "tokens of one instance" : "receivers";
        return ambiguous.size() + " " + kind + " of the same process definition match: "
                + ambiguous.stream()
                        .map(s -> (s.getProcessInstanceId() == null
                                        ? "start of " + s.getProcessDefinitionId()
                                        : "process instance " + s.getProcessInstanceId() + " execution "
                                                + s.getExecutionId())
                                + " activity " + s.getActivityId() + " since "
                                + (s.getCreated() == null ? "?" : s.getCreated().toInstant()))
                        .collect(Collectors.joining("; "));
    }
}
