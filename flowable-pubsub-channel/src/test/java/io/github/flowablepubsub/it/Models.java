package io.github.flowablepubsub.it;

/** Channel, event and process of the article's order, in small. */
final class Models {

    private Models() {}

    static final String EVENT =
            """
            {"key": "auftragAbgeschlossen", "name": "Auftrag abgeschlossen",
             "payload": [
               {"name": "auftragId", "type": "string", "correlationParameter": true},
               {"name": "erledigtePositionen", "type": "integer"}]}
            """;

    static String channel(String subscription) {
        return channel(subscription, "{}");
    }

    static String channel(String subscription, String policy) {
        return """
                {"key": "auftragRueckmeldungen", "channelType": "inbound", "type": "pubsub",
                 "subscription": "%s", "policy": %s,
                 "channelEventKeyDetection": {"fixedValue": "auftragAbgeschlossen"}}
                """
                .formatted(subscription, policy);
    }

    /** Waits for the completion, then a user task. */
    static final String PROCESS = process("auftrag-ausfuehrung", catchEvent("warten"), "");

    static String process(String key, String steps, String more) {
        return """
                <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
                    xmlns:flowable="http://flowable.org/bpmn" targetNamespace="test">
                  <process id="%s">
                    <startEvent id="start"/>
                    <sequenceFlow sourceRef="start" targetRef="warten"/>
                    %s
                    <sequenceFlow sourceRef="warten" targetRef="rechnung"/>
                    <userTask id="rechnung" name="Rechnung"/>
                    <sequenceFlow sourceRef="rechnung" targetRef="end"/>
                    <endEvent id="end"/>
                    %s
                  </process>
                </definitions>
                """
                .formatted(key, steps, more);
    }

    static String catchEvent(String id) {
        return """
                <intermediateCatchEvent id="%s">
                  <extensionElements>
                    <flowable:eventType>auftragAbgeschlossen</flowable:eventType>
                    <flowable:eventCorrelationParameter name="auftragId" value="${auftragId}"/>
                    <flowable:eventOutParameter source="erledigtePositionen" target="erledigtePositionen"/>
                  </extensionElements>
                </intermediateCatchEvent>
                """
                .formatted(id);
    }

    static String completion(String auftragId, int positions) {
        return "{\"auftragId\": \"%s\", \"erledigtePositionen\": %d}".formatted(auftragId, positions);
    }
}
