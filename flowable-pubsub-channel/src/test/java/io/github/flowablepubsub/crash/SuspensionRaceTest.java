package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.flowable.engine.RuntimeService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule R6 for the activation of a suspended instance: in no order of steps is it missed; nothing here is found by a sweep. */
class SuspensionRaceTest {

    /**
     * All merges of the relay's look-up (L), commit (C) and look once more (K) with the commit of the activation (S) and the
     * look for waiting rows after it (W).
     */
    private static final List<String> ORDERS =
            List.of("LSWCK", "LSCWK", "LSCKW", "LCSWK", "LCSKW", "LCKSW", "SWLC", "SLWC", "SLCW");

    private volatile StepOrder current = new StepOrder(List.of());

    private static @Nullable String step(InterceptedDataSource.Call call) {
        String thread = Thread.currentThread().getName();
        if (thread.startsWith("pubsub-relay-")) {
            if (call.isStatement("select", "from act_ru_execution")) {
                boolean locked = call.transaction().stream().anyMatch(sql -> sql.contains("flw_pubsub_lane"));
                return locked ? WakeUpSteps.LOOK_UP : WakeUpSteps.LOOK_AGAIN;
            }
            return call.isCommitOf("flw_pubsub_inbox", "attempts_ = ? + 1") ? WakeUpSteps.COMMIT : null;
        }
        if (thread.startsWith("pubsub-wake-up")) {
            return WakeUpSteps.of(call);
        }
        return call.isCommitOf("update act_ru_execution") ? WakeUpSteps.SUBSCRIBE : null;
    }

    @ParameterizedTest
    @CsvSource({"H2, 1", "POSTGRES, 2"})
    void everyOrderOfStepsDelivers(TestDatabase kind, int nodes) {
        InterceptedDataSource.Interceptor inOrder = call -> {
            String step = step(call);
            if (step != null && call.done()) {
                current.done(step);
            } else if (step != null) {
                current.before(step);
            }
        };
        try (Setting setting = new Setting(kind)) {
            CrashNode relay =
                    setting.node("relay", CrashNode.Role.FULL, inOrder).deploy(setting.database, "{}");
            CrashNode processes = nodes == 1 ? relay : setting.node("processes", CrashNode.Role.RELAY, inOrder);
            RuntimeService runtime = processes.engine.getRuntimeService();
            int count = 0;
            for (String order : ORDERS) {
                processes.startOrder(order, 0);
                String instance = runtime.createProcessInstanceQuery()
                        .processInstanceBusinessKey(order)
                        .singleResult()
                        .getId();
                runtime.suspendProcessInstanceById(instance);
                StepOrder steps = new StepOrder(
                        order.chars().mapToObj(Character::toString).toList());
                current = steps;
                setting.publish(order, 0);
                runtime.activateProcessInstanceById(instance);
                setting.awaitRows("DONE", ++count, Duration.ofSeconds(60));
                await("all steps of " + order)
                        .untilAsserted(() -> assertThat(steps.left()).isEmpty());
                assertThat(setting.effects(order)).containsExactly("0");
            }
        }
    }
}
