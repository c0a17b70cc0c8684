package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule R6: no wake-up is lost, whatever the order of steps; nothing here is found by a sweep, for there is none. */
class WakeUpRaceTest {

    private static final int RANDOM_RACES = 200;

    /**
     * All merges of the relay's steps with the subscription's, see {@link WakeUpSteps}; those that lose a wake-up without
     * the second look come first. Where the subscription is there at the look-up, the relay does not look again.
     */
    private static final List<String> ORDERS =
            List.of("LSWCK", "LSCWK", "LSCKW", "LCSWK", "LCSKW", "LCKSW", "SWLC", "SLWC", "SLCW");

    private volatile StepOrder current = new StepOrder(List.of());

    /** Every order of the relay's steps and the subscription's, on one node, and with the subscription on another one. */
    @ParameterizedTest
    @CsvSource({"H2, 1", "POSTGRES, 2", "MARIADB, 2"})
    void everyOrderOfStepsDelivers(TestDatabase kind, int nodes) {
        inEveryOrder(kind, nodes);
    }

    @Tag("once") // on one Flowable line, see .ci/run
    @ParameterizedTest
    @CsvSource({"H2, 2", "POSTGRES, 1", "MARIADB, 1"})
    void everyOrderOfStepsDeliversOnTheOtherNumberOfNodes(TestDatabase kind, int nodes) {
        inEveryOrder(kind, nodes);
    }

    private void inEveryOrder(TestDatabase kind, int nodes) {
        InterceptedDataSource.Interceptor inOrder = call -> {
            String step = WakeUpSteps.of(call);
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
            int count = 0;
            for (String order : ORDERS) {
                StepOrder steps = new StepOrder(
                        order.chars().mapToObj(Character::toString).toList());
                current = steps;
                setting.publish(order, 0);
                processes.startOrder(order, 0);
                setting.awaitRows("DONE", ++count, Duration.ofSeconds(60));
                await("all steps of " + order)
                        .untilAsserted(() -> assertThat(steps.left()).isEmpty());
                assertThat(setting.effects(order)).containsExactly("0");
            }
        }
    }

    /** The same at random: message and subscription at the same moment, and a random pause before every step. */
    @ParameterizedTest
    @CsvSource({"H2, 2", "POSTGRES, 2", "MARIADB, 1"})
    void randomInterleavingsLoseNothing(TestDatabase kind, int nodes) throws Exception {
        atRandom(kind, nodes);
    }

    @Tag("once") // on one Flowable line, see .ci/run
    @ParameterizedTest
    @CsvSource({"H2, 1", "POSTGRES, 1", "MARIADB, 2"})
    void randomInterleavingsLoseNothingOnTheOtherNumberOfNodes(TestDatabase kind, int nodes) throws Exception {
        atRandom(kind, nodes);
    }

    private static void atRandom(TestDatabase kind, int nodes) throws Exception {
        long seed = Long.getLong("crash.seed", System.nanoTime());
        System.out.println("Wake-up races on " + kind + " with " + nodes + " nodes: -Dcrash.seed=" + seed);
        Random random = new Random(seed);
        Semaphore stored = new Semaphore(0);
        InterceptedDataSource.Interceptor jitter = call -> {
            if (call.done() && call.isCommitOf("insert into flw_pubsub_inbox")) {
                stored.release();
            } else if (!call.done() && WakeUpSteps.of(call) != null && random.nextBoolean()) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
            }
        };
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(4);
        try (Setting setting = new Setting(kind)) {
            CrashNode relay = setting.node("relay", CrashNode.Role.FULL, jitter).deploy(setting.database, "{}");
            CrashNode processes = nodes == 1 ? relay : setting.node("processes", CrashNode.Role.RELAY, jitter);
            List<Future<?>> starts = new ArrayList<>();
            for (int i = 0; i < RANDOM_RACES; i++) {
                String order = "A" + i;
                setting.publish(order, 0);
                assertThat(stored.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
                starts.add(
                        pool.schedule(() -> processes.startOrder(order, 0), random.nextInt(15), TimeUnit.MILLISECONDS));
            }
            for (Future<?> start : starts) {
                start.get(60, TimeUnit.SECONDS);
            }
            setting.awaitRows("DONE", RANDOM_RACES);
            assertThat(setting.database.strings("select distinct ORDER_KEY_ from LEDGER"))
                    .hasSize(RANDOM_RACES);
            assertThat(setting.effects()).isEqualTo(RANDOM_RACES);
        } finally {
            pool.shutdownNow();
        }
    }
}
