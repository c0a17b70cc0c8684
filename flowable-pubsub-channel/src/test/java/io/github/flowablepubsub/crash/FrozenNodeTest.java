package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** namastack-outbox#75, #204: a node that hangs in the middle of a message must never share its key (rule R4). */
@Tag("alone") // with the machine for itself, see the pom
@Tag("once") // on one Flowable line, see .ci/run
class FrozenNodeTest {

    private static final int OTHERS = 20;
    private static final Duration SHORT = Duration.ofMillis(200);

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void namastack75HangingNodeKeepsItsKeyAndOthersGoOn(TestDatabase kind) {
        List<String> begun = new CopyOnWriteArrayList<>();
        CountDownLatch thaw = new CountDownLatch(1);
        Effect.Hook hook = (moment, order, seq) -> {
            if (moment.equals(Effect.AFTER) && order.equals("frozen")) {
                begun.add("tranche " + seq);
                waitFor(thaw);
            }
        };
        try (Setting setting = new Setting(kind)) {
            Effect.hook("one", hook);
            Effect.hook("two", hook);
            CrashNode one =
                    setting.node("one", CrashNode.Role.FULL.sweeping(SHORT)).deploy(setting.database, "{}");
            setting.node("two", CrashNode.Role.FULL.sweeping(SHORT));
            one.startOrder("frozen", 1);
            setting.publish("frozen", 0);
            await().until(() -> begun.size() == 1);
            setting.publish("frozen", 1);
            publishOthers(setting, one);
            setting.awaitRows("DONE", OTHERS);
            staysSo(() -> {
                assertThat(begun).containsExactly("tranche 0");
                assertThat(setting.effects("frozen")).isEmpty();
            });

            thaw.countDown();
            setting.awaitRows("DONE", OTHERS + 2);
            assertThat(begun).containsExactly("tranche 0", "tranche 1");
            assertThat(setting.effects("frozen")).containsExactly("0", "1");
        } finally {
            thaw.countDown();
        }
    }

    /** The JVM stands still (SIGSTOP), its connection is cut, another node takes over; then it wakes up and tries to commit. */
    @Test
    void namastack204StoppedJvmLosesItsKeyWithItsConnectionAndCannotCommitLater() {
        try (Setting setting = new Setting(TestDatabase.POSTGRES)) {
            CrashNode starter = setting.node("starter", CrashNode.Role.STORE).deploy(setting.database, "{}");
            starter.startOrder("frozen", 1);
            ChildNode child =
                    setting.child("child", ChildMain.Hang.BEFORE_COMMIT, CrashNode.Role.RELAY.sweeping(SHORT));
            child.awaitSignals("started", 1);
            setting.publish("frozen", 0);
            child.awaitSignals("hangs", 1);
            child.send("STOP");

            setting.node("other", CrashNode.Role.RELAY.sweeping(SHORT));
            setting.publish("frozen", 1);
            publishOthers(setting, starter);
            setting.awaitRows("DONE", OTHERS);
            staysSo(() -> assertThat(setting.effects("frozen")).isEmpty());

            assertThat(setting.database.terminateConnections("child")).isPositive();
            setting.awaitRows("DONE", OTHERS + 2);
            assertThat(setting.effects("frozen")).containsExactly("0", "1");

            child.send("CONT");
            child.release();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !child.log("terminating connection").isEmpty());
            // and it is of use again
            starter.startOrder("next", 0);
            setting.publish("next", 0);
            setting.awaitRows("DONE", OTHERS + 3);
            assertThat(setting.effects("frozen")).containsExactly("0", "1");
            assertThat(setting.database.strings("select distinct NODE_ from LEDGER where ORDER_KEY_ = 'frozen'"))
                    .containsExactly("other");
            assertThat(child.isAlive()).isTrue();
        }
    }

    private static void publishOthers(Setting setting, CrashNode starter) {
        for (int i = 0; i < OTHERS; i++) {
            starter.startOrder("other" + i, 0);
            setting.publish("other" + i, 0);
        }
    }

    private static void staysSo(Runnable assertion) {
        await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(60)).untilAsserted(assertion::run);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            if (!latch.await(120, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Never thawed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
