package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Orders that each take their tranches one by one, on two nodes of which one or the other is killed every few seconds,
 * with messages that Pub/Sub delivers again: the ledger that the processes write has every tranche once and in order.
 */
@Tag("once") // on one Flowable line, see .ci/run
@Tag("alone") // with the machine for itself, see the pom
class VolumeTest {

    private static final int ORDERS = Integer.getInteger("crash.orders", 500);
    private static final int TRANCHES = Integer.getInteger("crash.tranches", 20);
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());
    private static final Duration LIMIT = Duration.ofSeconds(Integer.getInteger("crash.limit.seconds", 600));

    private final Random random = new Random(SEED);
    private int orders;
    private int messages;
    private int kills;

    /** At full size on one database, and in short on another. */
    @ParameterizedTest
    @CsvSource({"POSTGRES, 100", "MARIADB, 20"})
    void everyTrancheOnceAndInOrderThroughKillsAndRedelivery(TestDatabase kind, int percent) {
        orders = ORDERS * percent / 100;
        messages = orders * TRANCHES;
        System.out.println(
                "Volume on " + kind + ": " + orders + " orders of " + TRANCHES + " tranches, -Dcrash.seed=" + SEED);
        try (Setting setting = new Setting(kind)) {
            CrashNode starter = setting.node("starter", CrashNode.Role.STARTER).deploy(setting.database, "{}");
            // One order in ten begins only after its messages came.
            int late = orders / 10;
            IntStream.range(late, orders).forEach(order -> starter.startOrder("A" + order, TRANCHES - 1));
            List<ChildNode> children = new ArrayList<>(List.of(child(setting, 1), child(setting, 2)));
            children.forEach(child -> child.awaitSignals("started", 1));
            Instant begin = Instant.now();
            publishAll(setting);
            IntStream.range(0, late).forEach(order -> starter.startOrder("A" + order, TRANCHES - 1));
            killUntilDone(setting, children, begin.plus(LIMIT));
            Duration took = Duration.between(begin, Instant.now());

            long deliveries = setting.server.stats(Models.SUBSCRIPTION).deliveries();
            System.out.printf(
                    "Volume: %d messages in %d ms, %d kills, %d deliveries, by node %s%n",
                    messages,
                    took.toMillis(),
                    kills,
                    deliveries,
                    setting.database.strings(
                            "select concat(NODE_, ' ', count(*)) from LEDGER group by NODE_ order by 1"));
            for (int order = 0; order < orders; order++) {
                assertThat(setting.effects("A" + order)).as("order A%d", order).isEqualTo(expected());
            }
            assertThat(setting.effects()).isEqualTo(messages);
            assertThat(setting.database.rows("DONE")).isEqualTo(messages);
            assertThat(setting.database.count("FLW_PUBSUB_INBOX", "STATE_ <> 'DONE'"))
                    .isZero();
            assertThat(starter.engine
                            .getRuntimeService()
                            .createProcessInstanceQuery()
                            .count())
                    .isZero();
            setting.server.awaitEmpty(Models.SUBSCRIPTION, Duration.ofSeconds(60));
            assertThat(deliveries - messages).isGreaterThanOrEqualTo(messages / 10);
            assertThat(kills).isGreaterThanOrEqualTo(messages >= 10_000 ? 3 : 1);
        }
    }

    private static ChildNode child(Setting setting, int number) {
        return setting.child("n" + number, ChildMain.Hang.NEVER, CrashNode.Role.FULL.sweeping(Duration.ofSeconds(1)));
    }

    private static List<String> expected() {
        return IntStream.range(0, TRANCHES).mapToObj(Integer::toString).toList();
    }

    /** In order within each order, at random between them. */
    private void publishAll(Setting setting) {
        int[] next = new int[orders];
        List<Integer> open = new ArrayList<>(IntStream.range(0, orders).boxed().toList());
        while (!open.isEmpty()) {
            int at = random.nextInt(open.size());
            int order = open.get(at);
            // Bursts of one order, so that several of its messages have the same publish time.
            for (int burst = 1 + random.nextInt(3); burst > 0 && next[order] < TRANCHES; burst--) {
                setting.publish("A" + order, next[order]++);
            }
            if (next[order] == TRANCHES) {
                open.remove(at);
            }
        }
    }

    private void killUntilDone(Setting setting, List<ChildNode> children, Instant deadline) {
        boolean redelivered = false;
        Instant nextKill = Instant.now().plusMillis(1500);
        long done = 0;
        while (done < messages && Instant.now().isBefore(deadline)) {
            pause();
            done = setting.database.rows("DONE");
            if (!redelivered && setting.server.stats(Models.SUBSCRIPTION).acks() >= messages / 8) {
                redelivered = true;
                setting.server.redeliver(Models.SUBSCRIPTION);
            }
            if (Instant.now().isAfter(nextKill)) {
                int victim = random.nextInt(2);
                children.get(victim).kill();
                kills++;
                // As the service does when the deadlines of a dead client are over, only sooner.
                setting.server.expireLeases(Models.SUBSCRIPTION);
                children.set(victim, child(setting, victim + 1));
                children.get(victim).awaitSignals("started", 1);
                nextKill = Instant.now().plusMillis(4000 + random.nextInt(4000));
                System.out.println("Volume: kill " + kills + " of n" + (victim + 1) + ", done " + done);
            }
        }
    }

    private static void pause() {
        org.awaitility.Awaitility.await()
                .pollDelay(200, TimeUnit.MILLISECONDS)
                .atMost(Duration.ofMinutes(1))
                .until(() -> true);
    }
}
