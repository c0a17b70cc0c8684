package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.relay.RelaySettings;
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
            try (Node node = Node.start(counting.wrap(server.create().pool(threads + 6)), plugin);
                    Stock other = new Stock(server.create().pool(threads + 6))) {
                node.deploy(Models.CHANNEL);
                for (int round = 0; round <= rounds; round++) { // the first one warms up
                    String name = "r" + round + "-";
                    int size = round == 0 ? Math.min(500, instances) : instances;
                    List<String> orders =
                            IntStream.range(0, size).mapToObj(i -> name + i).toList();
                    double ourSeconds = ours(node, orders, countdown, counting);
                    double stockSeconds = stock(other, orders, threads);
                    if (round > 0) {
                        ours.add(size / ourSeconds);
                        stock.add(size / stockSeconds);
                    }
                }
            }
            row(report, threads, "stock eventReceived", stock, stock, "");
            report.note(threads + " thread(s), the last round of ours:" + counting.profile(instances));
            double ratio = Stats.median(ours) / Stats.median(stock);
            row(report, threads, "our relay", ours, stock, Report.verdict(ratio >= TARGET));
        }
        return report.note(
                "Instances are started and messages stored before the clock starts; ours runs from the start of"
                        + " the relay to the last row DONE. Sides alternate; medians; the first round only warms up.");
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
            Node node, List<String> orders, AtomicReference<Side.Countdown> current, Counting counting)
            throws InterruptedException {
        orders.forEach(node::startOrder);
        Messages.store(node.store(), orders);
        Side.Countdown countdown = new Side.Countdown(orders.size());
        current.set(countdown);
        counting.reset();
        long start = System.nanoTime();
        node.plugin.runtime().start();
        double seconds = countdown.await(start);
        node.plugin.runtime().stop();
        return seconds;
    }

    private static double stock(Stock stock, List<String> orders, int threads) throws InterruptedException {
        orders.forEach(stock.node::startOrder);
        Queue<String> events = new ConcurrentLinkedQueue<>(
                orders.stream().map(Models::completion).toList());
        Side.Countdown countdown = new Side.Countdown(orders.size());
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
