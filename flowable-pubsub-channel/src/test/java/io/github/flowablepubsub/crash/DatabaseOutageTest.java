package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** MassTransit#5822: the database goes away while messages are relayed. No spin, no loss, each effect once and in order. */
@Tag("alone") // with the machine for itself, see the pom
@Tag("once") // on one Flowable line, see .ci/run
class DatabaseOutageTest {

    private static final int ORDERS = 20;
    private static final int TRANCHES = 10;
    private static final Duration OUTAGE = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(200);

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void massTransit5822DatabaseAwayWhileMessagesComeIn(TestDatabase kind) {
        AtomicBoolean down = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        InterceptedDataSource.Interceptor outage = call -> {
            if (down.get() && !call.done()) {
                refused.incrementAndGet();
                throw new SQLException("Connection refused by the test", "08001");
            }
        };
        try (Setting setting = new Setting(kind);
                LogLines log = new LogLines()) {
            CrashNode starter = setting.node("starter", CrashNode.Role.STARTER).deploy(setting.database, "{}");
            setting.node("node", CrashNode.Role.FULL.withoutJobs().sweeping(SHORT), outage);
            start(starter);
            publish(setting, 0, TRANCHES / 2);
            await().until(() -> setting.database.rows("DONE") >= ORDERS);
            down.set(true);
            publish(setting, TRANCHES / 2, TRANCHES);
            pause(OUTAGE);
            int attempts = refused.get();
            int lines = log.all().size();
            down.set(false);
            System.out.println("Outage " + kind + ": " + attempts + " attempts, " + lines + " log lines in " + OUTAGE);

            setting.awaitRows("DONE", ORDERS * TRANCHES, Duration.ofSeconds(60));
            assertEachOnceInOrder(setting);
            assertThat(attempts).isBetween(1, 100);
            assertThat(lines).isLessThan(100);
        }
    }

    /** Connections are cut again and again, each in the middle of something. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MARIADB"})
    void massTransit5822ConnectionsCutWhileRelaying(TestDatabase kind) {
        try (Setting setting = new Setting(kind);
                LogLines log = new LogLines()) {
            CrashNode starter = setting.node("starter", CrashNode.Role.STARTER).deploy(setting.database, "{}");
            setting.node("node", CrashNode.Role.FULL.withoutJobs().sweeping(SHORT));
            start(starter);
            publish(setting, 0, TRANCHES);
            int cut = 0;
            Instant end = Instant.now().plus(OUTAGE);
            while (Instant.now().isBefore(end)) {
                cut += setting.database.terminateConnections("node");
                pause(Duration.ofMillis(100));
            }
            int lines = log.all().size();
            System.out.println("Cut " + cut + " connections, " + lines + " log lines");
            setting.awaitRows("DONE", ORDERS * TRANCHES, Duration.ofSeconds(60));
            assertEachOnceInOrder(setting);
            assertThat(cut).isGreaterThan(5);
            assertThat(lines).isLessThan(300);
        }
    }

    private static void start(CrashNode starter) {
        IntStream.range(0, ORDERS).forEach(order -> starter.startOrder("A" + order, TRANCHES - 1));
    }

    private static void publish(Setting setting, int from, int to) {
        for (int tranche = from; tranche < to; tranche++) {
            for (int order = 0; order < ORDERS; order++) {
                setting.publish("A" + order, tranche);
            }
        }
    }

    private static void assertEachOnceInOrder(Setting setting) {
        List<String> expected =
                IntStream.range(0, TRANCHES).mapToObj(Integer::toString).toList();
        for (int order = 0; order < ORDERS; order++) {
            assertThat(setting.effects("A" + order)).as("order A%d", order).isEqualTo(expected);
        }
        assertThat(setting.effects()).isEqualTo(ORDERS * TRANCHES);
        // keys were read, none was stored raw for a failure of the database
        assertThat(setting.database.count("FLW_PUBSUB_INBOX", "EVENT_KEY_ is null"))
                .isZero();
    }

    private static void pause(Duration duration) {
        await().pollDelay(duration).atMost(duration.plusSeconds(30)).until(() -> true);
    }
}
