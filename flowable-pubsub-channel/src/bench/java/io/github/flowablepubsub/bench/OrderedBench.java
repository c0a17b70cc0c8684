package io.github.flowablepubsub.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Our relay without a process engine's work behind it, against others that relay from a table. */
final class OrderedBench {

    private static final int PER_KEY = 10;

    private static final double NOISE = 0.1;

    private OrderedBench() {}

    private static List<Side> sides(int nodes) {
        List<Side> sides = new ArrayList<>(List.of(
                new OurRelay(false, false),
                new OurRelay(true, false),
                new OurRelay(false, true),
                new Namastack(),
                new DbScheduler()));
        sides.add(new TransactionOutboxSide(false));
        if (nodes == 1) {
            sides.add(new TransactionOutboxSide(true));
        }
        return sides;
    }

    static Report run(Postgres server) throws Exception {
        int rows = Settings.number("rows", 10_000);
        int rounds = Settings.number("rounds", 3);
        int threads = Settings.number("threads", 4);
        List<String> keys = Messages.mixed(rows / PER_KEY, PER_KEY);
        Report report = new Report(
                Stats.text(
                        "ordered relay of %d rows, %d per key, %d threads a node, nothing delivered",
                        rows, PER_KEY, threads),
                "nodes",
                "side",
                "rows/s",
                "of ours as delivered",
                "rounds",
                "statements / transactions with BEGIN / WAL bytes / buffers per row",
                "target: ours, each as delivered, ahead",
                "ours, all filtered, ahead");
        for (String count : Settings.names("nodes", List.of("1", "2"))) {
            int nodes = Integer.parseInt(count);
            List<Side> sides = sides(nodes);
            Map<Side, List<Side.Run>> runs = new LinkedHashMap<>();
            for (int round = 0; round <= rounds; round++) {
                for (Side side : sides) {
                    List<String> sample = round == 0 ? keys.subList(0, keys.size() / 4) : keys; // warms up
                    Db db = server.create();
                    Side.Run run = side.run(db, nodes, threads, sample);
                    server.drop(db);
                    System.out.println(Stats.text(
                            "  round %d, %d nodes, %s: %.0f rows/s",
                            round, nodes, side.name(), sample.size() / run.seconds()));
                    if (round > 0) {
                        runs.computeIfAbsent(side, s -> new ArrayList<>()).add(run);
                    }
                }
            }
            add(report, nodes, rows, runs);
        }
        report.note(OurRelay.profile(server.create(), threads, keys));
        return report.note(
                        "Each round every side once, in turn, on an empty database; medians. The first round only warms"
                                + " up. Rows are stored beforehand; the clock runs from the start of the nodes (sides that hand"
                                + " over, and namastack-outbox: from the commit that makes the rows visible) to the last row.")
                .note("Verdicts and ratio are of ours with lanes found by sweeps, as all nodes find them that way.")
                .note(
                        "Ours, each as delivered: one transaction a message, as with a receiver. All filtered: messages that"
                                + " move nothing share transactions; not what the others do, which commit each row.")
                .note("transaction-outbox: the newest version that the build's registry serves has no ordered mode.");
    }

    private static void add(Report report, int nodes, int rows, Map<Side, List<Side.Run>> runs) {
        double delivered = ofSweeps(runs, rows, true);
        double nothing = ofSweeps(runs, rows, false);
        for (Map.Entry<Side, List<Side.Run>> entry : runs.entrySet()) {
            List<Double> rates = rates(entry.getValue(), rows);
            double rate = Stats.median(rates);
            boolean own = entry.getKey() instanceof OurRelay;
            report.row(
                    nodes,
                    entry.getKey().name(),
                    Stats.text("%.0f", rate),
                    Stats.text("%.2f", rate / delivered),
                    Stats.rounds(rates, "%.0f"),
                    entry.getValue().get(entry.getValue().size() - 1).cost().perMessage(rows),
                    own ? "" : ahead(delivered, rate),
                    own ? "" : ahead(nothing, rate));
        }
    }

    /** Medians that are closer than the rounds of one side are no lead. */
    private static String ahead(double ours, double other) {
        return Math.abs(ours / other - 1) < NOISE ? "tie, NOT MET" : Report.verdict(ours > other);
    }

    private static List<Double> rates(List<Side.Run> runs, int rows) {
        return runs.stream().map(run -> rows / run.seconds()).toList();
    }

    /** The median of ours with lanes found by sweeps. */
    private static double ofSweeps(Map<Side, List<Side.Run>> runs, int rows, boolean asDelivered) {
        return Stats.median(rates(
                Objects.requireNonNull(runs.get(new OurRelay(false, asDelivered)), "ours was not measured"), rows));
    }
}
