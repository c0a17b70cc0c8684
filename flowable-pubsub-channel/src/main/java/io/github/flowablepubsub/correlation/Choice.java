package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.Cardinality;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.flowable.eventsubscription.api.EventSubscription;

/**
 * Which of the subscriptions that match get the message, under the channel's cardinality.
 *
 * @param chosen who gets it when the choice is clear
 * @param ambiguous the candidates when there are more than the cardinality allows; else empty
 */
record Choice(List<EventSubscription> chosen, List<EventSubscription> ambiguous) {

    /**
     * Chooses. A subscription that names its correlation wins over one of the same definition without, which matches every
     * event of its type; with {@code all} both get it, as with Flowable's own channels.
     *
     * @param definition process definition key and tenant of a subscription
     */
    static Choice of(
            List<EventSubscription> matches, Cardinality cardinality, Function<EventSubscription, String> definition) {
        if (cardinality == Cardinality.ALL) {
            return new Choice(matches, List.of());
        }
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
        if (cardinality == Cardinality.ONE && chosen.size() + ambiguous.size() > 1) {
            ambiguous.addAll(chosen);
        }
        return ambiguous.isEmpty() ? new Choice(chosen, ambiguous) : new Choice(List.of(), ambiguous);
    }
}
