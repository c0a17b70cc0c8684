package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code parking.laterMessages: wait}: a parked message holds back the later ones of its key until it is repaired or gone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LaterMessagesTest {

    private static final String WAIT = "\"parking\": {\"laterMessages\": \"wait\"}";

    private final HeldBackLab lab = new HeldBackLab(TestDatabase.POSTGRES);

    @BeforeAll
    void start() {
        lab.channel("warten", "{" + WAIT + "}");
        lab.channel("aufgeben", "{\"retry\": {\"giveUpAfter\": \"PT0S\"}, " + WAIT + "}");
        lab.channel("umstellen", "{" + WAIT + "}");
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    /** A message that is parked as ambiguous. */
    private record Parked(String message, String twin) {}

    private Parked parked(String channel, String event, String order, String text) {
        lab.await(event, order);
        String twin = lab.await(event, order);
        String message = lab.publish(channel, event, order, text);
        lab.is(message, "PARKED", "AMBIGUOUS");
        return new Parked(message, twin);
    }

    @Test
    void theRepairedOneGoesFirstThenThoseBehindIt_inOrderOverTheirEvents() {
        lab.await("fertig", "w1");
        Parked first = parked("warten", "begonnen", "w1", "1");
        String second = lab.publish("warten", "fertig", "w1", "2");
        lab.heldBack(second);
        String third = lab.publish("warten", "begonnen", "w1", "3");
        String fourth = lab.publish("warten", "fertig", "w1", "4");
        lab.heldBack(third, fourth);
        lab.await("fertig", "w2");
        lab.done(lab.publish("warten", "fertig", "w2", "another order"));
        lab.delete(first.twin());
        lab.repair(first.message());
        lab.done(first.message(), second, third, fourth);
        assertThat(lab.diary.of("w1")).containsExactly("1", "2", "3", "4");
    }

    /** Those behind the head are looked at in the same transaction, and on PostgreSQL could be taken as they were read. */
    @Test
    void inABacklogNoneIsTakenPastTheOneThatIsParked() {
        lab.await("fertig", "b1");
        String twin = lab.await("fertig", "b1");
        List<String> ids = lab.atOnce(
                "warten",
                "b1",
                4,
                () -> List.of(
                        lab.publish("warten", "fertig", "b1", "1"),
                        lab.publish("warten", "fertig", "b1", "2"),
                        lab.publish("warten", "fertig", "b1", "3"),
                        lab.publish("warten", "fertig", "b1", "4")));
        lab.is(ids.get(0), "PARKED", "AMBIGUOUS");
        lab.heldBack(ids.get(1), ids.get(2), ids.get(3));
        lab.delete(twin);
        lab.repair(ids.get(0));
        lab.done(ids.toArray(String[]::new));
        assertThat(lab.diary.of("b1")).containsExactly("1", "2", "3", "4");
    }

    @Test
    void oneThatIsParkedAgainHoldsThemAsBefore() {
        lab.await("fertig", "w3");
        Parked first = parked("warten", "begonnen", "w3", "1");
        String second = lab.publish("warten", "fertig", "w3", "2");
        lab.heldBack(second);
        lab.repair(first.message());
        lab.is(first.message(), "PARKED", "AMBIGUOUS");
        assertThat(lab.row(first.message()).attempts()).isEqualTo(1);
        String third = lab.publish("warten", "fertig", "w3", "3");
        lab.heldBack(third, second);
        assertThat(lab.diary.of("w3")).isEmpty();
    }

    @Test
    void discardedOrDeletedByAnOperatorItReleasesThem_andNobodyElsesAre() {
        Parked stays = parked("warten", "begonnen", "w4", "1");
        Parked discarded = parked("warten", "begonnen", "w5", "1");
        Parked deleted = parked("warten", "begonnen", "w6", "1");
        List<String> behind = new ArrayList<>();
        for (String order : List.of("w5", "w6", "w4")) {
            lab.await("fertig", order);
            behind.add(lab.publish("warten", "fertig", order, "2"));
            behind.add(lab.publish("warten", "begonnen", order, "3"));
            behind.add(lab.publish("warten", "fertig", order, "4"));
        }
        lab.heldBack(behind.toArray(String[]::new));
        List.of(stays, discarded, deleted).forEach(parked -> lab.delete(parked.twin()));
        lab.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'DISCARDED'", discarded.message());
        lab.sql("DELETE FROM FLW_PUBSUB_INBOX", deleted.message());
        lab.done(behind.subList(0, 6).toArray(String[]::new));
        assertThat(lab.diary.of("w5")).containsExactly("2", "3", "4");
        assertThat(lab.diary.of("w6")).containsExactly("2", "3", "4");
        lab.heldBack(behind.subList(6, 9).toArray(String[]::new));
    }

    @Test
    void aProcessThatIsGivenUpHoldsItsOrder() {
        lab.await("fertig", "g1");
        lab.diary.failing("g1", 1);
        String first = lab.publish("aufgeben", "fertig", "g1", "1");
        lab.is(first, "PARKED", "PROCESS_FAILED");
        String second = lab.publish("aufgeben", "fertig", "g1", "2");
        lab.heldBack(second);
        lab.repair(first);
        lab.done(first, second);
        assertThat(lab.diary.of("g1")).containsExactly("1", "2");
    }

    /** Waiting messages hold back their own event only, as everywhere; what is before the parked one goes on. */
    @Test
    void aWaitingMessageHoldsItsEventAndAParkedOneWhatIsBehindIt() {
        String first = lab.publish("warten", "begonnen", "w7", "1");
        lab.is(first, "WAITING", "NO_MATCH");
        String second = lab.publish("warten", "begonnen", "w7", "2");
        lab.heldBack(second);
        Parked third = parked("warten", "fertig", "w7", "3");
        String fourth = lab.publish("warten", "begonnen", "w7", "4");
        String fifth = lab.publish("warten", "fertig", "w7", "5");
        lab.heldBack(fourth, fifth);
        lab.await("begonnen", "w7");
        lab.done(first, second);
        lab.heldBack(fourth, fifth);
        lab.delete(third.twin());
        lab.repair(third.message());
        lab.done(third.message(), fourth, fifth);
        assertThat(lab.diary.of("w7")).containsExactly("1", "2", "3", "4", "5");
    }

    /** Repaired too early: what is before it comes first. */
    @Test
    void aRepairedOneWaitsForTheParkedOneBeforeIt() {
        Parked first = parked("warten", "begonnen", "w8", "1");
        String second = lab.publish("warten", "begonnen", "w8", "2");
        lab.heldBack(second);
        lab.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'PARKED', REASON_ = 'AMBIGUOUS'", second);
        lab.delete(first.twin());
        lab.repair(second);
        lab.heldBack(second);
        lab.repair(first.message());
        lab.done(first.message(), second);
        assertThat(lab.diary.of("w8")).containsExactly("1", "2");
    }

    @Test
    void withoutAnOrderKeyNothingIsBehindAnything() {
        for (int i = 0; i < 2; i++) {
            String message = lab.lab.publish("warten", "{\"typ\": \"fertig\", \"auftragId\": null}");
            lab.is(message, "PARKED", "NO_CORRELATION_VALUE");
        }
    }

    @Test
    void withAnotherPolicyTheyGoOn() {
        lab.await("fertig", "u1");
        Parked first = parked("umstellen", "begonnen", "u1", "1");
        String second = lab.publish("umstellen", "fertig", "u1", "2");
        String third = lab.publish("umstellen", "begonnen", "u1", "3");
        lab.heldBack(second, third);
        lab.delete(first.twin());
        lab.deploy("umstellen", "{\"parking\": {\"laterMessages\": \"continue\"}}");
        lab.done(second, third);
        lab.is(first.message(), "PARKED", "AMBIGUOUS");
    }
}
