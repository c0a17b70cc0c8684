package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.flowable.engine.RuntimeService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rule R6 for plain messages: neither the commit of a subscription nor that of the variable that it is found by is missed, in
 * no order of steps; nothing here is found by a sweep, for there is none.
 */
class MessageRaceTest {

    private static final int RANDOM_RACES = 60;

    /**
     * All merges of the relay's look-up (L), commit (C) and look once more (K) with the commit of the subscription or the
     * variable (S) and the look for waiting rows after it (W).
     */
    private static final List<String> ORDERS =
            List.of("LSWCK", "LSCWK", "LSCKW", "LCSWK", "LCSKW", "LCKSW", "SWLC", "SLWC", "SLCW");

    private final AtomicInteger wakeUps = new AtomicInteger();
    private volatile StepOrder current = new StepOrder(List.of());

    /** What commits last. */
    enum Last {
        SUBSCRIPTION,
        VARIABLE
    }

    private static @Nullable String step(InterceptedDataSource.Call call) {
        String thread = Thread.currentThread().getName();
        if (thread.startsWith("pubsub-relay-")) {
            return WakeUpSteps.of(call);
        }
        if (thread.startsWith("pubsub-wake-up")) {
            return call.isStatement("k.event_key_ = s.event_name_") ? WakeUpSteps.WAKE : null;
        }
        boolean commits = call.isCommitOf("insert into act_ru_event_subscr") || call.isCommitOf("act_ru_variable set");
        return commits ? WakeUpSteps.SUBSCRIBE : null;
    }

    @ParameterizedTest
    @CsvSource({"POSTGRES, 2, SUBSCRIPTION", "POSTGRES, 1, VARIABLE"})
    void everyOrderOfStepsDelivers(TestDatabase kind, int nodes, Last last) {
        InterceptedDataSource.Interceptor inOrder = call -> {
            String step = step(call);
            if (step != null && call.done()) {
                current.done(step);
                wakeUps.addAndGet(step.equals(WakeUpSteps.WAKE) ? 1 : 0);
            } else if (step != null) {
                current.before(step);
            }
        };
        try (Setting setting = new Setting(kind)) {
            CrashNode relay =
                    setting.node("relay", CrashNode.Role.FULL, inOrder).deploy(setting.database, Models.AS_MESSAGES);
            CrashNode processes = nodes == 1 ? relay : setting.node("processes", CrashNode.Role.RELAY, inOrder);
            int count = 0;
            for (String order : ORDERS) {
                String waiting = last == Last.VARIABLE ? waiting(processes.engine.getRuntimeService()) : "";
                StepOrder steps = new StepOrder(
                        order.chars().mapToObj(Character::toString).toList());
                current = steps;
                setting.publish(order, 0);
                if (last == Last.VARIABLE) {
                    processes.engine.getRuntimeService().setVariable(waiting, "auftragId", order);
                } else {
                    processes.start("auftragNachricht", order, 0);
                }
                setting.awaitRows("DONE", ++count, Duration.ofSeconds(60));
                await("all steps of " + order)
                        .untilAsserted(() -> assertThat(steps.left()).isEmpty());
                assertThat(setting.effects(order)).containsExactly("0");
            }
        }
    }

    /** An instance that waits for the message, for no order yet; its own wake-up is over. */
    private String waiting(RuntimeService runtime) {
        int before = wakeUps.get();
        String id = runtime.startProcessInstanceByKey("auftragNachricht", Map.of("auftragId", "noch keiner"))
                .getId();
        await("the wake-up of the start").until(() -> wakeUps.get() > before);
        return id;
    }

    /** The same at random: message and subscription at the same moment, and a random pause before every step. */
    @ParameterizedTest
    @EnumSource(names = "POSTGRES")
    void randomInterleavingsLoseNothing(TestDatabase kind) throws Exception {
        long seed = Long.getLong("crash.seed", System.nanoTime());
        System.out.println("Races of plain messages on " + kind + ": -Dcrash.seed=" + seed);
        Random random = new Random(seed);
        Semaphore stored = new Semaphore(0);
        InterceptedDataSource.Interceptor jitter = call -> {
            if (call.done() && call.isCommitOf("insert into flw_pubsub_inbox")) {
                stored.release();
            } else if (!call.done() && step(call) != null && random.nextBoolean()) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
            }
        };
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(4);
        try (Setting setting = new Setting(kind)) {
            setting.node("relay", CrashNode.Role.FULL, jitter).deploy(setting.database, Models.AS_MESSAGES);
            CrashNode processes = setting.node("processes", CrashNode.Role.RELAY, jitter);
            List<Future<?>> starts = new ArrayList<>();
            for (int i = 0; i < RANDOM_RACES; i++) {
                String order = "A" + i;
                setting.publish(order, 0);
                assertThat(stored.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
                starts.add(pool.schedule(
                        () -> processes.start("auftragNachricht", order, 0),
                        random.nextInt(15),
                        TimeUnit.MILLISECONDS));
            }
            for (Future<?> start : starts) {
                start.get(60, TimeUnit.SECONDS);
            }
            setting.awaitRows("DONE", RANDOM_RACES);
            assertThat(setting.effects()).isEqualTo(RANDOM_RACES);
            assertThat(setting.database.strings("select distinct ORDER_KEY_ from LEDGER"))
                    .hasSize(RANDOM_RACES);
        } finally {
            pool.shutdownNow();
        }
    }
}
