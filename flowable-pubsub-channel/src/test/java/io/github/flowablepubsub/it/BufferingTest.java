package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.flowable.eventregistry.api.FlowableEventInfo;
import org.flowable.eventregistry.api.InboundEventFilter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Outcomes without a delivery: no match, unknown event, no correlation value, filtered. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BufferingTest {

    private static final String SHORT = "{\"buffer\": {\"timeToLive\": \"PT1S\"}}";

    private final Lab lab = Lab.start(TestDatabase.H2, Map.of("nurWichtige", new OnlyImportant()));

    /** Drops what the attribute {@code wichtig} does not mark. */
    private static final class OnlyImportant implements InboundEventFilter<Object> {
        @Override
        public boolean retain(String eventKey, FlowableEventInfo<Object> event) {
            return "ja".equals(event.getHeaders().get("wichtig"));
        }
    }

    @BeforeAll
    void start() {
        lab.channel("lang", "{}")
                .channel("kurz", SHORT)
                .channel("ohne", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}")
                .channel("feld", "{}", "{\"jsonField\": \"typ\"}")
                .channel("kurzesfeld", SHORT, "{\"jsonField\": \"typ\"}");
        lab.node.deployProcess(Models.PROCESS);
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    @Test
    void flowable4189_aMessageBeforeItsSubscriptionIsCorrelatedWhenThatCommits() {
        String id = lab.publish("lang", Models.completion("4189", 7));
        InboxTable.Row waiting = lab.inbox.messageInState(id, "WAITING");
        assertThat(waiting.reason()).isEqualTo("NO_MATCH");
        assertThat(waiting.attempts()).isEqualTo(1);
        String instance = lab.startOrder("auftrag-ausfuehrung", "4189");
        assertThat(lab.inbox.messageInState(id, "DONE").attempts()).isEqualTo(2);
        assertThat(lab.tasks(instance)).isEqualTo(1);
        assertThat(lab.inbox.count("select count(*) from FLW_PUBSUB_MATCH_KEY where INBOX_ID_ = " + waiting.id()))
                .as("match keys are forgotten")
                .isZero();
    }

    @Test
    void camunda11410And2795_anExpiredMessageIsParkedNotDropped() {
        long before = System.nanoTime();
        String id = lab.publish("kurz", Models.completion("11410", 1));
        lab.inbox.messageInState(id, "WAITING");
        InboxTable.Row row = lab.inbox.messageInState(id, "PARKED");
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofSeconds(1));
        assertThat(row.reason()).isEqualTo("NO_MATCH");
        assertThat(row.error()).contains("PT1S");
        String instance = lab.startOrder("auftrag-ausfuehrung", "11410");
        assertThat(lab.inbox.messageInState(id, "PARKED").attempts()).isEqualTo(row.attempts());
        assertThat(lab.tasks(instance)).as("parked means parked").isZero();
    }

    @Test
    void withoutBufferingTheFirstLookDecides() {
        String instance = lab.startOrder("auftrag-ausfuehrung", "ohne-da");
        String there = lab.publish("ohne", Models.completion("ohne-da", 1));
        String notThere = lab.publish("ohne", Models.completion("ohne-weg", 1));
        lab.inbox.messageInState(there, "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
        InboxTable.Row row = lab.inbox.messageInState(notThere, "PARKED");
        assertThat(row.reason()).isEqualTo("NO_MATCH");
        assertThat(row.attempts()).isEqualTo(1);
    }

    @Test
    void anUnknownEventWaitsForItsDeployment() {
        String id = lab.publish("feld", "{\"typ\": \"spaeter\", \"auftragId\": \"unbekannt\"}");
        InboxTable.Row row = lab.inbox.messageInState(id, "WAITING");
        assertThat(row.reason()).isEqualTo("NO_EVENT_DEFINITION");
        assertThat(row.eventKey()).isEqualTo("spaeter");
        lab.node.deployEvents(Map.of("s.event", Models.event("spaeter")));
        lab.node.deployProcess(
                Models.chain("spaeter", Models.catchEvent("warten", "spaeter"), Models.userTask("danach")));
        String instance = lab.startOrder("spaeter", "unbekannt");
        lab.inbox.messageInState(id, "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void anEventThatStaysUnknownIsParked() {
        String id = lab.publish("kurzesfeld", "{\"typ\": \"nie\"}");
        InboxTable.Row row = lab.inbox.messageInState(id, "PARKED");
        assertThat(row.reason()).isEqualTo("NO_EVENT_DEFINITION");
        assertThat(row.error()).contains("PT1S");
    }

    @Test
    void aMessageWithoutCorrelationValueIsParkedAtOnce() {
        for (String body : new String[] {"{}", "{\"auftragId\": null}", "{\"auftragId\": \" \"}"}) {
            InboxTable.Row row = lab.inbox.messageInState(lab.publish("lang", body), "PARKED");
            assertThat(row.reason()).as(body).isEqualTo("NO_CORRELATION_VALUE");
            assertThat(row.error()).contains("auftragId");
            assertThat(row.attempts()).isEqualTo(1);
            assertThat(row.correlationKey()).isNull();
        }
    }

    @Test
    void aFilteredMessageIsDiscardedWithItsReason() {
        lab.server.createTopic("gefiltert");
        lab.server.createSubscription("gefiltert-sub", "gefiltert");
        lab.node.deployEvents(Map.of(
                "g.channel",
                Models.channel(
                        "gefiltert",
                        "gefiltert-sub",
                        "{}",
                        Lab.FIXED,
                        ", \"eventFilterDelegateExpression\": \"${nurWichtige}\"")));
        String instance = lab.startOrder("auftrag-ausfuehrung", "gefiltert");
        ByteString body = ByteString.copyFromUtf8(Models.completion("gefiltert", 1));
        InboxTable.Row dropped =
                lab.inbox.messageInState(lab.publish("gefiltert", body, Map.of("wichtig", "nein")), "DISCARDED");
        assertThat(dropped.reason()).isEqualTo("FILTERED");
        assertThat(dropped.payload()).isEqualTo(body.toStringUtf8());
        assertThat(lab.tasks(instance)).isZero();
        lab.inbox.messageInState(lab.publish("gefiltert", body, Map.of("wichtig", "ja")), "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void anAttributeMayBeTheCorrelationParameter() {
        lab.node.deployEvents(Map.of(
                "k.event",
                "{\"key\": \"kopf\", \"payload\": [{\"name\": \"auftragId\", \"type\": \"string\","
                        + " \"header\": true, \"correlationParameter\": true}]}"));
        lab.channel("kopf", "{}", "{\"fixedValue\": \"kopf\"}");
        lab.node.deployProcess(Models.chain("kopf", Models.catchEvent("warten", "kopf"), Models.userTask("danach")));
        String instance = lab.startOrder("kopf", "im-kopf");
        String id = lab.publish("kopf", ByteString.EMPTY, Map.of("auftragId", "im-kopf"));
        assertThat(lab.inbox.messageInState(id, "DONE").correlationKey()).isEqualTo("im-kopf");
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void flowable12Parameters_tooManyCorrelationParametersAreRefusedInWords() {
        StringBuilder payload = new StringBuilder();
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            payload.append(i == 0 ? "" : ",")
                    .append("{\"name\": \"p" + i + "\", \"type\": \"string\", \"correlationParameter\": true}");
            body.append(i == 0 ? "" : ",").append("\"p" + i + "\": \"x\"");
        }
        lab.node.deployEvents(Map.of("v.event", "{\"key\": \"viele\", \"payload\": [" + payload + "]}"));
        lab.channel("viele", "{}", "{\"fixedValue\": \"viele\"}");
        InboxTable.Row row = lab.inbox.messageInState(lab.publish("viele", "{" + body + "}"), "PARKED");
        assertThat(row.reason()).isEqualTo("UNREADABLE");
        assertThat(row.error()).contains("12 correlation parameters", "at most 10");
        Awaitility.await().until(() -> lab.server.unacked("viele-sub") == 0);
    }
}
