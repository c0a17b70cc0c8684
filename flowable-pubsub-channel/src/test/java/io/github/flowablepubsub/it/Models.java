package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

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

    /** Any channel; {@code more} are further properties, each with a comma in front. */
    static String channel(String key, String subscription, String policy, String keyDetection, String more) {
        return """
                {"key": "%s", "channelType": "inbound", "type": "pubsub", "subscription": "%s", "policy": %s,
                 "channelEventKeyDetection": %s %s}
                """
                .formatted(key, subscription, policy, keyDetection, more);
    }

    /** A process of these elements, one after the other, each with its id as its first attribute. */
    static String chain(String key, String... elements) {
        StringBuilder steps = new StringBuilder("<startEvent id=\"start\"/>");
        String previous = "start";
        for (String element : elements) {
            String rest = element.substring(element.indexOf("id=\"") + 4);
            String id = rest.substring(0, rest.indexOf('"'));
            steps.append(element).append(flow(previous, id));
            previous = id;
        }
        return definitions(
                key,
                steps.append("<endEvent id=\"end\"/>")
                        .append(flow(previous, "end"))
                        .toString());
    }

    static String flow(String from, String to) {
        return "<sequenceFlow sourceRef=\"%s\" targetRef=\"%s\"/>".formatted(from, to);
    }

    static String definitions(String key, String content) {
        return """
                <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
                    xmlns:flowable="http://flowable.org/bpmn" targetNamespace="test">
                  <process id="%s">%s</process>
                </definitions>
                """
                .formatted(key, content);
    }

    static String userTask(String id) {
        return "<userTask id=\"%s\"/>".formatted(id);
    }

    /** Runs a bean, see {@link Lab#start(TestDatabase, java.util.Map)}. */
    static String service(String id, String bean) {
        return "<serviceTask id=\"%s\" flowable:delegateExpression=\"${%s}\"/>".formatted(id, bean);
    }

    /** Waits for an event that has {@code auftragId} as correlation parameter. */
    static String catchEvent(String id, String eventKey) {
        return "<intermediateCatchEvent id=\"%s\">%s</intermediateCatchEvent>".formatted(id, eventOf(eventKey));
    }

    /** Extension elements of whatever receives an event for its order. */
    static String eventOf(String eventKey) {
        return """
                <extensionElements>
                  <flowable:eventType>%s</flowable:eventType>
                  <flowable:eventCorrelationParameter name="auftragId" value="${auftragId}"/>
                </extensionElements>
                """
                .formatted(eventKey);
    }

    /** An event type with {@code auftragId} as correlation parameter. */
    static String event(String key) {
        return """
                {"key": "%s", "payload": [
                   {"name": "auftragId", "type": "string", "correlationParameter": true},
                   {"name": "text", "type": "string"}]}
                """
                .formatted(key);
    }
}
