package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.relay.RelaySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** From the commit of a subscription to the commit that moved the message which waited for it. */
final class WakeUpBench {

    private static final int BLOCK = 50;

    private WakeUpBench() {}

    /** A node, its clock and the messages that it moved. */
    private static final class Side {
        final String name;
        final Counting counting = new Counting();
        final Map<String, Long> moved = new ConcurrentHashMap<>();
        final Node node;
        final List<Double> millis = new ArrayList<>();

        Side(String name, Db db) {
            this.name = name;
            PubSubEngineConfigurator plugin = new PubSubEngineConfigurator(
                    Node.settings("127.0.0.1:1", RelaySettings.DEFAULTS, false, (row, change) -> {
                        if (change.state() == MessageState.DONE) {
                            moved.put(row.orderKey(), System.nanoTime());
                        }
                    }));
            node = Node.start(counting.wrap(db.pool(10)), plugin);
            node.deploy(Models.CHANNEL);
        }

        /** Messages that come first, then their instances: milliseconds from one commit to the other. */
        void block(Db db, String name) throws Exception {
            List<String> orders =
                    IntStream.range(0, BLOCK).mapToObj(i -> name + "-" + i).toList();
            Messages.store(node.store(), orders); // found by the next sweep
            db.await(
                    "select count(*) from FLW_PUBSUB_INBOX where ORDER_KEY_ like '" + name
                            + "-%' and STATE_ = 'WAITING'",
                    BLOCK,
                    60);
            TimeUnit.MILLISECONDS.sleep(100); // their look after the commit is over, too
            for (String order : orders) {
                node.startOrder(order);
                long committed = counting.lastCommitNanos();
                millis.add((awaitMoved(order) - committed) / 1e6);
            }
        }

        private long awaitMoved(String order) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (true) {
                Long at = moved.remove(order);
                if (at != null) {
                    return at;
                }
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("Order " + order + " was not moved in 30 s on " + name);
                }
                TimeUnit.MICROSECONDS.sleep(200);
            }
        }
    }

    static Report run(Postgres server) throws Exception {
        int waiting = Settings.number("waiting", 100_000);
        int messages = Settings.number("messages", 400);
        Db empty = server.create();
        Db full = server.create();
        Side none = new Side("none waiting", empty);
        Side many = new Side(waiting + " others waiting", full);
        Fill.of(full).waiting(waiting);
        full.sql("vacuum analyze");
        none.node.plugin.runtime().start();
        many.node.plugin.runtime().start();
        try {
            none.block(empty, "warm");
            many.block(full, "warm");
            none.millis.clear();
            many.millis.clear();
            for (int block = 0; block < messages / BLOCK; block++) {
                none.block(empty, "b" + block);
                many.block(full, "b" + block);
            }
        } finally {
            none.node.close();
            many.node.close();
        }
        Report report = new Report(
                "from the commit of a subscription to the message moved, " + messages + " messages a side",
                "side",
                "p50 ms",
                "p99 ms",
                "p50 of none waiting",
                "p99 of none waiting",
                "target: p50 30 ms, p99 150 ms");
        for (Side side : List.of(none, many)) {
            double p50 = Stats.median(side.millis);
            double p99 = Stats.percentile(side.millis, 99);
            report.row(
                    side.name,
                    Stats.text("%.1f", p50),
                    Stats.text("%.1f", p99),
                    Stats.text("%.2f", p50 / Stats.median(none.millis)),
                    Stats.text("%.2f", p99 / Stats.percentile(none.millis, 99)),
                    Report.verdict(p50 <= 30 && p99 <= 150));
        }
        return report.note(
                "The clock starts when the instance's commit returns and ends after the commit that finished the"
                        + " message. Sides alternate in blocks of " + BLOCK + ".");
    }
}
