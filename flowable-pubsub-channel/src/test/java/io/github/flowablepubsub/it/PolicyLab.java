package io.github.flowablepubsub.it;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.flowable.engine.delegate.JavaDelegate;
import org.flowable.eventregistry.api.FlowableEventInfo;
import org.flowable.eventregistry.api.InboundEventFilter;

/** Where the rows of {@code docs/policy.md} happen: processes and events that all share, a channel and an order for each. */
final class PolicyLab implements AutoCloseable {

    static final String COMPLETED = "auftragAbgeschlossen";

    /** A process that waits for a plain BPMN message, and one that such a message starts. */
    static final String MESSAGE = "nachricht";

    static final String MESSAGE_START = "nachricht-start";

    private static final class OnlyWanted implements InboundEventFilter<Object> {
        @Override
        public boolean retain(String eventKey, FlowableEventInfo<Object> event) {
            return !"ja".equals(event.getHeaders().get("verwerfen"));
        }
    }

    /** How often the work of an order is still to fail. */
    private final Map<Object, AtomicInteger> failures = new ConcurrentHashMap<>();

    private final JavaDelegate work = execution -> {
        AtomicInteger left = failures.get(String.valueOf(execution.getVariable("auftragId")));
        if (left != null && left.getAndDecrement() > 0) {
            throw new IllegalStateException("The work of this order fails");
        }
    };

    final Lab lab = Lab.start(TestDatabase.POSTGRES, Map.of("arbeit", work, "nurGewollte", new OnlyWanted()));

    PolicyLab() {
        for (String event : List.of("auftragBegonnen", "start", "einmal", "jedes")) {
            lab.node.deployEvents(Map.of(event + ".event", Models.event(event)));
        }
        for (String process : List.of("p1", "p2")) {
            lab.node.deployProcess(Models.chain(
                    process,
                    Models.catchEvent("warten", COMPLETED),
                    Models.service("tun", "arbeit"),
                    Models.userTask("danach")));
        }
        lab.node.deployProcess(Models.definitions(
                "doppel",
                "<startEvent id=\"s\"/><parallelGateway id=\"g\"/>"
                        + Models.flow("s", "g")
                        + Models.catchEvent("a", COMPLETED)
                        + Models.catchEvent("b", COMPLETED)
                        + Models.flow("g", "a")
                        + Models.flow("g", "b")));
        lab.node.deployProcess(startedBy("start", ""));
        lab.node.deployProcess(startedBy(
                "einmal",
                "<flowable:startEventCorrelationConfiguration>storeAsUniqueReferenceId"
                        + "</flowable:startEventCorrelationConfiguration>"));
        lab.node.deployProcess(Models.chain(
                "sammler",
                "<intermediateCatchEvent id=\"alle\"><extensionElements><flowable:eventType>jedes"
                        + "</flowable:eventType></extensionElements></intermediateCatchEvent>",
                Models.userTask("danach")));
        messages();
    }

    /** Processes that know nothing of the event registry. */
    private void messages() {
        String waits = MessageLab.chainOf(MessageLab.receive("warten"), Models.userTask("danach"));
        lab.node.deployProcess(MessageLab.definitions(MESSAGE, waits));
        String start = "<startEvent id=\"s\"><messageEventDefinition messageRef=\"m\"/></startEvent>"
                + Models.userTask("t") + Models.flow("s", "t");
        lab.node.deployProcess(MessageLab.definitions(MESSAGE_START, start).replace(MessageLab.MESSAGE, MESSAGE_START));
    }

    private static String startedBy(String event, String more) {
        return Models.definitions(
                "durch-" + event,
                "<startEvent id=\"s\"><extensionElements><flowable:eventType>" + event + "</flowable:eventType>" + more
                        + "</extensionElements></startEvent><userTask id=\"t\"/>" + Models.flow("s", "t"));
    }

    /** A channel of its own, with the filter that each has. */
    Case channel(String key, String policy) {
        return channel(key, policy, "p1", "");
    }

    /** The same, for plain BPMN messages of this process. */
    Case messageChannel(String key, String policy, String process) {
        String message = process.equals(MESSAGE) ? MessageLab.MESSAGE : process;
        return channel(
                key,
                policy,
                process,
                ", \"correlation\": {\"messageName\": \"%s\", \"processDefinitionKey\": \"%s\", \"variable\": \"auftragId\"}"
                        .formatted(message, process));
    }

    private Case channel(String key, String policy, String receiver, String more) {
        lab.server.createTopic(key);
        lab.server.createSubscription(
                key + "-sub", key, SubscriptionOptions.DEFAULT.withRetryPolicy(Duration.ofMillis(300)));
        String filter = ", \"eventFilterDelegateExpression\": \"${nurGewollte}\"";
        lab.node.deployEvents(Map.of(
                key + ".channel",
                Models.channel(key, key + "-sub", policy, "{\"jsonField\": \"typ\"}", filter + more)));
        return new Case(key, "auftrag-" + key, receiver);
    }

    static String body(String event, String auftragId) {
        return "{\"typ\": \"%s\", \"auftragId\": \"%s\"}".formatted(event, auftragId);
    }

    /** One row of the table while it happens. */
    final class Case {
        final String channel;
        final String order;
        private final String receiver;

        Case(String channel, String order, String receiver) {
            this.channel = channel;
            this.order = order;
            this.receiver = receiver;
        }

        /** An instance that waits. */
        String instance() {
            return instance(receiver);
        }

        String instance(String process) {
            return lab.startOrder(process, order);
        }

        /** Waits for it to raise the alarm; returns its timer job. */
        String alarmed(String id) {
            String row = "MESSAGE_ID_ = '" + id + "' and ";
            Lab.eventually(
                    "alarm of " + id,
                    () -> lab.inbox
                                    .rows(row + "STATE_ = 'WAITING' and ALARMED_AT_ is not null")
                                    .size()
                            == 1);
            return lab.database
                    .strings("select JOB_ID_ from FLW_PUBSUB_INBOX where MESSAGE_ID_ = '" + id + "'")
                    .get(0);
        }

        String completed() {
            return publish(COMPLETED, order);
        }

        String publish(String event, String auftragId) {
            return lab.publish(channel, body(event, auftragId));
        }

        String completed(String orderingKey, String auftragId) {
            return lab.server.publish(
                    channel, ByteString.copyFromUtf8(body(COMPLETED, auftragId)), Map.of(), orderingKey);
        }

        String raw(String body) {
            return lab.publish(channel, body);
        }

        String in(String state, String id) {
            lab.inbox.messageInState(id, state);
            return id;
        }

        void fail(int times) {
            failures.put(order, new AtomicInteger(times));
        }

        void suspend(String instance) {
            lab.node.engine.getRuntimeService().suspendProcessInstanceById(instance);
        }

        void cancel(String instance) {
            lab.node.engine.getRuntimeService().deleteProcessInstance(instance, "cancelled");
        }

        String repaired(String id) {
            int rows = lab.inbox.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0,"
                    + " NEXT_ATTEMPT_ = CURRENT_TIMESTAMP WHERE MESSAGE_ID_ = '" + id + "'");
            if (rows != 1) {
                throw new IllegalStateException(rows + " rows of message " + id);
            }
            return id;
        }
    }

    @Override
    public void close() {
        lab.close();
    }
}
