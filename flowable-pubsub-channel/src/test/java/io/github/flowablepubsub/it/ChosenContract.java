package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.InboxMessage.Seen;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.relay.RepairResult;
import io.github.flowablepubsub.relay.RepairResult.Done;
import io.github.flowablepubsub.relay.RepairResult.Refused;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.flowable.engine.RuntimeService;
import org.flowable.engine.delegate.JavaDelegate;
import org.flowable.engine.runtime.Execution;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The way out of an ambiguity: an operator chooses who gets the message; one subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ChosenContract {

    private static final String PROCESS = "auftrag-ausfuehrung";

    private final TestDatabase kind;
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private @Nullable Lab started;

    ChosenContract(TestDatabase kind) {
        this.kind = kind;
    }

    private Lab lab() {
        return Objects.requireNonNull(started);
    }

    private PubSubInboxService service() {
        return lab().node.pubsub.inbox();
    }

    private RuntimeService runtime() {
        return lab().node.engine.getRuntimeService();
    }

    @BeforeAll
    void start() {
        JavaDelegate step = execution -> {
            if (broken.get()) {
                throw new IllegalStateException("Geheimnis");
            }
        };
        started = Lab.start(kind.createHostile(), Map.of("schritt", step));
        lab().node.deployProcess(Models.PROCESS);
        lab().node.deployEvents(Map.of("s.event", Models.event("schritt")));
        lab().node
                .deployProcess(Models.chain(
                        "schritte",
                        Models.catchEvent("w", "schritt"),
                        Models.service("s", "schritt"),
                        Models.userTask("t")));
        lab().node
                .deployProcess(MessageLab.definitions(
                        "schlicht", MessageLab.chainOf(MessageLab.receive("warten"), Models.userTask("danach"))));
        lab().channel("sofort", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}");
        lab().channel("strikt", "{\"order\": \"strict\", \"parking\": {\"laterMessages\": \"wait\"}}");
        lab().channel("schritt", "{}", "{\"fixedValue\": \"schritt\"}");
        lab().server.createTopic("schlicht");
        lab().server.createSubscription("schlicht-sub", "schlicht");
        String correlation =
                """
                , "correlation": {"messageName": "%s", "processDefinitionKey": "schlicht", "variable": "auftragId"}
                """
                        .formatted(MessageLab.MESSAGE);
        lab().node
                .deployEvents(Map.of(
                        "schlicht.channel", Models.channel("schlicht", "schlicht-sub", "{}", Lab.FIXED, correlation)));
    }

    @AfterAll
    void stop() {
        lab().close();
    }

    private Seen ambiguous(String channel, String order) {
        InboxTable.Row row = lab().inbox.messageInState(lab().publish(channel, Models.completion(order, 7)), "PARKED");
        assertThat(row.reason()).isEqualTo("AMBIGUOUS");
        return service().get(row.id()).orElseThrow().seen();
    }

    private String waitingExecution(String instance) {
        List<Execution> found = runtime()
                .createExecutionQuery()
                .processInstanceId(instance)
                .onlyChildExecutions()
                .list();
        assertThat(found).hasSize(1);
        return found.get(0).getId();
    }

    private void isDone(Seen seen) {
        InboxTable.Row row = lab().inbox.rows("ID_ = " + seen.id()).get(0);
        assertThat(row.state()).isEqualTo("DONE");
        assertThat(service().get(seen.id()).orElseThrow().finishedBy()).isEqualTo("erika");
        assertThat(new Jobs(lab()).count(seen.id())).isZero();
    }

    private void isRefused(RepairResult result, Seen seen, String... words) {
        assertThat(result).isInstanceOf(Refused.class);
        assertThat(((Refused) result).why()).contains(words).doesNotContain("Geheimnis");
        assertThat(service().get(seen.id()).orElseThrow().seen()).isEqualTo(seen);
        assertThat(new Jobs(lab()).deadLetter(seen.id())).as("its job stays").isNotNull();
    }

    @Test
    void theExecutionThatIsNamedGetsIt_andNobodyElse() {
        String chosen = lab().startOrder(PROCESS, "c1");
        String other = lab().startOrder(PROCESS, "c1");
        Seen seen = ambiguous("sofort", "c1");
        assertThat(service().deliver(seen, waitingExecution(chosen), "erika"))
                .isEqualTo(new Done(seen.id(), MessageState.DONE));
        isDone(seen);
        assertThat(lab().tasks(chosen)).isEqualTo(1);
        assertThat(lab().tasks(other)).isZero();
        assertThat(runtime().getVariable(chosen, "erledigtePositionen")).isEqualTo(7);
    }

    @Test
    void aProcessInstanceWillDo_ifItWaitsOnce() {
        String chosen = lab().startOrder(PROCESS, "c2");
        String other = lab().startOrder(PROCESS, "c2");
        Seen seen = ambiguous("sofort", "c2");
        assertThat(service().deliver(seen, other, "erika")).isInstanceOf(Done.class);
        isDone(seen);
        assertThat(lab().tasks(other)).isEqualTo(1);
        assertThat(lab().tasks(chosen)).isZero();
    }

    @Test
    void withTwoTokensOfOneInstanceAnExecutionHasToBeNamed() {
        String fork = Models.definitions(
                "gabel",
                "<startEvent id=\"s\"/><parallelGateway id=\"g\"/>"
                        + Models.catchEvent("a", "auftragAbgeschlossen")
                        + Models.catchEvent("b", "auftragAbgeschlossen")
                        + "<userTask id=\"t\"/>"
                        + Models.flow("s", "g")
                        + Models.flow("g", "a")
                        + Models.flow("g", "b")
                        + Models.flow("a", "t")
                        + Models.flow("b", "t"));
        lab().node.deployProcess(fork);
        String instance = lab().startOrder("gabel", "c3");
        Seen seen = ambiguous("sofort", "c3");
        isRefused(service().deliver(seen, instance, "erika"), seen, "2 executions of instance " + instance, "name one");
        Execution first = runtime()
                .createExecutionQuery()
                .processInstanceId(instance)
                .activityId("a")
                .singleResult();
        assertThat(service().deliver(seen, first.getId(), "erika")).isInstanceOf(Done.class);
        assertThat(lab().tasks(instance)).isEqualTo(1);
    }

    @Test
    void whoWaitsNoLongerIsRefused_andTheMessageStaysAsItWas() {
        String gone = lab().startOrder(PROCESS, "c4");
        String there = lab().startOrder(PROCESS, "c4");
        Seen seen = ambiguous("sofort", "c4");
        String execution = waitingExecution(gone);
        runtime().deleteProcessInstance(gone, "weg");
        isRefused(
                service().deliver(seen, execution, "erika"),
                seen,
                "Neither an execution nor an instance with id " + execution,
                waitingExecution(there));
        runtime().suspendProcessInstanceById(there);
        isRefused(service().deliver(seen, there, "erika"), seen, "is suspended");
        runtime().activateProcessInstanceById(there);
        assertThat(service().deliver(seen, there, "erika")).isInstanceOf(Done.class);
        assertThat(lab().tasks(there)).isEqualTo(1);
    }

    @Test
    void aProcessThatFailsRollsEverythingBack() {
        String chosen = lab().startOrder("schritte", "c5");
        lab().startOrder("schritte", "c5");
        Seen seen = ambiguous("schritt", "c5");
        isRefused(
                service().deliver(seen, chosen, "erika"),
                seen,
                "The process failed, and everything was rolled back",
                "java.lang.IllegalStateException");
        assertThat(lab().tasks(chosen)).isZero();
        broken.set(false);
        assertThat(service().deliver(seen, chosen, "erika")).isInstanceOf(Done.class);
        isDone(seen);
        assertThat(lab().tasks(chosen)).isEqualTo(1);
    }

    @Test
    void whatTheParkedOneHeldBackGoesOn() {
        String chosen = lab().startOrder(PROCESS, "c6");
        String other = lab().startOrder(PROCESS, "c6");
        Seen seen = ambiguous("strikt", "c6");
        String next = lab().publish("strikt", Models.completion("c6", 8));
        assertThat(lab().inbox.messageInState(next, "WAITING").reason()).isEqualTo("HELD_BACK");
        assertThat(service().deliver(seen, chosen, "erika")).isInstanceOf(Done.class);
        lab().inbox.messageInState(next, "DONE");
        assertThat(lab().tasks(other)).isEqualTo(1);
    }

    @Test
    void plainMessagesToo() {
        String chosen = lab().startOrder("schlicht", "c7");
        String other = lab().startOrder("schlicht", "c7");
        Seen seen = ambiguous("schlicht", "c7");
        assertThat(service().deliver(seen, waitingExecution(chosen), "erika")).isInstanceOf(Done.class);
        isDone(seen);
        assertThat(lab().tasks(chosen)).isEqualTo(1);
        assertThat(lab().tasks(other)).isZero();
        assertThat(runtime().getVariable(chosen, "erledigtePositionen")).isEqualTo(7);
    }
}
