package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.flowable.job.service.impl.asyncexecutor.AsyncExecutor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * flowable/flowable-engine#4189: an asynchronous step, then the catch event; the message comes 0.7 s before its
 * subscription and was silently discarded. Nothing polls here: the sweep interval is an hour.
 */
@Tag("alone") // with the machine for itself, see the pom
class EarlyMessageTest {

    private static final Duration EARLY = Duration.ofMillis(700);
    private static final Duration JOBS_OFF = Duration.ofSeconds(Integer.getInteger("crash.jobs-off.seconds", 30));
    private static final Duration JOBS_BRIEFLY_OFF = Duration.ofSeconds(3);
    private static final Duration PROMPTLY = Duration.ofMillis(100);
    private static final int WARM_UPS = 5;
    private static final int RUNS = 9;

    /** By thread: the last commit of a subscription; by order of moves: what it took. */
    private final Map<String, Long> subscribed = new ConcurrentHashMap<>();

    private final Map<String, Long> moved = new ConcurrentHashMap<>();
    private final List<Duration> starts = new ArrayList<>();
    private volatile String order = "";

    private void measure(InterceptedDataSource.Call call) {
        if (call.done() && call.isCommitOf("insert into act_ru_event_subscr")) {
            subscribed.put(order, System.nanoTime());
        } else if (call.done() && call.isCommitOf("insert into ledger")) {
            moved.put(order, System.nanoTime());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void flowable4189MessageBeforeItsSubscriptionIsDeliveredWhenThatCommits(TestDatabase kind) {
        try (Setting setting = new Setting(kind)) {
            CrashNode node =
                    setting.node("node", CrashNode.Role.FULL, this::measure).deploy(setting.database, "{}");
            for (int run = 0; run < WARM_UPS + RUNS; run++) {
                order = "A" + run;
                boolean warm = run >= WARM_UPS;
                CountDownLatch preparation = Preparation.hold(order);
                long begin = System.nanoTime();
                node.start("auftragAsync", order, 0);
                starts.add(Duration.ofNanos(System.nanoTime() - begin));
                setting.publish(order, 0);
                setting.awaitRows("WAITING", 1);
                pause(warm ? EARLY : Duration.ofMillis(10));
                assertThat(setting.effects(order)).isEmpty();
                preparation.countDown();
                setting.awaitRows("DONE", run + 1);
                awaitMeasured();
            }
            assertPrompt(kind + ", job executor on");

            AsyncExecutor jobs = Objects.requireNonNull(
                    node.engine.getProcessEngineConfiguration().getAsyncExecutor());
            jobs.shutdown();
            order = "late";
            node.start("auftragAsync", order, 0);
            setting.publish(order, 0);
            setting.awaitRows("WAITING", 1);
            Duration off = kind == TestDatabase.POSTGRES ? JOBS_OFF : JOBS_BRIEFLY_OFF;
            pause(off);
            assertThat(setting.database.rows("WAITING")).isEqualTo(1);
            assertThat(subscribed).doesNotContainKey(order);
            jobs.start();
            setting.awaitRows("DONE", WARM_UPS + RUNS + 1);
            awaitMeasured();
            assertThat(setting.effects(order)).containsExactly("0");
            System.out.println("4189 " + kind + ", after " + off.toSeconds() + " s without jobs: "
                    + took(order).toMillis() + " ms");
        }
    }

    private void assertPrompt(String what) {
        List<Duration> took = new ArrayList<>();
        for (int run = WARM_UPS; run < WARM_UPS + RUNS; run++) {
            took.add(took("A" + run));
        }
        took.sort(Comparator.naturalOrder());
        System.out.println(
                "4189 " + what + ": " + took.stream().map(Duration::toMillis).toList() + " ms");
        List<Duration> stock = starts.stream().sorted().toList();
        Duration slowMachine = stock.get(stock.size() / 2).multipliedBy(10);
        assertThat(took.get(RUNS / 4))
                .as("starting an instance took " + stock)
                .isLessThan(slowMachine.compareTo(PROMPTLY) > 0 ? slowMachine : PROMPTLY);
    }

    private Duration took(String key) {
        return Duration.ofNanos(Objects.requireNonNull(moved.get(key)) - Objects.requireNonNull(subscribed.get(key)));
    }

    /** Others see a commit before it returns to whoever made it, and is measured. */
    private void awaitMeasured() {
        await().until(() -> moved.containsKey(order) && subscribed.containsKey(order));
    }

    private static void pause(Duration duration) {
        await().pollDelay(duration).atMost(duration.plusSeconds(30)).until(() -> true);
    }
}
