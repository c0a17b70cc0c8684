package io.github.flowablepubsub.correlation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.flowable.eventsubscription.api.EventSubscription;
import org.flowable.eventsubscription.service.impl.persistence.entity.GenericEventSubscriptionEntityImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AmbiguityTest {

    private static final String DEFINITION = "auftrag-ausfuehrung:1:4711";

    private static EventSubscription candidate(@Nullable String instance, String definition) {
        GenericEventSubscriptionEntityImpl subscription = new GenericEventSubscriptionEntityImpl();
        subscription.setProcessInstanceId(instance);
        subscription.setProcessDefinitionId(definition);
        subscription.setExecutionId(instance == null ? null : "execution");
        subscription.setActivityId("warten");
        subscription.setCreated(Date.from(Instant.EPOCH));
        return subscription;
    }

    private static String describe(EventSubscription... candidates) {
        return Ambiguity.describe(List.of(candidates), one -> "Auftrag " + one.getProcessInstanceId());
    }

    @Test
    void aDoubleTokenIsToldFromTwoInstances() {
        assertThat(describe(candidate("i1", DEFINITION), candidate("i1", DEFINITION)))
                .startsWith("2 receivers of the same process definition match, 2 tokens of one instance: ")
                .contains("process instance i1 business key Auftrag i1 activity warten execution execution"
                        + " since 1970-01-01T00:00:00Z; process instance i1");
        assertThat(describe(candidate("i1", DEFINITION), candidate("i2", DEFINITION)))
                .startsWith("2 receivers of the same process definition match, 2 instances: ");
        assertThat(describe(candidate("i1", DEFINITION), candidate("i1", DEFINITION), candidate("i2", DEFINITION)))
                .startsWith("3 receivers of the same process definition match, 3 tokens of 2 instances: ");
        assertThat(describe(candidate("i1", DEFINITION), candidate(null, "andere:1:1")))
                .startsWith("2 receivers of 2 process definitions match, 1 instance and 1 start: ")
                .endsWith("start of andere:1:1 activity warten");
        assertThat(describe(candidate(null, DEFINITION), candidate(null, "andere:1:1")))
                .startsWith("2 receivers of 2 process definitions match, 2 starts: start of ");
    }

    @Test
    void atMostTwentyAreListedAndNoneOfThemInPart() {
        List<EventSubscription> many =
                IntStream.range(0, 1000).mapToObj(i -> candidate("i" + i, "d")).toList();
        List<String> asked = new ArrayList<>();
        String text = Ambiguity.describe(many, instance -> {
            asked.add(instance.getProcessInstanceId());
            return null;
        });
        assertThat(text)
                .startsWith("1000 receivers")
                .contains("process instance i19 ")
                .endsWith("; and 980 more");
        assertThat(asked).hasSize(20);
    }

    @Test
    void longKeysAreCutAndItFitsTheColumn() {
        List<EventSubscription> long20 = IntStream.range(0, 20)
                .mapToObj(i -> candidate("instance-" + "0".repeat(40) + i, "d"))
                .toList();
        String text = Ambiguity.describe(long20, instance -> "k".repeat(255));
        assertThat(text).hasSizeBetween(1700, 2000).endsWith(" more").doesNotContain("k".repeat(61));
    }
}
