package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** gruelbox/transaction-outbox#788: a failing first message, or a slow call, freezes its own key at most. */
@Tag("once") // on one Flowable line, see .ci/run
class FailingFirstMessageTest {

    private static final int OTHERS = 30;
    private static final String RETRY =
            """
            {"retry": {"initialDelay": "PT0.2S", "multiplier": 1, "maxDelay": "PT0.2S", "giveUpAfter": "%s"}}
            """;

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void gruelbox788FailingMessageHoldsBackItsKeyOnlyUntilItIsMended(TestDatabase kind) {
        AtomicBoolean mended = new AtomicBoolean();
        List<String> tried = failing(mended);
        try (Setting setting = new Setting(kind)) {
            CrashNode node = bad(setting, "PT1H");
            publishOthers(setting, node);
            setting.awaitRows("DONE", OTHERS);
            await().until(() -> tried.size() >= 3);
            assertThat(tried).containsOnly("0");
            assertThat(setting.effects("bad")).isEmpty();
            mended.set(true);
            setting.awaitRows("DONE", OTHERS + 2);
            assertThat(setting.effects("bad")).containsExactly("0", "1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void gruelbox788GivenUpMessageIsParkedAndItsKeyGoesOn(TestDatabase kind) {
        failing(new AtomicBoolean());
        try (Setting setting = new Setting(kind)) {
            CrashNode node = bad(setting, "PT1S");
            publishOthers(setting, node);
            setting.awaitRows("DONE", OTHERS + 1);
            assertThat(setting.database.strings("select REASON_ from FLW_PUBSUB_INBOX where STATE_ = 'PARKED'"))
                    .containsExactly("PROCESS_FAILED");
            assertThat(setting.effects("bad")).containsExactly("1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void gruelbox788SlowCallWithABacklogBehindItBlocksNobodyElse(TestDatabase kind) {
        CountDownLatch slow = new CountDownLatch(1);
        AtomicBoolean begun = new AtomicBoolean();
        Effect.hook("node", (moment, order, seq) -> {
            begun.compareAndSet(false, order.equals("bad"));
            waitIf(order.equals("bad"), slow);
        });
        try (Setting setting = new Setting(kind)) {
            CrashNode node = setting.node("node", CrashNode.Role.FULL.sweeping(Duration.ofMillis(200)))
                    .deploy(setting.database, "{}");
            node.startOrder("bad", 49);
            for (int i = 0; i < 50; i++) {
                setting.publish("bad", i);
            }
            await().untilTrue(begun);
            publishOthers(setting, node);
            setting.awaitRows("DONE", OTHERS);
            assertThat(setting.effects("bad")).isEmpty();
            slow.countDown();
            setting.awaitRows("DONE", OTHERS + 50);
            assertThat(setting.effects("bad"))
                    .hasSize(50)
                    .isSortedAccordingTo((a, b) -> Integer.parseInt(a) - Integer.parseInt(b));
        } finally {
            slow.countDown();
        }
    }

    /** Fails the first message of the key until it is mended; returns the tranches that were tried. */
    private static List<String> failing(AtomicBoolean mended) {
        List<String> tried = new CopyOnWriteArrayList<>();
        Effect.hook("node", (moment, order, seq) -> {
            if (order.equals("bad") && moment.equals(Effect.AFTER)) {
                tried.add(Integer.toString(seq));
                if (seq == 0 && !mended.get()) {
                    throw new IllegalStateException("The service provider is not there");
                }
            }
        });
        return tried;
    }

    private static CrashNode bad(Setting setting, String giveUpAfter) {
        CrashNode node = setting.node("node", CrashNode.Role.FULL.sweeping(Duration.ofMillis(200)))
                .deploy(setting.database, RETRY.formatted(giveUpAfter));
        node.startOrder("bad", 1);
        setting.publish("bad", 0);
        setting.publish("bad", 1);
        return node;
    }

    private static void publishOthers(Setting setting, CrashNode node) {
        for (int i = 0; i < OTHERS; i++) {
            node.startOrder("other" + i, 0);
            setting.publish("other" + i, 0);
        }
    }

    private static void waitIf(boolean condition, CountDownLatch latch) {
        try {
            if (condition && !latch.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Never let go");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
