package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code buffer.timeToLiveAttribute}: a message may say itself how long it is worth waiting for. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TimeToLiveTest {

    private final Lab lab = Lab.start(TestDatabase.POSTGRES);

    @BeforeAll
    void start() {
        lab.channel("eigene", "{\"buffer\": {\"timeToLive\": \"P1D\", \"timeToLiveAttribute\": \"frist\"}}");
        lab.channel("kurz", "{\"buffer\": {\"timeToLive\": \"PT0S\", \"timeToLiveAttribute\": \"frist\"}}");
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private String publish(String channel, String order, Map<String, String> attributes) {
        return lab.publish(channel, ByteString.copyFromUtf8(Models.completion(order, 1)), attributes);
    }

    /** Seconds from the look-up to the end, as the database has them. */
    private String waits(String messageId) {
        return lab.database
                .strings("select extract(epoch from EXPIRES_AT_ - RECEIVED_AT_)::bigint / 60 from FLW_PUBSUB_INBOX"
                        + " where MESSAGE_ID_ = '" + messageId + "'")
                .get(0);
    }

    @Test
    void eachMessageWaitsAsLongAsItSays() {
        String longer = publish("kurz", "t1", Map.of("frist", "PT5M"));
        String shorter = publish("eigene", "t2", Map.of("frist", "PT0S"));
        String channels = publish("eigene", "t3", Map.of());
        lab.inbox.messageInState(longer, "WAITING");
        lab.inbox.messageInState(channels, "WAITING");
        assertThat(lab.inbox.messageInState(shorter, "PARKED").error()).contains("its time to live of PT0S ended");
        assertThat(waits(longer)).isEqualTo("5");
        assertThat(waits(channels)).isEqualTo("1440");
    }

    /** Rule R8: it neither stops anything nor is it passed over in silence. */
    @Test
    void whatIsNoDurationLeavesTheChannels_andIsTold() {
        for (String value : new String[] {"bald", "-PT1S", "P99999D", "", "\u0000"}) {
            String id = publish("eigene", "u-" + value.length() + value.strip().hashCode(), Map.of("frist", value));
            InboxTable.Row row = lab.inbox.messageInState(id, "WAITING");
            assertThat(waits(id)).isEqualTo("1440");
            assertThat(row.error())
                    .contains("No subscription for event auftragAbgeschlossen")
                    .contains("its attribute frist = ", "does not count, it must be an ISO 8601 duration");
        }
    }

    /** Attributes that a repair broke are unreadable, like a body: parked, not tried for ever. */
    @Test
    void brokenAttributesDoNotKeepARowFromBeingParked() {
        String id = publish("eigene", "kaputt", Map.of("frist", "PT10M"));
        lab.inbox.messageInState(id, "WAITING");
        lab.inbox.sql("UPDATE FLW_PUBSUB_INBOX SET ATTRIBUTES_ = '{', STATE_ = 'OPEN', ATTEMPTS_ = 0,"
                + " NEXT_ATTEMPT_ = CURRENT_TIMESTAMP WHERE MESSAGE_ID_ = '" + id + "'");
        assertThat(lab.inbox.messageInState(id, "PARKED").reason()).isEqualTo("UNREADABLE");
    }
}
