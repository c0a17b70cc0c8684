package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.Map;
import java.util.Objects;
import org.flowable.engine.RuntimeService;

/** A laboratory for plain BPMN messages: the models know nothing of the event registry. */
final class MessageLab implements AutoCloseable {

    static final String MESSAGE = "AuftragAbgeschlossen";

    /** A field of each type that can be compared; each event has one of them as correlation parameter. */
    private static final String TYPED =
            """
            {"key": "typ-%1$s", "payload": [{"name": "wert", "type": "%1$s", "correlationParameter": true}]}
            """;

    final Lab lab;
    final RuntimeService runtime;

    MessageLab(TestDatabase kind, Map<Object, Object> beans) {
        this.lab = Lab.start(kind, beans);
        this.runtime = lab.node.engine.getRuntimeService();
    }

    /** A channel that delivers the message to instances of this process, by their variable {@code auftragId}. */
    MessageLab channel(String key, String process, String policy) {
        return channel(key, process, "auftragId", policy, Lab.FIXED);
    }

    MessageLab channel(String key, String process, String variable, String policy, String detection) {
        lab.server.createTopic(key);
        lab.server.createSubscription(key + "-sub", key);
        String correlation =
                """
                , "correlation": {"messageName": "%s", "processDefinitionKey": "%s", "variable": "%s"}
                """
                        .formatted(MESSAGE, process, variable);
        lab.node.deployEvents(
                Map.of(key + ".channel", Models.channel(key, key + "-sub", policy, detection, correlation)));
        return this;
    }

    MessageLab typedEvent(String type) {
        lab.node.deployEvents(Map.of(type + ".event", TYPED.formatted(type)));
        return this;
    }

    /** Waits for the message, then has a task. */
    MessageLab process(String key) {
        return deploy(key, chainOf(receive("warten"), Models.userTask("danach")));
    }

    /** Deploys a process with this content; it may use the message as {@code m}. */
    MessageLab deploy(String key, String content) {
        lab.node.deployProcess(definitions(key, content));
        return this;
    }

    static String definitions(String key, String content) {
        return """
                <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
                    xmlns:flowable="http://flowable.org/bpmn" targetNamespace="test">
                  <message id="m" name="%s"/>
                  <process id="%s">%s</process>
                </definitions>
                """
                .formatted(MESSAGE, key, content);
    }

    /** These elements, one after the other. */
    static String chainOf(String... elements) {
        String whole = Models.chain("x", elements);
        return whole.substring(whole.indexOf("<process id=\"x\">") + 16, whole.indexOf("</process>"));
    }

    static String receive(String id) {
        return "<intermediateCatchEvent id=\"%s\"><messageEventDefinition messageRef=\"m\"/></intermediateCatchEvent>"
                .formatted(id);
    }

    String start(String process, Map<String, Object> variables) {
        return runtime.startProcessInstanceByKey(process, variables).getId();
    }

    InboxTable.Row publish(String channel, String order, String state) {
        return lab.inbox.messageInState(lab.publish(channel, Models.completion(order, 7)), state);
    }

    InboxTable.Row done(InboxTable.Row row) {
        InboxTable.Row done = lab.inbox.messageInState(row.messageId(), "DONE");
        if (lab.database.count("FLW_PUBSUB_MATCH_KEY", "INBOX_ID_ = " + row.id()) != 0) {
            throw new AssertionError("Match keys are left of " + done);
        }
        return done;
    }

    Object variable(String instance, String name) {
        return Objects.requireNonNull(runtime.getVariable(instance, name), name);
    }

    @Override
    public void close() {
        lab.close();
    }
}
