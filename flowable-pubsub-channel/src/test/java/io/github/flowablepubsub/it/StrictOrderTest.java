package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code order: strict}: a waiting message holds back everything behind it in its key, whatever its event. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StrictOrderTest {

    private final HeldBackLab lab = new HeldBackLab(TestDatabase.POSTGRES);

    @BeforeAll
    void start() {
        lab.channel("streng", "{\"order\": \"strict\"}");
        lab.channel("kurz", "{\"order\": \"strict\", \"buffer\": {\"timeToLive\": \"PT1S\"}}");
        lab.channel(
                "kurzWarten",
                "{\"order\": \"strict\", \"buffer\": {\"timeToLive\": \"PT1S\"}, \"parking\": {\"laterMessages\": \"wait\"}}");
        lab.channel("umstellen", "{\"order\": \"strict\"}");
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    @Test
    void otherEventsAreHeldBackAndGoOnInOrderWhenTheSubscriptionComes() {
        lab.await("fertig", "s1");
        lab.await("fertig", "s2");
        lab.done(lab.publish("streng", "fertig", "s1", "0"));
        String head = lab.publish("streng", "begonnen", "s1", "1");
        lab.is(head, "WAITING", "NO_MATCH");
        String second = lab.publish("streng", "fertig", "s1", "2");
        lab.heldBack(second);
        String third = lab.publish("streng", "begonnen", "s1", "3");
        String fourth = lab.publish("streng", "fertig", "s1", "4");
        lab.heldBack(third, fourth);
        lab.done(lab.publish("streng", "fertig", "s2", "another order"));
        lab.await("begonnen", "s1");
        lab.done(head, second, third, fourth);
        assertThat(lab.diary.of("s1")).containsExactly("0", "1", "2", "3", "4");
        assertThat(lab.row(second).attempts()).as("looked up once").isEqualTo(1);
    }

    /** Those behind the head are looked at in the same transaction, and on PostgreSQL could be taken as they were read. */
    @Test
    void inABacklogNoneIsTakenPastTheOneThatWaits() {
        lab.await("fertig", "b1");
        List<String> ids = lab.atOnce(
                "streng",
                "b1",
                4,
                () -> List.of(
                        lab.publish("streng", "fertig", "b1", "1"),
                        lab.publish("streng", "begonnen", "b1", "2"),
                        lab.publish("streng", "fertig", "b1", "3"),
                        lab.publish("streng", "fertig", "b1", "4")));
        lab.done(ids.get(0));
        lab.is(ids.get(1), "WAITING", "NO_MATCH");
        lab.heldBack(ids.get(2), ids.get(3));
        lab.await("begonnen", "b1");
        lab.done(ids.toArray(String[]::new));
        assertThat(lab.diary.of("b1")).containsExactly("1", "2", "3", "4");
    }

    /** What was held back may itself have to wait: then it is the one that holds. */
    @Test
    void oneAfterTheOtherWaitsForItsSubscription() {
        String first = lab.publish("streng", "begonnen", "s3", "1");
        lab.is(first, "WAITING", "NO_MATCH");
        String second = lab.publish("streng", "fertig", "s3", "2");
        String third = lab.publish("streng", "begonnen", "s3", "3");
        lab.heldBack(second, third);
        lab.await("begonnen", "s3");
        lab.done(first);
        Lab.eventually("looked up", () -> "NO_MATCH".equals(lab.row(second).reason()));
        lab.heldBack(third);
        lab.await("fertig", "s3");
        lab.done(second, third);
        assertThat(lab.diary.of("s3")).containsExactly("1", "2", "3");
    }

    @Test
    void aHeadWhoseTimeToLiveEndsIsParkedAndTheRestGoesOn() {
        lab.await("fertig", "k1");
        String head = lab.publish("kurz", "begonnen", "k1", "1");
        lab.is(head, "WAITING", "NO_MATCH");
        String second = lab.publish("kurz", "fertig", "k1", "2");
        String third = lab.publish("kurz", "fertig", "k1", "3");
        lab.is(head, "PARKED", "NO_MATCH");
        lab.done(second, third);
        assertThat(lab.diary.of("k1")).containsExactly("2", "3");
    }

    @Test
    void whereLaterMessagesWaitTheyStayBehindTheParkedHeadUntilItIsRepaired() {
        lab.await("fertig", "kw1");
        String head = lab.publish("kurzWarten", "begonnen", "kw1", "1");
        String second = lab.publish("kurzWarten", "fertig", "kw1", "2");
        lab.is(head, "PARKED", "NO_MATCH");
        String third = lab.publish("kurzWarten", "fertig", "kw1", "3");
        lab.heldBack(second, third);
        lab.await("begonnen", "kw1");
        lab.repair(head);
        lab.done(head, second, third);
        assertThat(lab.diary.of("kw1")).containsExactly("1", "2", "3");
    }

    @Test
    void theRestGoesOnWhenAnOperatorTakesTheHeadAway() {
        lab.await("fertig", "s4");
        lab.await("fertig", "s5");
        String discarded = lab.publish("streng", "begonnen", "s4", "1");
        String deleted = lab.publish("streng", "begonnen", "s5", "1");
        lab.is(discarded, "WAITING", "NO_MATCH");
        lab.is(deleted, "WAITING", "NO_MATCH");
        String behindDiscarded = lab.publish("streng", "fertig", "s4", "2");
        String behindDeleted = lab.publish("streng", "fertig", "s5", "2");
        String last = lab.publish("streng", "fertig", "s5", "3");
        lab.heldBack(behindDiscarded, behindDeleted, last);
        lab.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'DISCARDED'", discarded);
        lab.sql("DELETE FROM FLW_PUBSUB_INBOX", deleted);
        lab.done(behindDiscarded, behindDeleted, last);
        assertThat(lab.diary.of("s4")).containsExactly("2");
        assertThat(lab.diary.of("s5")).containsExactly("2", "3");
    }

    /** It came late, from another consumer: it is older than what waits, and goes first. */
    @Test
    void anOlderMessageThatComesLateIsNotHeldBack() {
        lab.await("begonnen", "s6");
        String younger = lab.publish("streng", "fertig", "s6", "2");
        lab.is(younger, "WAITING", "NO_MATCH");
        String older = lab.publish("streng", "begonnen", "s6", "1");
        lab.heldBack(older);
        lab.sql("UPDATE FLW_PUBSUB_INBOX SET PUBLISHED_AT_ = PUBLISHED_AT_ - interval '1' hour", older);
        lab.done(older);
        lab.is(younger, "WAITING", "NO_MATCH");
        lab.await("fertig", "s6");
        lab.done(younger);
        assertThat(lab.diary.of("s6")).containsExactly("1", "2");
    }

    /** What is held back follows the definition that is deployed when it is looked at. */
    @Test
    void withAnotherOrderOtherEventsGoOn() {
        lab.await("fertig", "u1");
        String head = lab.publish("umstellen", "begonnen", "u1", "1");
        lab.is(head, "WAITING", "NO_MATCH");
        String other = lab.publish("umstellen", "fertig", "u1", "2");
        String same = lab.publish("umstellen", "begonnen", "u1", "3");
        lab.heldBack(other, same);
        lab.deploy("umstellen", "{}");
        lab.done(other);
        lab.heldBack(same);
        lab.is(head, "WAITING", "NO_MATCH");
    }
}
