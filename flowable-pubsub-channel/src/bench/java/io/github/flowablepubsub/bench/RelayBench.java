package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.relay.RelaySettings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** Moving process instances that wait: our relay against Flowable's own event registry on the same events. */
final class RelayBench {

    private static final double TARGET = 0.95;

    private RelayBench() {}

    static Report run(Postgres server) throws Exception {
        int instances = Settings.number("instances", 5000);
        int rounds = Settings.number("rounds", 3);
        Report report = new Report(
                "moving " + instances + " waiting process instances",
                "threads",
                "side",
                "instances/s",
                "of stock",
                "rounds",
                "target: at least " + TARGET);
        for (String count : Settings.names("threads", List.of("1", "4"))) {
            int threads = Integer.parseInt(count);
            List<Double> ours = new ArrayList<>();
            List<Double> stock = new ArrayList<>();
            Counting counting = new Counting();
            AtomicReference<Side.Countdown> countdown = new AtomicReference<>(new Side.Countdown(0));
            PubSubEngineConfigurator plugin = new PubSubEngineConfigurator(Node.settings(
                    "127.0.0.1:1",
                    new RelaySettings(true, threads, RelaySettings.DEFAULTS.sweepInterval()),
                    false,
                    (row, change) -> {
                        if (change.state() == MessageState.DONE) {
                            Objects.requireNonNull(countdown.get()).one();
                        }
                    }));
            Db ourDb = server.create();
            Db stockDb = server.create();
            try (Node node = Node.start(counting.wrap(ourDb.pool(threads + 6)), plugin);
                    Stock other = new Stock(stockDb.pool(threads + 6))) {
                node.deploy(Models.CHANNEL);
                // The first round warms up, the last one of ours is counted, which costs time.
                for (int round = 0; round <= rounds + 1; round++) {
                    String name = "r" + round + "-";
                    List<String> orders = IntStream.range(0, instances)
                            .mapToObj(i -> name + i)
                            .toList();
                    counting.on(round > rounds);
                    if (round > rounds) {
                        ours(ourDb, node, orders, countdown, counting);
                        continue;
                    }
                    double stockSeconds = round % 2 == 0 ? stock(stockDb, other, orders, threads) : 0;
                    double ourSeconds = ours(ourDb, node, orders, countdown, counting);
                    stockSeconds = round % 2 == 0 ? stockSeconds : stock(stockDb, other, orders, threads);
                    if (round > 0) {
                        ours.add(instances / ourSeconds);
                        stock.add(instances / stockSeconds);
                    }
                }
            }
            row(report, threads, "stock eventReceived", stock, stock, "");
            report.note(threads + " thread(s), another round of ours, counted:" + counting.profile(instances));
            double ratio = Stats.median(ours) / Stats.median(stock);
            row(report, threads, "our relay", ours, stock, Report.verdict(ratio >= TARGET));
        }
        return report.note(
                "Instances are started and messages stored before the clock starts; ours runs from the start of"
                        + " the relay to the last row DONE. Both are vacuumed, analyzed and checkpointed then. Sides take turns, also in who is first; medians; the first round only warms up.");
    }

    private static void row(
            Report report, int threads, String side, List<Double> rates, List<Double> stock, String verdict) {
        report.row(
                threads,
                side,
                Stats.text("%.0f", Stats.median(rates)),
                Stats.text("%.2f", Stats.median(rates) / Stats.median(stock)),
                Stats.rounds(rates, "%.0f"),
                verdict);
    }

    private static double ours(
            Db db, Node node, List<String> orders, AtomicReference<Side.Countdown> current, Counting counting)
            throws Exception {
        orders.forEach(node::startOrder);
        Messages.store(node.store(), orders);
        Side.Countdown countdown = new Side.Countdown(orders.size());
        current.set(countdown);
        counting.reset();
        quiet(db);
        long start = System.nanoTime();
        node.plugin.runtime().start();
        double seconds = countdown.await(start);
        node.plugin.runtime().stop();
        return seconds;
    }

    /** What starting the instances has left to do is done before the clock starts, on both sides. */
    private static void quiet(Db db) throws SQLException {
        db.sql("vacuum analyze", "checkpoint");
    }

    private static double stock(Db db, Stock stock, List<String> orders, int threads) throws Exception {
        orders.forEach(stock.node::startOrder);
        Queue<String> events = new ConcurrentLinkedQueue<>(
                orders.stream().map(Models::completion).toList());
        Side.Countdown countdown = new Side.Countdown(orders.size());
        quiet(db);
        long start = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            new Thread(
                            () -> {
                                for (String event = events.poll(); event != null; event = events.poll()) {
                                    stock.received(event);
                                    countdown.one();
                                }
                            },
                            "stock-" + i)
                    .start();
        }
        return countdown.await(start);
    }
}
