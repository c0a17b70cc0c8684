package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What a parked {@code NO_MATCH} tells of cases, where there is a CMMN engine. */
@EnabledIf("io.github.flowablepubsub.it.CaseTest#isThere")
class CaseWhereaboutsTest {

    @Test
    void aCaseThatWaitsForAnotherEventWithTheKeyIsNamed() {
        try (CaseLab lab = new CaseLab(Map.of())) {
            lab.server.createTopic("faelle");
            lab.server.createSubscription("faelle-sub", "faelle");
            String policy = "{\"buffer\": {\"timeToLive\": \"PT0S\"}}";
            String detection = "{\"jsonField\": \"typ\"}";
            lab.node.deployEvents(Map.of(
                    "faelle.channel", Models.channel("faelle", "faelle-sub", policy, detection, ""),
                    "geliefert.event", Models.event("geliefert"),
                    "bezahlt.event", Models.event("bezahlt")));
            lab.deployCase(CaseTest.waiting("lieferung", "geliefert", "<humanTask id=\"danach\"/>"));
            String instance = lab.startCase("lieferung", "A-1");
            lab.startCase("lieferung", "A-2");

            String id = lab.server.publish("faelle", "{\"typ\": \"bezahlt\", \"auftragId\": \"A-1\"}", Map.of());
            InboxTable.Row row = lab.inbox.messageInState(id, "PARKED");
            assertThat(row.reason()).isEqualTo("NO_MATCH");
            assertThat(row.error())
                    .contains("Known of key A-1: case instance " + instance + " waits with plan item instance ")
                    .endsWith(" for event geliefert with this key");
        }
    }
}
