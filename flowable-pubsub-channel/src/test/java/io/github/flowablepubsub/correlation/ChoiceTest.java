package io.github.flowablepubsub.correlation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.channel.Cardinality;
import java.util.List;
import org.flowable.eventsubscription.api.EventSubscription;
import org.flowable.eventsubscription.service.impl.persistence.entity.GenericEventSubscriptionEntityImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChoiceTest {

    private static int count;

    private static EventSubscription candidate(String definition, @Nullable String configuration) {
        GenericEventSubscriptionEntityImpl subscription = new GenericEventSubscriptionEntityImpl();
        subscription.setId(String.valueOf(++count)); // without one all are equal
        subscription.setProcessDefinitionId(definition);
        subscription.setConfiguration(configuration);
        return subscription;
    }

    private static Choice choose(Cardinality cardinality, EventSubscription... matches) {
        return Choice.of(List.of(matches), cardinality, EventSubscription::getProcessDefinitionId);
    }

    private final EventSubscription a1 = candidate("a", "key");
    private final EventSubscription a2 = candidate("a", "key");
    private final EventSubscription b = candidate("b", "key");
    private final EventSubscription aWithout = candidate("a", null);

    @Test
    void onePerDefinition() {
        assertThat(choose(Cardinality.ONE_PER_DEFINITION, a1)).isEqualTo(new Choice(List.of(a1), List.of()));
        assertThat(choose(Cardinality.ONE_PER_DEFINITION, a1, b)).isEqualTo(new Choice(List.of(a1, b), List.of()));
        assertThat(choose(Cardinality.ONE_PER_DEFINITION, a1, a2)).isEqualTo(new Choice(List.of(), List.of(a1, a2)));
    }

    /** None is chosen beside an ambiguous definition, and only its candidates are to be decided between. */
    @Test
    void oneAmbiguousDefinitionKeepsAllFromGettingIt() {
        assertThat(choose(Cardinality.ONE_PER_DEFINITION, b, a1, a2)).isEqualTo(new Choice(List.of(), List.of(a1, a2)));
    }

    @Test
    void oneAtAll() {
        assertThat(choose(Cardinality.ONE, a1)).isEqualTo(new Choice(List.of(a1), List.of()));
        assertThat(choose(Cardinality.ONE, a1, b)).isEqualTo(new Choice(List.of(), List.of(a1, b)));
        assertThat(choose(Cardinality.ONE, b, a1, a2)).isEqualTo(new Choice(List.of(), List.of(a1, a2, b)));
    }

    @Test
    void all() {
        assertThat(choose(Cardinality.ALL, a1, a2, b, aWithout))
                .isEqualTo(new Choice(List.of(a1, a2, b, aWithout), List.of()));
    }

    @Test
    void theOneThatNamesItsCorrelationWinsWithinItsDefinition() {
        assertThat(choose(Cardinality.ONE_PER_DEFINITION, aWithout, a1)).isEqualTo(new Choice(List.of(a1), List.of()));
        assertThat(choose(Cardinality.ONE, aWithout, a1)).isEqualTo(new Choice(List.of(a1), List.of()));
        assertThat(choose(Cardinality.ONE_PER_DEFINITION, aWithout, b))
                .isEqualTo(new Choice(List.of(aWithout, b), List.of()));
        assertThat(choose(Cardinality.ONE_PER_DEFINITION, aWithout, candidate("a", null))
                        .ambiguous())
                .hasSize(2);
    }
}
