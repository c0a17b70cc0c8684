package io.github.flowablepubsub.crash;

/** The order whose tranches come in one by one. */
final class Models {

    private Models() {}

    static final String SUBSCRIPTION = "tranchen-sub";
    static final String TOPIC = "tranchen";

    static final String EVENT =
            """
            {"key": "tranche", "name": "Tranche",
             "payload": [
               {"name": "auftragId", "type": "string", "correlationParameter": true},
               {"name": "nummer", "type": "integer"}]}
            """;

    static String channel(String policy) {
        return """
                {"key": "tranchen", "channelType": "inbound", "type": "pubsub",
                 "subscription": "tranchen-sub", "policy": %s,
                 "channelEventKeyDetection": {"fixedValue": "tranche"}}
                """
                .formatted(policy);
    }

    /** Waits for a tranche, books it, and waits for the next until the last one came. */
    static final String PROCESS = process("auftrag", "");

    /** The same, with an asynchronous step before it waits. */
    static final String ASYNC_PROCESS = process(
            "auftragAsync",
            """
            <serviceTask id="vorbereiten" flowable:async="true"
                flowable:class="io.github.flowablepubsub.crash.Preparation"/>
            """);

    private static String process(String key, String firstStep) {
        return """
                <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
                    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                    xmlns:flowable="http://flowable.org/bpmn" targetNamespace="test">
                  <process id="%s">
                    <startEvent id="start"/>
                    %s
                    <sequenceFlow sourceRef="start" targetRef="%s"/>
                    %s
                    <intermediateCatchEvent id="warten">
                      <extensionElements>
                        <flowable:eventType>tranche</flowable:eventType>
                        <flowable:eventCorrelationParameter name="auftragId" value="${auftragId}"/>
                        <flowable:eventOutParameter source="nummer" target="nummer"/>
                      </extensionElements>
                    </intermediateCatchEvent>
                    <sequenceFlow sourceRef="warten" targetRef="buchen"/>
                    <serviceTask id="buchen" flowable:class="io.github.flowablepubsub.crash.Effect"/>
                    <sequenceFlow sourceRef="buchen" targetRef="fertig"/>
                    <exclusiveGateway id="fertig" default="weiter"/>
                    <sequenceFlow id="weiter" sourceRef="fertig" targetRef="warten"/>
                    <sequenceFlow sourceRef="fertig" targetRef="end">
                      <conditionExpression xsi:type="tFormalExpression">${nummer >= letzte}</conditionExpression>
                    </sequenceFlow>
                    <endEvent id="end"/>
                  </process>
                </definitions>
                """
                .formatted(
                        key,
                        firstStep,
                        firstStep.isEmpty() ? "warten" : "vorbereiten",
                        firstStep.isEmpty() ? "" : "<sequenceFlow sourceRef=\"vorbereiten\" targetRef=\"warten\"/>");
    }

    /** The policy of a channel that delivers plain messages to {@link #MESSAGE_PROCESS}. */
    static final String AS_MESSAGES =
            """
            {}, "correlation":
            {"messageName": "Tranche", "processDefinitionKey": "auftragNachricht", "variable": "auftragId"}
            """;

    /** Waits for one tranche as a plain message, and books it. */
    static final String MESSAGE_PROCESS =
            """
            <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
                xmlns:flowable="http://flowable.org/bpmn" targetNamespace="test">
              <message id="m" name="Tranche"/>
              <process id="auftragNachricht">
                <startEvent id="start"/>
                <sequenceFlow sourceRef="start" targetRef="warten"/>
                <intermediateCatchEvent id="warten"><messageEventDefinition messageRef="m"/></intermediateCatchEvent>
                <sequenceFlow sourceRef="warten" targetRef="buchen"/>
                <serviceTask id="buchen" flowable:class="io.github.flowablepubsub.crash.Effect"/>
                <sequenceFlow sourceRef="buchen" targetRef="end"/>
                <endEvent id="end"/>
              </process>
            </definitions>
            """;

    static String tranche(String order, int number) {
        return "{\"auftragId\": \"%s\", \"nummer\": %d}".formatted(order, number);
    }
}
