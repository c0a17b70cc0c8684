package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.channel.ApplicationDefaults;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.List;
import java.util.Map;
import org.flowable.engine.delegate.JavaDelegate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code policy.events.KEY} over the channel's policy over the app's defaults, through real client and database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventPolicyTest {

    private static final String POLICY =
            """
            {"parking": {"onNoMatch": "park"},
             "events": {
               "verworfen": {"parking": {"onNoMatch": "discard"}},
               "gepuffert": {"buffer": {"timeToLive": "P1D"}},
               "alle": {"cardinality": "all"},
               "ungeduldig": {"retry": {"giveUpAfter": "PT0S"}}}}
            """;

    private static final JavaDelegate BROKEN = execution -> {
        throw new IllegalStateException("kaputt");
    };

    private final Lab lab = Lab.start(
            TestDatabase.POSTGRES.create(),
            Map.of("kaputt", BROKEN),
            ApplicationDefaults.of(Map.of("policy.buffer.timeToLive", "PT0S", "policy.parking.onNoMatch", "discard")));

    @BeforeAll
    void start() {
        for (String event : List.of("verworfen", "gepuffert", "alle", "ungeduldig")) {
            lab.node.deployEvents(Map.of(event + ".event", Models.event(event)));
        }
        lab.channel("gemischt", POLICY, "{\"jsonField\": \"typ\"}");
        lab.channel("still", "{}");
        for (String event : List.of("alle", "auftragAbgeschlossen")) {
            lab.node.deployProcess(
                    Models.chain("p-" + event, Models.catchEvent("warten", event), Models.userTask("danach")));
        }
        for (String event : List.of("ungeduldig", "auftragAbgeschlossen")) {
            lab.node.deployProcess(Models.chain(
                    "kaputt-" + event,
                    Models.catchEvent("warten", event),
                    Models.service("arbeit", "kaputt"),
                    Models.userTask("danach")));
        }
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private String publish(String event, String order) {
        return lab.publish("gemischt", "{\"typ\": \"%s\", \"auftragId\": \"%s\"}".formatted(event, order));
    }

    @Test
    void whatNobodyWaitsForFollowsItsEventThenTheFileThenTheApplication() {
        String event = publish("verworfen", "n1");
        String file = publish("auftragAbgeschlossen", "n2");
        String application = lab.publish("still", Models.completion("n3", 1));
        String buffered = publish("gepuffert", "n4");
        assertThat(lab.inbox.messageInState(event, "DISCARDED").reason()).isEqualTo("NO_MATCH");
        assertThat(lab.inbox.messageInState(file, "PARKED").reason()).isEqualTo("NO_MATCH");
        assertThat(lab.inbox.messageInState(application, "DISCARDED").reason()).isEqualTo("NO_MATCH");
        assertThat(lab.inbox.messageInState(buffered, "WAITING").reason()).isEqualTo("NO_MATCH");
    }

    @Test
    void eachEventHasItsCardinality() {
        String first = lab.startOrder("p-alle", "c1");
        String second = lab.startOrder("p-alle", "c1");
        lab.inbox.messageInState(publish("alle", "c1"), "DONE");
        assertThat(lab.tasks(first) + lab.tasks(second)).isEqualTo(2);
        lab.startOrder("p-auftragAbgeschlossen", "c1");
        lab.startOrder("p-auftragAbgeschlossen", "c1");
        InboxTable.Row ambiguous = lab.inbox.messageInState(publish("auftragAbgeschlossen", "c1"), "PARKED");
        assertThat(ambiguous.reason()).isEqualTo("AMBIGUOUS");
    }

    @Test
    void eachEventHasItsRetries() {
        lab.startOrder("kaputt-ungeduldig", "r1");
        lab.startOrder("kaputt-auftragAbgeschlossen", "r2");
        String patient = publish("auftragAbgeschlossen", "r2");
        String impatient = publish("ungeduldig", "r1");
        InboxTable.Row parked = lab.inbox.messageInState(impatient, "PARKED");
        assertThat(parked.reason()).isEqualTo("PROCESS_FAILED");
        assertThat(parked.attempts()).isEqualTo(1);
        Lab.eventually(
                "tried, and to be tried again",
                () -> lab.inbox
                                .rows("MESSAGE_ID_ = '" + patient
                                        + "' and STATE_ = 'OPEN' and REASON_ = 'PROCESS_FAILED'")
                                .size()
                        == 1);
    }
}
