package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Pub/Sub says about a message, mapped to payload fields; frozen with the row. */
class MetadataTest {

    private static final String EVENT =
            """
            {"key": "gemeldet", "payload": [
               {"name": "auftragId", "type": "string", "correlationParameter": true},
               {"name": "nachricht", "type": "string"}, {"name": "zeit", "type": "string"},
               {"name": "millis", "type": "long"}, {"name": "reihe", "type": "string"},
               {"name": "versuch", "type": "integer"}, {"name": "herkunft", "type": "string"},
               {"name": "falscherTyp", "type": "integer"}]}
            """;

    private static final String OUTPUTS =
            """
            , "messageIdOutputName": "nachricht", "publishTimeOutputName": "%s", "orderingKeyOutputName": "reihe",
              "deliveryAttemptOutputName": "versuch", "deadLetterSourceSubscriptionOutputName": "herkunft",
              "deadLetterSourceSubscriptionProjectOutputName": "falscherTyp",
              "deadLetterSourceDeliveryCountOutputName": "gibtEsNicht"
            """;

    private static final String PROCESS = Models.chain(
            "melden",
            """
            <intermediateCatchEvent id="w"><extensionElements>
              <flowable:eventType>gemeldet</flowable:eventType>
              <flowable:eventCorrelationParameter name="auftragId" value="${auftragId}"/>
              <flowable:eventOutParameter source="nachricht" target="nachricht"/>
              <flowable:eventOutParameter source="zeit" target="zeit"/>
              <flowable:eventOutParameter source="millis" target="millis"/>
              <flowable:eventOutParameter source="reihe" target="reihe"/>
              <flowable:eventOutParameter source="versuch" target="versuch"/>
              <flowable:eventOutParameter source="herkunft" target="herkunft"/>
              <flowable:eventOutParameter source="falscherTyp" target="falscherTyp"/>
            </extensionElements></intermediateCatchEvent>
            """,
            Models.userTask("danach"));

    private static void channel(Lab lab, String key, String time, String order) {
        lab.server.createTopic(key);
        lab.server.createTopic(key + "-tot");
        lab.server.createSubscription(
                key + "-sub", key, SubscriptionOptions.ordered().withDeadLetterTopic(key + "-tot", 5));
        lab.node.deployEvents(Map.of(
                key + ".channel",
                Models.channel(
                        key,
                        key + "-sub",
                        "{\"order\": \"%s\"}".formatted(order),
                        "{\"fixedValue\": \"gemeldet\"}",
                        OUTPUTS.formatted(time))));
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void metadataIsPayload_asItWasWhenTheMessageWasStored(TestDatabase kind) {
        try (Lab lab = Lab.start(kind)) {
            lab.node.deployEvents(Map.of("m.event", EVENT)).deployProcess(PROCESS);
            channel(lab, "text", "zeit", "correlationKey");
            channel(lab, "zahl", "millis", "correlationKey");
            Instant before = Instant.now().minusSeconds(60);
            Map<String, String> dead = Map.of(
                    "CloudPubSubDeadLetterSourceSubscription", "quelle-sub",
                    "CloudPubSubDeadLetterSourceSubscriptionProject", "projekt");
            String id =
                    lab.server.publish("text", ByteString.copyFromUtf8("{\"auftragId\": \"a\"}"), dead, "tranche-7");
            lab.inbox.messageInState(id, "WAITING");
            String instance = lab.startOrder("melden", "a");
            lab.inbox.messageInState(id, "DONE");
            Map<String, Object> variables = lab.node.engine.getRuntimeService().getVariables(instance);
            assertThat(variables)
                    .containsEntry("nachricht", id)
                    .containsEntry("reihe", "tranche-7")
                    .containsEntry("versuch", 1)
                    .containsEntry("herkunft", "quelle-sub");
            assertThat(Instant.parse(String.valueOf(variables.get("zeit")))).isBetween(before, before.plusSeconds(120));
            assertThat(variables.get("millis")).isNull();
            assertThat(variables.get("falscherTyp")).isNull();

            String second = lab.publish("zahl", "{\"auftragId\": \"b\"}");
            String other = lab.startOrder("melden", "b");
            lab.inbox.messageInState(second, "DONE");
            Map<String, Object> numbers = lab.node.engine.getRuntimeService().getVariables(other);
            assertThat(Instant.ofEpochMilli(Long.parseLong(String.valueOf(numbers.get("millis")))))
                    .isBetween(before, before.plusSeconds(120));
            assertThat(numbers.get("millis")).isInstanceOf(Long.class);
            assertThat(numbers.get("reihe")).isNull();
        }
    }

    /** A correlation parameter may come from it: its value is in the frozen keys, and is found again from the row. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void theOrderingKeyCorrelates(TestDatabase kind) {
        try (Lab lab = Lab.start(kind)) {
            lab.node.deployEvents(Map.of("e.event", Models.event("gemeldet")));
            lab.node.deployProcess(Models.chain("melden", Models.catchEvent("w", "gemeldet"), Models.userTask("d")));
            lab.server.createTopic("reihe");
            lab.server.createSubscription("reihe-sub", "reihe", SubscriptionOptions.ordered());
            lab.node.deployEvents(Map.of(
                    "r.channel",
                    Models.channel(
                            "reihe",
                            "reihe-sub",
                            "{}",
                            "{\"fixedValue\": \"gemeldet\"}",
                            ", \"orderingKeyOutputName\": \"auftragId\"")));
            String id = lab.server.publish("reihe", ByteString.copyFromUtf8("{\"text\": \"x\"}"), Map.of(), "a-17");
            assertThat(lab.inbox.messageInState(id, "WAITING").correlationKey()).isEqualTo("a-17");
            String instance = lab.startOrder("melden", "a-17");
            lab.inbox.messageInState(id, "DONE");
            assertThat(lab.tasks(instance)).isEqualTo(1);
        }
    }
}
