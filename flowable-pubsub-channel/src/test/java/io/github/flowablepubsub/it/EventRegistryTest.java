package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.flowable.eventregistry.api.FlowableEventInfo;
import org.flowable.eventregistry.api.InboundEventKeyDetector;
import org.flowable.eventregistry.api.InboundEventTenantDetector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What events are made of: correlation parameters, headers, JSON and XML, as in any other channel of Flowable. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventRegistryTest {

    private static final String LAGER_EVENT =
            """
            {"key": "lager", "payload": [
              {"name": "kunde", "type": "string", "correlationParameter": true},
              {"name": "auftragId", "type": "string", "correlationParameter": true},
              {"name": "teil", "type": "integer", "correlationParameter": true}]}
            """;

    private final Lab lab = Lab.start(
            TestDatabase.H2,
            Map.of("artErkennen", new KeyOfAttribute(), "mandantErkennen", (InboundEventTenantDetector<Object>)
                    payload -> "nord"));

    /** Finds the event's key in an attribute. */
    private static final class KeyOfAttribute implements InboundEventKeyDetector<Object> {
        @Override
        public String detectEventDefinitionKey(Object payload) {
            throw new IllegalStateException("asked without the attributes");
        }

        @Override
        public String detectEventDefinitionKey(FlowableEventInfo<Object> event) {
            return String.valueOf(event.getHeaders().get("art"));
        }
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private String start(String processKey, Map<String, Object> variables) {
        return lab.node
                .engine
                .getRuntimeService()
                .startProcessInstanceByKey(processKey, variables)
                .getId();
    }

    private InboxTable.Row done(String messageId) {
        return lab.inbox.messageInState(messageId, "DONE");
    }

    /** A catch event with a correlation of these parameters, each with the variable of its name. */
    private static String catchEvent(String event, String... parameters) {
        StringBuilder correlation = new StringBuilder();
        for (String name : parameters) {
            correlation.append(
                    "<flowable:eventCorrelationParameter name=\"%s\" value=\"${%s}\"/>".formatted(name, name));
        }
        return "<intermediateCatchEvent id=\"warten\"><extensionElements><flowable:eventType>%s</flowable:eventType>%s"
                        .formatted(event, correlation)
                + "</extensionElements></intermediateCatchEvent>";
    }

    @Test
    void ofSeveralCorrelationParametersASubscriptionMayNameAny() {
        lab.node.deployEvents(Map.of("lager.event", LAGER_EVENT));
        lab.channel("lager", "{}", "{\"fixedValue\": \"lager\"}");
        for (String process : new String[] {"nach-kunde", "nach-teil", "nach-allem"}) {
            String[] parameters =
                    switch (process) {
                        case "nach-kunde" -> new String[] {"kunde"};
                        case "nach-teil" -> new String[] {"teil", "auftragId"};
                        default -> new String[] {"auftragId", "kunde", "teil"};
                    };
            lab.node.deployProcess(Models.chain(process, catchEvent("lager", parameters), Models.userTask("danach")));
        }
        String byCustomer = start("nach-kunde", Map.of("kunde", "k1"));
        String byPart = start("nach-teil", Map.of("teil", 7, "auftragId", "l1"));
        String byAll = start("nach-allem", Map.of("kunde", "k1", "auftragId", "l1", "teil", 7));
        String otherCustomer = start("nach-allem", Map.of("kunde", "k2", "auftragId", "l1", "teil", 7));
        InboxTable.Row row =
                done(lab.publish("lager", "{\"kunde\": \"k1\", \"auftragId\": \"l1\", \"teil\": 7, \"mehr\": 1}"));
        assertThat(row.correlationKey()).isEqualTo("auftragId=l1,kunde=k1,teil=7");
        assertThat(lab.tasks(byCustomer)).isEqualTo(1);
        assertThat(lab.tasks(byPart)).isEqualTo(1);
        assertThat(lab.tasks(byAll)).isEqualTo(1);
        assertThat(lab.tasks(otherCustomer)).isZero();
    }

    /** One that waits is found by a subscription for any subset of its parameters, and by no other. */
    @Test
    void aWaitingMessageIsFoundByAnySubsetOfItsParameters() {
        lab.node.deployEvents(Map.of("ware.event", LAGER_EVENT.replace("lager", "ware")));
        lab.channel("ware", "{}", "{\"fixedValue\": \"ware\"}");
        lab.node.deployProcess(Models.chain("wartet", catchEvent("ware", "teil", "kunde"), Models.userTask("danach")));
        String id = lab.publish("ware", "{\"kunde\": \"k1\", \"auftragId\": \"w1\", \"teil\": 3}");
        lab.inbox.messageInState(id, "WAITING");
        assertThat(lab.inbox.count("select count(*) from FLW_PUBSUB_MATCH_KEY where INBOX_ID_ = "
                        + lab.inbox.rows("MESSAGE_ID_ = '" + id + "'").get(0).id()))
                .as("seven subsets, and none")
                .isEqualTo(8);
        String other = start("wartet", Map.of("kunde", "k1", "teil", 4));
        String right = start("wartet", Map.of("kunde", "k1", "teil", 3));
        done(id);
        assertThat(lab.tasks(right)).isEqualTo(1);
        assertThat(lab.tasks(other)).isZero();
    }

    /** README: at most ten, which are 1,023 subsets; see flowable12Parameters in {@link BufferingTest} for more. */
    @Test
    void tenCorrelationParametersAreTheMost() {
        String payload = IntStream.range(0, 10)
                .mapToObj(i -> "{\"name\": \"p" + i + "\", \"type\": \"string\", \"correlationParameter\": true}")
                .collect(Collectors.joining(","));
        String body = IntStream.range(0, 10)
                .mapToObj(i -> "\"p" + i + "\": \"v" + i + "\"")
                .collect(Collectors.joining(",", "{", "}"));
        lab.node.deployEvents(Map.of("z.event", "{\"key\": \"zehn\", \"payload\": [" + payload + "]}"));
        lab.channel("zehn", "{}", "{\"fixedValue\": \"zehn\"}");
        lab.node.deployProcess(Models.chain("zehn", catchEvent("zehn", "p9", "p3"), Models.userTask("danach")));
        String early = lab.publish("zehn", body);
        lab.inbox.messageInState(early, "WAITING");
        String instance = start("zehn", Map.of("p9", "v9", "p3", "v3"));
        done(early);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void attributesArePayload_alsoOfAMessageWithoutBody() {
        lab.node.deployEvents(
                Map.of(
                        "s.event",
                        """
                {"key": "sendung", "payload": [
                  {"name": "auftragId", "type": "string", "correlationParameter": true, "header": true},
                  {"name": "spediteur", "type": "string", "header": true},
                  {"name": "gewicht", "type": "integer"}]}
                """));
        lab.channel("sendung", "{}", "{\"fixedValue\": \"sendung\"}");
        String receive =
                """
                <receiveTask id="warten"><extensionElements>
                  <flowable:eventType>sendung</flowable:eventType>
                  <flowable:eventCorrelationParameter name="auftragId" value="${auftragId}"/>
                  <flowable:eventOutParameter source="spediteur" target="wer"/>
                  <flowable:eventOutParameter source="gewicht" target="kilo"/>
                </extensionElements></receiveTask>
                """;
        lab.node.deployProcess(Models.chain("versand", receive, Models.userTask("danach")));
        String first = lab.startOrder("versand", "h1");
        String second = lab.startOrder("versand", "h2");
        done(lab.publish(
                "sendung",
                ByteString.copyFromUtf8("{\"gewicht\": 12, \"spediteur\": \"aus dem Rumpf\"}"),
                Map.of("auftragId", "h1", "spediteur", "Müller & Söhne")));
        done(lab.publish("sendung", ByteString.EMPTY, Map.of("auftragId", "h2", "spediteur", "Maier")));
        assertThat(variable(first, "wer")).isEqualTo("Müller & Söhne");
        assertThat(variable(first, "kilo")).isEqualTo(12);
        assertThat(variable(second, "wer")).isEqualTo("Maier");
        assertThat(variable(second, "kilo")).isNull();
    }

    private Object variable(String instance, String name) {
        return lab.node.engine.getRuntimeService().getVariable(instance, name);
    }

    @Test
    void xmlIsDetectedByXPath_keyAndPayload() {
        lab.server.createTopic("pfad");
        lab.server.createSubscription("pfad-sub", "pfad");
        lab.node.deployEvents(Map.of(
                "p.channel",
                Models.channel(
                        "pfad",
                        "pfad-sub",
                        "{}",
                        "{\"xmlXPathExpression\": \"/meldung/@art\"}",
                        ", \"deserializerType\": \"xml\"")));
        lab.node.deployProcess(Models.process("xml", Models.catchEvent("warten"), ""));
        String instance = lab.startOrder("xml", "x1");
        String id = lab.publish(
                "pfad",
                "<meldung art=\"auftragAbgeschlossen\"><auftragId>x1</auftragId>"
                        + "<erledigtePositionen>42</erledigtePositionen></meldung>");
        assertThat(done(id).eventKey()).isEqualTo("auftragAbgeschlossen");
        assertThat(variable(instance, "erledigtePositionen")).isEqualTo(42);
        String nothing = lab.publish("pfad", "<meldung><auftragId>x1</auftragId></meldung>");
        assertThat(lab.inbox.messageInState(nothing, "PARKED").reason()).isEqualTo("UNREADABLE");
        lab.server.awaitEmpty("pfad-sub", Duration.ofSeconds(60));
    }

    @Test
    void keyAndTenantMayBeDetectedByBeansOfTheApp() {
        lab.server.createTopic("bohne");
        lab.server.createSubscription("bohne-sub", "bohne");
        lab.node
                .events()
                .createDeployment()
                .tenantId("nord")
                .addEventDefinition("m.event", Models.event("mahnung"))
                .deploy();
        lab.node.deployEvents(Map.of(
                "b.channel",
                Models.channel(
                        "bohne",
                        "bohne-sub",
                        "{}",
                        "{\"delegateExpression\": \"${artErkennen}\"}",
                        ", \"channelEventTenantIdDetection\": {\"delegateExpression\": \"${mandantErkennen}\"}")));
        lab.node
                .engine
                .getRepositoryService()
                .createDeployment()
                .tenantId("nord")
                .addString(
                        "m.bpmn20.xml",
                        Models.chain("mahnen", Models.catchEvent("warten", "mahnung"), Models.userTask("danach")))
                .deploy();
        String instance = lab.node
                .engine
                .getRuntimeService()
                .startProcessInstanceByKeyAndTenantId("mahnen", Map.of("auftragId", "d1"), "nord")
                .getId();
        ByteString body = ByteString.copyFromUtf8("{\"auftragId\": \"d1\"}");
        InboxTable.Row row = done(lab.publish("bohne", body, Map.of("art", "mahnung")));
        assertThat(row.eventKey()).isEqualTo("mahnung");
        assertThat(row.orderKey()).isEqualTo("nord/d1");
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }
}
