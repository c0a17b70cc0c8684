package io.github.flowablepubsub.it;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.flowable.engine.delegate.JavaDelegate;
import org.flowable.eventregistry.api.FlowableEventInfo;
import org.flowable.eventregistry.api.InboundEventFilter;

/** What can happen to a message, by the words of {@code docs/policy.md}. Each case has a channel, a topic and an order of its own. */
final class PolicySituations implements AutoCloseable {

    private static final String COMPLETED = "auftragAbgeschlossen";

    /** Makes it happen; returns the id of the message that it happened to. */
    private interface Situation {
        String happen(Case that);
    }

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

    private final Map<String, Situation> situations = new LinkedHashMap<>();

    PolicySituations() {
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
        receivers();
        inputs();
        failures();
        others();
    }

    private static String startedBy(String event, String more) {
        return Models.definitions(
                "durch-" + event,
                "<startEvent id=\"s\"><extensionElements><flowable:eventType>" + event + "</flowable:eventType>" + more
                        + "</extensionElements></startEvent><userTask id=\"t\"/>" + Models.flow("s", "t"));
    }

    /** One row of the table while it happens. */
    final class Case {
        final String channel;
        final String order;

        Case(String channel, String order) {
            this.channel = channel;
            this.order = order;
        }

        private String instance(String process) {
            return lab.startOrder(process, order);
        }

        private String completed() {
            return publish(COMPLETED, order);
        }

        private String publish(String event, String auftragId) {
            return lab.publish(channel, body(event, auftragId));
        }

        private String completed(String orderingKey, String auftragId) {
            return lab.server.publish(
                    channel, ByteString.copyFromUtf8(body(COMPLETED, auftragId)), Map.of(), orderingKey);
        }

        private String raw(String body) {
            return lab.publish(channel, body);
        }

        private String in(String state, String id) {
            lab.inbox.messageInState(id, state);
            return id;
        }

        private void fail(int times) {
            failures.put(order, new AtomicInteger(times));
        }

        private void cancel(String instance) {
            lab.node.engine.getRuntimeService().deleteProcessInstance(instance, "cancelled");
        }

        private String repaired(String id) {
            int rows = lab.inbox.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0,"
                    + " NEXT_ATTEMPT_ = CURRENT_TIMESTAMP WHERE MESSAGE_ID_ = '" + id + "'");
            if (rows != 1) {
                throw new IllegalStateException(rows + " rows of message " + id);
            }
            return id;
        }
    }

    private static String body(String event, String auftragId) {
        return "{\"typ\": \"%s\", \"auftragId\": \"%s\"}".formatted(event, auftragId);
    }

    /** Lets a row of the table happen on a channel that is deployed; returns the message's id. */
    String happen(String words, Case that) {
        Situation situation = situations.get(words);
        if (situation == null) {
            throw new IllegalArgumentException(
                    "Nothing happens with '" + words + "', only with " + situations.keySet());
        }
        return situation.happen(that);
    }

    /** A channel of its own, with the filter that each has. */
    Case channel(String key, String policy) {
        lab.server.createTopic(key);
        lab.server.createSubscription(key + "-sub", key);
        String filter = ", \"eventFilterDelegateExpression\": \"${nurGewollte}\"";
        lab.node.deployEvents(Map.of(
                key + ".channel", Models.channel(key, key + "-sub", policy, "{\"jsonField\": \"typ\"}", filter)));
        return new Case(key, "auftrag-" + key);
    }

    private void receivers() {
        situations.put("one instance waits", c -> {
            c.instance("p1");
            return c.completed();
        });
        situations.put("nobody waits", Case::completed);
        situations.put("nobody waits, then an instance comes", c -> {
            String id = c.in("WAITING", c.completed());
            c.instance("p1");
            return id;
        });
        situations.put("nobody waits, then two instances come, one after the other", c -> {
            String id = c.in("WAITING", c.completed());
            c.instance("p1");
            c.in("DONE", id);
            c.instance("p1");
            return id;
        });
        situations.put("two instances of one definition wait", c -> {
            c.instance("p1");
            c.instance("p1");
            return c.completed();
        });
        situations.put("two tokens of one instance wait", c -> {
            c.instance("doppel");
            return c.completed();
        });
        situations.put("one instance of each of two definitions waits", c -> {
            c.instance("p1");
            c.instance("p2");
            return c.completed();
        });
        situations.put("the instance was cancelled", c -> {
            c.cancel(c.instance("p1"));
            return c.completed();
        });
        situations.put("the event is a start event", c -> c.publish("start", c.order));
        situations.put("the event is a unique start", c -> c.publish("einmal", c.order));
        situations.put("the event is a unique start, its instance exists", c -> {
            c.in("DONE", c.publish("einmal", c.order));
            return c.publish("einmal", c.order);
        });
        situations.put("an instance waits for the event, whatever its correlation", c -> {
            lab.startOrder("sammler", "beliebig");
            return c.publish("jedes", c.order);
        });
        situations.put("one instance waits, the message is delivered twice", c -> {
            c.instance("p1");
            String id = c.in("DONE", c.completed());
            lab.server.awaitEmpty(c.channel + "-sub", Duration.ofSeconds(10));
            lab.server.redeliver(c.channel + "-sub");
            return id;
        });
    }

    private void inputs() {
        situations.put("the event is unknown", c -> c.publish("unbekannt-" + c.order, c.order));
        situations.put("the event is unknown, then deployed with an instance that waits for it", c -> {
            String event = "spaeter-" + c.channel;
            String id = c.in("WAITING", c.publish(event, c.order));
            lab.node.deployEvents(Map.of(event + ".event", Models.event(event)));
            lab.node.deployProcess(
                    Models.chain("p-" + event, Models.catchEvent("warten", event), Models.userTask("danach")));
            c.instance("p-" + event);
            return id;
        });
        situations.put("the message names no event", c -> c.raw("{\"auftragId\": \"" + c.order + "\"}"));
        situations.put("the body is not JSON", c -> c.raw("kein JSON"));
        situations.put(
                "the body is binary",
                c -> lab.publish(
                        c.channel, ByteString.copyFrom(new byte[] {0, (byte) 0xff, 1, (byte) 0xc0}), Map.of()));
        situations.put("there is no body", c -> lab.publish(c.channel, ByteString.EMPTY, Map.of("leer", "ja")));
        situations.put("the correlation value is missing", c -> c.raw("{\"typ\": \"" + COMPLETED + "\"}"));
        situations.put(
                "the correlation value is null", c -> c.raw("{\"typ\": \"" + COMPLETED + "\", \"auftragId\": null}"));
        situations.put("the correlation value is blank", c -> c.publish(COMPLETED, " "));
        situations.put("the channel's filter drops it", c -> {
            c.instance("p1");
            return lab.publish(c.channel, ByteString.copyFromUtf8(body(COMPLETED, c.order)), Map.of("verwerfen", "ja"));
        });
    }

    private void failures() {
        situations.put("nobody waits for longer than its time to live", Case::completed);
        situations.put("the process fails", c -> {
            c.fail(Integer.MAX_VALUE);
            c.instance("p1");
            return c.completed();
        });
        situations.put("the process fails once", c -> {
            c.fail(1);
            c.instance("p1");
            return c.completed();
        });
    }

    private void olderBacksOff(Case c, String olderOrderingKey) {
        c.fail(1);
        c.instance("p1");
        String older = c.completed(olderOrderingKey, c.order);
        Lab.eventually(
                "the older one failed",
                () -> lab.inbox
                                .rows("MESSAGE_ID_ = '" + older + "' and ATTEMPTS_ = 1")
                                .size()
                        == 1);
    }

    private void others() {
        situations.put("an older message of the same event waits", c -> {
            c.in("WAITING", c.completed());
            return c.completed();
        });
        situations.put("an older message of another event waits, one instance waits for this one", c -> {
            c.in("WAITING", c.publish("auftragBegonnen", c.order));
            c.instance("p1");
            return c.completed();
        });
        situations.put("an older message is parked, then one instance waits", c -> {
            String[] instances = {c.instance("p1"), c.instance("p1")};
            c.in("PARKED", c.completed());
            c.cancel(instances[0]);
            return c.completed();
        });
        situations.put("an older message backs off", c -> {
            olderBacksOff(c, "");
            return c.completed();
        });
        situations.put("an older message backs off, with another ordering key", c -> {
            olderBacksOff(c, "eins");
            return c.completed("zwei", c.order);
        });
        situations.put("an older message of another correlation key backs off, with the same ordering key", c -> {
            olderBacksOff(c, "eins");
            lab.startOrder("p1", c.order + "-anders");
            return c.completed("eins", c.order + "-anders");
        });
        situations.put("parked as ambiguous, then one of the two ends, then repaired by SQL", c -> {
            String[] instances = {c.instance("p1"), c.instance("p1")};
            String id = c.in("PARKED", c.completed());
            c.cancel(instances[0]);
            return c.repaired(id);
        });
        situations.put("nobody waits, then repaired by SQL", c -> c.repaired(c.in("PARKED", c.completed())));
    }

    @Override
    public void close() {
        lab.close();
    }
}
