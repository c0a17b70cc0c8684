package io.github.flowablepubsub.bench;

/** Channels, event and process of the benchmarks: an order waits for its completion. */
final class Models {

    static final String EVENT_KEY = "auftragAbgeschlossen";
    static final String CHANNEL = "rueckmeldungen";

    static final String EVENT =
            """
            {"key": "auftragAbgeschlossen", "payload": [
               {"name": "auftragId", "type": "string", "correlationParameter": true},
               {"name": "erledigtePositionen", "type": "integer"}]}
            """;

    /** Waits for the completion, then for a person: the instance stays. */
    static final String PROCESS =
            """
            <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
                xmlns:flowable="http://flowable.org/bpmn" targetNamespace="bench">
              <process id="auftrag">
                <startEvent id="start"/>
                <sequenceFlow sourceRef="start" targetRef="warten"/>
                <intermediateCatchEvent id="warten">
                  <extensionElements>
                    <flowable:eventType>auftragAbgeschlossen</flowable:eventType>
                    <flowable:eventCorrelationParameter name="auftragId" value="${auftragId}"/>
                    <flowable:eventOutParameter source="erledigtePositionen" target="erledigtePositionen"/>
                  </extensionElements>
                </intermediateCatchEvent>
                <sequenceFlow sourceRef="warten" targetRef="rechnung"/>
                <userTask id="rechnung"/>
                <sequenceFlow sourceRef="rechnung" targetRef="end"/>
                <endEvent id="end"/>
              </process>
            </definitions>
            """;

    /** Flow control of both sides: the client's default, 1000, lets at most 10,000 messages a second through. */
    static final long OUTSTANDING = Settings.number("outstanding", 10_000);

    private Models() {}

    /** Our channel. */
    static String channel(String key, String subscription) {
        return """
                {"key": "%s", "channelType": "inbound", "type": "pubsub", "subscription": "%s",
                 "consumer": {"maxOutstandingMessages": %d},
                 "channelEventKeyDetection": {"fixedValue": "auftragAbgeschlossen"}}
                """
                .formatted(key, subscription, OUTSTANDING);
    }

    /** Flowable's own inbound channel, fed by a bean {@code adapter}. */
    static final String STOCK_CHANNEL =
            """
            {"key": "stock", "channelType": "inbound", "type": "expression",
             "adapterDelegateExpression": "${adapter}", "deserializerType": "json",
             "channelEventKeyDetection": {"fixedValue": "auftragAbgeschlossen"}}
            """;

    static String completion(String order) {
        return "{\"auftragId\": \"%s\", \"erledigtePositionen\": 3}".formatted(order);
    }
}
