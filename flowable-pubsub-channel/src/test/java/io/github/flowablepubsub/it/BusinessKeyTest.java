package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code deduplication.key}: a publisher that sends a message again, with a new Pub/Sub id, moves nothing twice. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BusinessKeyTest {

    private static final String EVENT =
            """
            {"key": "%s", "payload": [
               {"name": "auftragId", "type": "string", "correlationParameter": true},
               {"name": "ereignisId", "type": "string"}]}
            """;

    private final Lab lab = Lab.start(TestDatabase.POSTGRES);

    @BeforeAll
    void start() {
        for (String event : List.of("begonnen", "fertig")) {
            lab.node.deployEvents(Map.of(event + ".event", EVENT.formatted(event)));
        }
        channel("feld", "{\"deduplication\": {\"key\": \"payload:ereignisId\"}}");
        channel("egal", "{\"deduplication\": {\"key\": \"payload:ereignisId\", \"onConflict\": \"ignore\"}}");
        channel("attribut", "{\"deduplication\": {\"key\": \"attribute:ereignis\"}}");
        channel("schluessel", "{\"deduplication\": {\"key\": \"correlationKey\"}}");
        channel("direkt", "{\"ack\": \"afterCorrelation\", \"deduplication\": {\"key\": \"payload:ereignisId\"}}");
        lab.node.deployProcess(Models.chain(
                "zweimal",
                Models.catchEvent("eins", "begonnen"),
                Models.userTask("t1"),
                Models.catchEvent("zwei", "begonnen"),
                Models.userTask("t2")));
        lab.node.deployProcess(
                Models.chain("einmal", Models.catchEvent("warten", "begonnen"), Models.userTask("danach")));
        lab.node.deployProcess(Models.chain("ende", Models.catchEvent("warten", "fertig"), Models.userTask("danach")));
    }

    private void channel(String key, String policy) {
        lab.channel(key, policy, "{\"jsonField\": \"typ\"}");
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private static String body(String event, String order, String id, String text) {
        return "{\"typ\": \"%s\", \"auftragId\": \"%s\", \"ereignisId\": \"%s\", \"text\": \"%s\"}"
                .formatted(event, order, id, text);
    }

    private String publish(String channel, String order, String id, String text) {
        return lab.publish(channel, body("begonnen", order, id, text));
    }

    private InboxTable.Row row(String messageId) {
        return lab.inbox.rows("MESSAGE_ID_ = '" + messageId + "'").get(0);
    }

    private List<InboxTable.Row> rows(String order) {
        return lab.inbox.rows("CORRELATION_KEY_ = '" + order + "'");
    }

    private void acked(String channel) {
        lab.server.awaitEmpty(channel + "-sub", Duration.ofSeconds(60));
    }

    @Test
    void whatIsPublishedAgainIsCountedAndAcked() {
        String instance = lab.startOrder("zweimal", "f1");
        String first = publish("feld", "f1", "E1", "");
        lab.inbox.messageInState(first, "DONE");
        publish("feld", "f1", "E1", "");
        acked("feld");
        Lab.eventually("counted", () -> row(first).duplicates() == 1);
        assertThat(rows("f1")).hasSize(1);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    /** Visible, once, and the operator's to decide; the redelivery of the conflict is a duplicate like any other. */
    @Test
    void anotherBodyIsParkedAndCanBeDeliveredByHand() {
        lab.startOrder("einmal", "f2");
        lab.startOrder("einmal", "f2b");
        String first = publish("feld", "f2", "E2", "");
        lab.inbox.messageInState(first, "DONE");
        String second = publish("feld", "f2b", "E2", "anders");
        InboxTable.Row parked = lab.inbox.messageInState(second, "PARKED");
        assertThat(parked.reason()).isEqualTo("DUPLICATE_CONFLICT");
        assertThat(parked.attempts()).isZero();
        assertThat(parked.error())
                .isEqualTo("Message " + second + " has the same business key as message " + first + " (row "
                        + row(first).id() + "), which came first, but another body");
        lab.server.redeliver("feld-sub");
        publish("feld", "f2b", "E2", "anders");
        acked("feld");
        Lab.eventually("counted", () -> row(second).duplicates() >= 1);
        assertThat(rows("f2b")).hasSize(1);
        lab.inbox.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP"
                + " WHERE ID_ = " + parked.id());
        lab.inbox.messageInState(second, "DONE");
    }

    @Test
    void anotherBodyIsDroppedOnRequest() {
        lab.startOrder("zweimal", "i1");
        String first = publish("egal", "i1", "E3", "");
        lab.inbox.messageInState(first, "DONE");
        publish("egal", "i1", "E3", "anders");
        acked("egal");
        Lab.eventually("counted", () -> row(first).duplicates() == 1);
        assertThat(rows("i1")).hasSize(1);
    }

    @Test
    void theKeyMayBeAnAttribute_alsoOfWhatCantBeRead() {
        Map<String, String> attributes = Map.of("ereignis", "A1");
        String first = lab.publish("attribut", ByteString.copyFromUtf8("kaputt"), attributes);
        assertThat(lab.inbox.messageInState(first, "PARKED").reason()).isEqualTo("UNREADABLE");
        lab.publish("attribut", ByteString.copyFromUtf8("kaputt"), attributes);
        acked("attribut");
        Lab.eventually("counted", () -> row(first).duplicates() == 1);
        String other = lab.publish("attribut", ByteString.copyFromUtf8("anders kaputt"), attributes);
        assertThat(lab.inbox.messageInState(other, "PARKED").reason()).isEqualTo("DUPLICATE_CONFLICT");
    }

    /** "Started" and "completed" of one order are two messages. */
    @Test
    void theCorrelationKeyIsOfItsEvent() {
        lab.startOrder("einmal", "c1");
        lab.startOrder("ende", "c1");
        String started = publish("schluessel", "c1", "", "");
        String completed = lab.publish("schluessel", body("fertig", "c1", "", ""));
        lab.inbox.messageInState(started, "DONE");
        lab.inbox.messageInState(completed, "DONE");
        String again = lab.publish("schluessel", body("fertig", "c1", "x", ""));
        assertThat(lab.inbox.messageInState(again, "PARKED").error()).contains("as message " + completed);
    }

    @Test
    void withoutTheValueAMessageIsLikeNoOther() {
        lab.startOrder("einmal", "w1");
        lab.startOrder("einmal", "w2");
        String first = publish("feld", "w1", "", "");
        String second = publish("feld", "w2", "", "");
        lab.inbox.messageInState(first, "DONE");
        lab.inbox.messageInState(second, "DONE");
        assertThat(lab.database.strings("select MESSAGE_ID_ from FLW_PUBSUB_INBOX where DEDUP_KEY_ is null"
                        + " and MESSAGE_ID_ in ('" + first + "', '" + second + "')"))
                .hasSize(2);
    }

    /** With ack after correlation what would be parked goes back to Pub/Sub; what is the same is acked. */
    @Test
    void afterCorrelationADuplicateIsAckedAndAConflictIsNot() {
        lab.startOrder("zweimal", "d1");
        String first = publish("direkt", "d1", "E9", "");
        lab.inbox.messageInState(first, "DONE");
        publish("direkt", "d1", "E9", "");
        acked("direkt");
        assertThat(rows("d1")).hasSize(1);
        long nacks = lab.server.stats("direkt-sub").nacks();
        publish("direkt", "d1", "E9", "anders");
        Lab.eventually("nacked", () -> lab.server.stats("direkt-sub").nacks() > nacks);
        assertThat(rows("d1")).hasSize(1);
    }

    /** Each event is published twice at the same moment; either copy may reach either node first. */
    @Test
    void twoNodesStoreEachOnce() {
        int events = 100;
        try (Node second = lab.anotherNode()) {
            assertThat(second.pubsub.isRunning()).isTrue();
            Lab.eventually("two streams", () -> lab.server.stats("feld-sub").openStreams() == 2);
            for (int i = 0; i < events; i++) {
                publish("feld", "n" + i, "N" + i, "");
                publish("feld", "n" + i, "N" + i, "");
            }
            acked("feld");
        }
        assertThat(lab.inbox.rows("CORRELATION_KEY_ like 'n%'")).hasSize(events).noneMatch(row -> row.state()
                .equals("PARKED"));
    }
}
