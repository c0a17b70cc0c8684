package io.github.flowablepubsub.it;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What can happen to a message, by the words of {@code docs/policy.md}.  */
final class PolicySituations {

    /** Makes it happen; returns the id of the message that it happened to. */
    private interface Situation {
        String happen(PolicyLab.Case that);
    }

    private final Lab lab;
    private final Map<String, Situation> situations = new LinkedHashMap<>();

    PolicySituations(PolicyLab world) {
        this.lab = world.lab;
        receivers();
        inputs();
        failures();
        others();
        suspended();
        repeated();
        alarmed();
    }

    /** Lets a row of the table happen on a channel that is deployed; returns the message's id. */
    String happen(String words, PolicyLab.Case that) {
        Situation situation = situations.get(words);
        if (situation == null) {
            throw new IllegalArgumentException(
                    "Nothing happens with '" + words + "', only with " + situations.keySet());
        }
        return situation.happen(that);
    }

    private void receivers() {
        situations.put("one instance waits", c -> {
            c.instance();
            return c.completed();
        });
        situations.put("nobody waits", PolicyLab.Case::completed);
        situations.put("nobody waits, then an instance comes", c -> {
            String id = c.in("WAITING", c.completed());
            c.instance();
            return id;
        });
        situations.put("nobody waits, then two instances come, one after the other", c -> {
            String id = c.in("WAITING", c.completed());
            c.instance();
            c.in("DONE", id);
            c.instance();
            return id;
        });
        situations.put("nobody waits when it comes first, an instance does when it comes again", c -> {
            String id = c.completed();
            Lab.eventually(
                    "it was nacked", () -> lab.server.stats(c.channel + "-sub").nacks() > 0);
            c.instance();
            return id;
        });
        situations.put("two instances of one definition wait", c -> {
            c.instance();
            c.instance();
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
            c.cancel(c.instance());
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
            c.instance();
            String id = c.in("DONE", c.completed());
            lab.server.awaitEmpty(c.channel + "-sub", Duration.ofSeconds(60));
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
        situations.put("the correlation value is missing", c -> c.raw("{\"typ\": \"" + PolicyLab.COMPLETED + "\"}"));
        situations.put(
                "the correlation value is null",
                c -> c.raw("{\"typ\": \"" + PolicyLab.COMPLETED + "\", \"auftragId\": null}"));
        situations.put("the correlation value is blank", c -> c.publish(PolicyLab.COMPLETED, " "));
        situations.put("the channel's filter drops it", c -> {
            c.instance();
            return lab.publish(
                    c.channel,
                    ByteString.copyFromUtf8(PolicyLab.body(PolicyLab.COMPLETED, c.order)),
                    Map.of("verwerfen", "ja"));
        });
    }

    private void failures() {
        for (String value : List.of("PT0S", "P1D", "bald")) {
            situations.put(
                    "nobody waits, the message's attribute frist is " + value,
                    c -> lab.publish(
                            c.channel,
                            ByteString.copyFromUtf8(PolicyLab.body(PolicyLab.COMPLETED, c.order)),
                            Map.of("frist", value)));
        }
        situations.put("nobody waits for longer than its time to live", PolicyLab.Case::completed);
        situations.put("the process fails", c -> {
            c.fail(Integer.MAX_VALUE);
            c.instance();
            return c.completed();
        });
        situations.put("the process fails once", c -> {
            c.fail(1);
            c.instance();
            return c.completed();
        });
    }

    private void olderBacksOff(PolicyLab.Case c, String olderOrderingKey) {
        c.fail(1);
        c.instance();
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
            c.instance();
            return c.completed();
        });
        situations.put("an older message is parked, then one instance waits", c -> {
            String[] instances = {c.instance(), c.instance()};
            c.in("PARKED", c.completed());
            c.cancel(instances[0]);
            return c.completed();
        });
        situations.put(
                "an older message is parked, then one instance waits, then the older one is discarded by SQL", c -> {
                    String[] instances = {c.instance(), c.instance()};
                    String older = c.in("PARKED", c.completed());
                    c.cancel(instances[0]);
                    String id = c.in("WAITING", c.completed());
                    lab.inbox.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'DISCARDED', FINISHED_AT_ = CURRENT_TIMESTAMP"
                            + " WHERE MESSAGE_ID_ = '" + older + "'");
                    return id;
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
            String[] instances = {c.instance(), c.instance()};
            String id = c.in("PARKED", c.completed());
            c.cancel(instances[0]);
            return c.repaired(id);
        });
        situations.put("nobody waits, then repaired by SQL", c -> c.repaired(c.in("PARKED", c.completed())));
    }

    private void suspended() {
        situations.put("one instance waits, suspended", c -> {
            c.suspend(c.instance());
            return c.completed();
        });
        situations.put("one instance waits, suspended, then activated", c -> {
            String instance = c.instance();
            c.suspend(instance);
            String id = c.in("WAITING", c.completed());
            lab.node.engine.getRuntimeService().activateProcessInstanceById(instance);
            return id;
        });
        situations.put("two instances wait, one of them suspended", c -> {
            c.instance();
            c.suspend(c.instance());
            return c.completed();
        });
    }

    private void repeated() {
        situations.put("the same was published before under another id", c -> {
            c.in("WAITING", c.completed());
            return c.completed();
        });
        situations.put("another body was published before with the same key", c -> {
            c.in("WAITING", c.completed());
            return c.raw(PolicyLab.body(PolicyLab.COMPLETED, c.order) + " ");
        });
    }

    private void alarmed() {
        situations.put("nobody waits for longer than alarmAfter", c -> {
            String id = c.completed();
            c.alarmed(id);
            return id;
        });
        situations.put("nobody waits for longer than alarmAfter, then an instance comes", c -> {
            String id = c.completed();
            c.alarmed(id);
            c.instance();
            return id;
        });
        situations.put("nobody waits for longer than alarmAfter, then its timer job is moved", c -> {
            String id = c.completed();
            lab.node.engine.getManagementService().moveTimerToExecutableJob(c.alarmed(id));
            return id;
        });
        situations.put("nobody waits for longer than alarmAfter, then its timer job is deleted", c -> {
            String id = c.completed();
            lab.node.engine.getManagementService().deleteTimerJob(c.alarmed(id));
            return id;
        });
    }
}
