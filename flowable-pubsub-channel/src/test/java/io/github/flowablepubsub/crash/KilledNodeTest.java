package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node's JVM is killed with SIGKILL at every point of a message's way (rules R1, R2, R3), on servers that outlive it. */
class KilledNodeTest {

    /** As many as relay threads, so that all of them are in the middle of one. */
    private static final int ORDERS = 4;

    private static final Duration SHORT = Duration.ofMillis(500);

    /** camunda/camunda#26926: a crash after the trigger and before the done mark triggered twice. */
    @ParameterizedTest
    @EnumSource(names = {"BEFORE_EFFECT", "AFTER_EFFECT", "BEFORE_COMMIT", "AFTER_COMMIT"})
    void camunda26926CrashBetweenTriggerAndCommitMovesEachInstanceOnce(ChildMain.Hang point) {
        movesEachInstanceOnce(TestDatabase.POSTGRES, point);
    }

    @Tag("once") // on one Flowable line, see .ci/run
    @ParameterizedTest
    @EnumSource(names = {"BEFORE_COMMIT", "AFTER_COMMIT"})
    void camunda26926CrashBetweenTriggerAndCommitMovesEachInstanceOnceOnMariaDb(ChildMain.Hang point) {
        movesEachInstanceOnce(TestDatabase.MARIADB, point);
    }

    private static void movesEachInstanceOnce(TestDatabase kind, ChildMain.Hang point) {
        try (Setting setting = new Setting(kind)) {
            CrashNode starter = setting.node("starter", CrashNode.Role.STARTER).deploy(setting.database, "{}");
            orders().forEach(order -> starter.startOrder(order, 1));
            ChildNode child = setting.child("child", point, CrashNode.Role.FULL.sweeping(SHORT));
            child.awaitSignals("started", 1);
            orders().forEach(order -> setting.publish(order, 0));
            child.awaitSignals("hangs", ORDERS);
            child.kill();

            boolean committed = point == ChildMain.Hang.AFTER_COMMIT;
            assertThat(setting.database.rows(committed ? "DONE" : "OPEN")).isEqualTo(ORDERS);
            assertThat(setting.effects()).isEqualTo(committed ? ORDERS : 0);

            setting.node("survivor", CrashNode.Role.RELAY.sweeping(SHORT));
            setting.awaitRows("DONE", ORDERS);
            orders().forEach(order -> assertThat(setting.effects(order)).containsExactly("0"));
            assertThat(setting.database.strings("select distinct NODE_ from LEDGER"))
                    .containsExactly(committed ? "child" : "survivor");
            // each instance waits at its second tranche: moved once, and not beyond
            assertThat(starter.engine
                            .getRuntimeService()
                            .createExecutionQuery()
                            .activityId("warten")
                            .count())
                    .isEqualTo(ORDERS);
            orders().forEach(order -> setting.publish(order, 1));
            setting.node("consumer", CrashNode.Role.FULL);
            setting.awaitRows("DONE", 2 * ORDERS);
            orders().forEach(order -> assertThat(setting.effects(order)).containsExactly("0", "1"));
            assertThat(starter.engine
                            .getRuntimeService()
                            .createProcessInstanceQuery()
                            .count())
                    .isZero();
        }
    }

    @Tag("once")
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MARIADB"})
    void storedButNotAckedIsRecognisedWhenItComesAgain(TestDatabase kind) {
        try (Setting setting = new Setting(kind)) {
            CrashNode starter = setting.node("starter", CrashNode.Role.STARTER).deploy(setting.database, "{}");
            starter.startOrder("A", 0);
            ChildNode child = setting.child("child", ChildMain.Hang.AFTER_STORE_COMMIT, CrashNode.Role.FULL);
            child.awaitSignals("started", 1);
            setting.publish("A", 0);
            child.awaitSignals("hangs", 1);
            child.kill();
            assertThat(setting.database.rows("OPEN")).isEqualTo(1);
            assertThat(setting.server.unacked(Models.SUBSCRIPTION)).isEqualTo(1);

            setting.server.expireLeases(Models.SUBSCRIPTION);
            setting.node("store", CrashNode.Role.STORE);
            setting.server.awaitEmpty(Models.SUBSCRIPTION, Duration.ofSeconds(60));
            await().untilAsserted(() -> assertThat(setting.database.strings("select DUPLICATES_ from FLW_PUBSUB_INBOX"))
                    .containsExactly("1"));
            setting.node("relay", CrashNode.Role.RELAY.sweeping(SHORT));
            setting.awaitRows("DONE", 1);
            assertThat(setting.effects("A")).containsExactly("0");
        }
    }

    @Tag("once")
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MARIADB"})
    void notStoredComesAgain(TestDatabase kind) {
        try (Setting setting = new Setting(kind)) {
            CrashNode starter = setting.node("starter", CrashNode.Role.STARTER).deploy(setting.database, "{}");
            starter.startOrder("A", 0);
            ChildNode child = setting.child("child", ChildMain.Hang.BEFORE_STORE_COMMIT, CrashNode.Role.FULL);
            child.awaitSignals("started", 1);
            setting.publish("A", 0);
            child.awaitSignals("hangs", 1);
            // Before the commit it is in Pub/Sub, and only there.
            assertThat(setting.server.unacked(Models.SUBSCRIPTION)).isEqualTo(1);
            child.kill();
            assertThat(setting.database.rows("OPEN")).isZero();

            setting.server.expireLeases(Models.SUBSCRIPTION);
            setting.node("survivor", CrashNode.Role.FULL);
            setting.awaitRows("DONE", 1);
            setting.server.awaitEmpty(Models.SUBSCRIPTION, Duration.ofSeconds(60));
            assertThat(setting.database.strings("select DUPLICATES_ from FLW_PUBSUB_INBOX"))
                    .containsExactly("0");
            assertThat(setting.effects("A")).containsExactly("0");
        }
    }

    private static List<String> orders() {
        return IntStream.range(0, ORDERS).mapToObj(i -> "A" + i).toList();
    }
}
