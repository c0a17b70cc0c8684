package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.Map;
import org.flowable.engine.delegate.JavaDelegate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Why a message is where it is, in sentences, as a channel's real messages come there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExplainTest {

    private final Lab lab = Lab.start(TestDatabase.H2, Map.of("scheitert", (JavaDelegate) execution -> {
        throw new IllegalStateException("geheim");
    }));

    @BeforeAll
    void start() {
        String typed = "{\"jsonField\": \"typ\"}";
        lab.node.deployEvents(Map.of("a.event", Models.event("a"), "b.event", Models.event("b")));
        lab.channel("wartet", "{}", typed)
                .channel("sofort", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}", typed)
                .channel("streng", "{\"order\": \"strict\"}", typed)
                .channel(
                        "reihe",
                        "{\"buffer\": {\"timeToLive\": \"PT0S\"}, \"parking\": {\"laterMessages\": \"wait\"}}",
                        typed)
                .channel("bald", "{\"buffer\": {\"alarmAfter\": \"PT0.1S\"}}", typed)
                .channel("still", "{\"buffer\": {\"alarmAfter\": \"PT0S\"}}", typed)
                .channel("zurueck", "{\"retry\": {\"initialDelay\": \"PT1H\", \"maxDelay\": \"PT1H\"}}", typed);
        lab.node.deployProcess(Models.PROCESS);
        lab.node.deployProcess(Models.chain("fehler", Models.catchEvent("w", "a"), Models.service("s", "scheitert")));
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private InboxTable.Row publish(String channel, String event, String order, String state) {
        return lab.inbox.messageInState(
                lab.publish(channel, "{\"typ\": \"%s\", \"auftragId\": \"%s\"}".formatted(event, order)), state);
    }

    private String explain(InboxTable.Row row) {
        return String.join("\n", lab.node.pubsub.inbox().explain(row.id()));
    }

    @Test
    void aWaitingMessageNamesEventKeyAndEnd_andWhatItHoldsBackNamesIt() {
        InboxTable.Row first = publish("wartet", "a", "1", "WAITING");
        assertThat(explain(first))
                .contains(
                        "Message " + first.messageId() + " of channel wartet (row " + first.id() + ")",
                        "It is WAITING as NO_MATCH after 1 look-up.",
                        "waits for a subscription of event a with key 1",
                        "Its time to live ends at ",
                        "It waits since ",
                        "; the first look in vain after ");
        InboxTable.Row second = publish("wartet", "a", "1", "WAITING");
        assertThat(explain(second))
                .contains("It is behind row " + first.id() + " (message " + first.messageId()
                        + ", event a) of the same key,"
                        + " which is older and is WAITING as NO_MATCH. It is opened when that one is finished");
    }

    @Test
    void aWaitingMessageNamesItsAlarmAndTimerJob() {
        InboxTable.Row row = publish("bald", "a", "7", "WAITING");
        Lab.eventually("alarm", () -> explain(row).contains("Its timer job is "));
        InboxMessage message = lab.node.pubsub.inbox().get(row.id()).orElseThrow();
        assertThat(explain(row))
                .contains(
                        "It waits since " + message.waitingSince() + ", and raised the alarm at " + message.alarmedAt(),
                        "Its timer job is " + message.jobId() + ": moving it looks at the message now");
        assertThat(explain(publish("still", "a", "8", "WAITING"))).contains("; it raises no alarm");
    }

    @Test
    void strictOrderAndParkedMessagesHoldBackOtherEvents() {
        InboxTable.Row waits = publish("streng", "a", "2", "WAITING");
        assertThat(explain(publish("streng", "b", "2", "WAITING"))).contains("It is behind row " + waits.id() + " ");
        InboxTable.Row parked = publish("reihe", "a", "3", "PARKED");
        assertThat(explain(publish("reihe", "b", "3", "WAITING")))
                .contains("It is behind row " + parked.id() + " ", "is PARKED as NO_MATCH");
        assertThat(explain(parked)).contains("Later messages of its key wait for it");
    }

    @Test
    void aParkedMessageSaysWhyAndWhatToDo() {
        InboxTable.Row row = publish("sofort", "a", "4", "PARKED");
        assertThat(explain(row))
                .contains(
                        "It is PARKED as NO_MATCH",
                        "See whether its instance ended, never started, or has another key",
                        "Its dead-letter job is ",
                        "No subscription for event a that matches");
    }

    @Test
    void oneThatBacksOffSaysUntilWhen_andIsAheadOfTheNext_withoutItsBodysWords() {
        lab.startOrder("fehler", "5");
        InboxTable.Row first = publish("zurueck", "a", "5", "OPEN");
        Lab.eventually("failed", () -> explain(first).contains("It backs off: the next attempt is at "));
        assertThat(explain(first))
                .contains("see LAST_ERROR_ of row " + first.id())
                .doesNotContain("geheim");
        assertThat(explain(publish("zurueck", "b", "5", "OPEN")))
                .contains("It is behind row " + first.id() + " ", "It goes first.");
    }

    @Test
    void aFinishedMessageSaysSo_andAnUnknownChannelIsNamed() {
        lab.channel("fest", "{}");
        lab.startOrder("auftrag-ausfuehrung", "6");
        InboxTable.Row row = publish("fest", "egal", "6", "DONE");
        assertThat(explain(row)).contains("It was delivered at ", "There is nothing to do.");
        lab.inbox.sql("update FLW_PUBSUB_INBOX set CHANNEL_KEY_ = 'fort', STATE_ = 'PARKED', REASON_ = 'eigener'"
                + " where ID_ = " + row.id());
        assertThat(explain(row))
                .contains("This node knows no channel fort", "Its reason is unknown to this version (eigener)");
    }
}
