package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two nodes that are started at the same moment on one backlog, stopped in the middle of it, and started again. */
@Tag("alone") // with the machine for itself, see the pom
class RestartTest {

    private static final int ORDERS = 120;
    private static final int RESTARTS = 2;
    private static final int MOVES_BEFORE_STOP = 50;
    private static final Duration SHORT = Duration.ofMillis(200);

    private record Running(CrashNode node, PooledDataSource pool) implements AutoCloseable {
        @Override
        public void close() {
            node.close();
            pool.forceCloseAll();
        }
    }

    /** spring-modulith#663 and #572: after a restart, two nodes published one unfinished row again, both of them. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MARIADB"})
    void springModulith663And572TwoNodesThatRestartMoveEachInstanceOnce(TestDatabase kind) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (Setting setting = new Setting(kind)) {
            CrashNode starter = setting.node("starter", CrashNode.Role.STARTER).deploy(setting.database, "{}");
            orders().forEach(order -> starter.startOrder(order, 1));
            setting.node("store", CrashNode.Role.STORE);
            orders().forEach(order -> setting.publish(order, 0));
            orders().forEach(order -> setting.publish(order, 1));
            setting.awaitRows("OPEN", 2 * ORDERS);

            for (int restart = 0; restart < RESTARTS; restart++) {
                CountDownLatch moves = new CountDownLatch(MOVES_BEFORE_STOP);
                try (Both both = Both.start(setting, threads, moves)) {
                    assertThat(moves.await(30, TimeUnit.SECONDS)).isTrue();
                    both.stop(threads);
                }
                assertThat(setting.database.rows("OPEN"))
                        .as("left for the next start")
                        .isPositive();
            }
            try (Both both = Both.start(setting, threads, new CountDownLatch(0))) {
                assertThat(both.nodes()).hasSize(2);
                setting.awaitRows("DONE", 2 * ORDERS);
            }

            orders().forEach(order -> assertThat(setting.effects(order)).containsExactly("0", "1"));
            assertThat(setting.database.count("FLW_PUBSUB_INBOX", "ATTEMPTS_ <> 1"))
                    .isZero();
            assertThat(setting.database.strings("select distinct NODE_ from LEDGER order by 1"))
                    .containsExactly("first", "second");
            assertThat(starter.engine
                            .getRuntimeService()
                            .createProcessInstanceQuery()
                            .count())
                    .isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Both nodes, at work. */
    private record Both(List<Running> nodes) implements AutoCloseable {

        static Both start(Setting setting, ExecutorService threads, CountDownLatch moves) throws Exception {
            List<Future<Running>> starting = new ArrayList<>();
            for (String name : List.of("first", "second")) {
                starting.add(threads.submit(() -> RestartTest.start(setting, name, moves)));
            }
            List<Running> nodes = new ArrayList<>();
            for (Future<Running> node : starting) {
                nodes.add(node.get(60, TimeUnit.SECONDS));
            }
            return new Both(nodes);
        }

        /**
         * At the same moment, and before their engines are closed, as Spring does: a closing engine updates all executions,
         * and may lose a deadlock for it against a relay that works (MariaDB).
         */
        void stop(ExecutorService threads) throws Exception {
            List<Future<?>> stopping = new ArrayList<>();
            nodes.forEach(node -> stopping.add(threads.submit(node.node().pubsub::stop)));
            for (Future<?> node : stopping) {
                node.get(60, TimeUnit.SECONDS);
            }
        }

        @Override
        public void close() {
            nodes.forEach(Running::close);
        }
    }

    private static Running start(Setting setting, String name, CountDownLatch moves) {
        PooledDataSource pool = setting.database.pool(name);
        InterceptedDataSource.Interceptor counting = call -> {
            if (call.done() && call.isCommitOf("insert into ledger")) {
                moves.countDown();
            }
        };
        CrashNode node = CrashNode.start(
                name,
                setting.server.endpoint(),
                setting.database,
                InterceptedDataSource.wrap(pool, counting),
                // Without jobs: a job executor that stops updates all executions, and may lose a deadlock for it on
                // MariaDB.
                CrashNode.Role.RELAY.sweeping(SHORT).withoutJobs());
        return new Running(node, pool);
    }

    private static List<String> orders() {
        return IntStream.range(0, ORDERS).mapToObj(i -> "A" + i).toList();
    }
}
