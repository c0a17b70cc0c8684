package io.github.flowablepubsub.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What it costs to find, lock and read the next due message, whatever else the tables hold. */
final class ClaimBench {

    static final String KEY = "zz-due";

    /** As the relay's sweeps ask. */
    static final int PAGE = 200;

    /** What finds, locks and reads a message. */
    static final List<String> PATH = List.of("due", "lock", "oldestOpen");

    static final double MAX_RATIO = 2;
    private static final double MAX_MILLIS = 2;

    /** Rows that are in the tables besides the due one. */
    @FunctionalInterface
    interface Filling {
        void into(Fill fill) throws SQLException;
    }

    private ClaimBench() {}

    private static Map<String, Filling> fillings() {
        return fillings(
                Settings.number("keys", 100_000),
                Settings.number("million", 1_000_000),
                Settings.number("done", 20_000_000));
    }

    static Map<String, Filling> fillings(int keys, int million, int done) {
        Map<String, Filling> fillings = new LinkedHashMap<>();
        fillings.put("nothing else", fill -> {});
        fillings.put("1000 waiting", fill -> fill.waiting(1000));
        fillings.put(keys + " waiting", fill -> fill.waiting(keys));
        fillings.put(million + " waiting", fill -> fill.waiting(million));
        fillings.put(keys + " behind one key", fill -> fill.behindOneKey(keys));
        fillings.put(keys + " waiting heads, one HELD_BACK behind each", fill -> {
            fill.waiting(keys);
            fill.heldBack(keys);
        });
        fillings.put(keys + " waiting heads, one still OPEN behind each", fill -> {
            fill.waiting(keys);
            fill.openBehind(keys);
        });
        fillings.put(keys + " behind the key of the due one", fill -> fill.behind(KEY, keys));
        fillings.put(million + " parked", fill -> fill.parked(million));
        fillings.put(done + " done and cleared", fill -> fill.done(done));
        return fillings;
    }

    static Report run(Postgres server) throws Exception {
        Db db = server.create();
        Report report = new Report(
                "claiming the next due message",
                "besides one due message",
                "query",
                "buffers",
                "of nothing else",
                "of it with index plans",
                "ms",
                "scans",
                "target: 2x, 2 ms, no scan");
        StringBuilder plans = new StringBuilder();
        try (Node node = Node.quiet(db.pool(5))) {
            ClaimStatements statements = new ClaimStatements(
                    node.configuration().getSqlSessionFactory().getConfiguration(), KEY, PAGE);
            Map<String, double[]> baseline = new HashMap<>();
            for (Map.Entry<String, Filling> filling : fillings().entrySet()) {
                Fill fill = Fill.of(db);
                fill.empty();
                filling.getValue().into(fill);
                fill.due(KEY);
                fill.analyze();
                measure(db, report, filling.getKey(), statements.queries(), baseline, plans);
            }
        }
        Path file = write(plans);
        return report.note(
                        "Queries are taken from the engine's MyBatis; each is planned for its values and for any values,"
                                + " and the worse is shown. Buffers are of the fifth run, ms the median of five.")
                .note("Buffers are per row that a query answers; the sweep's page of up to " + PAGE
                        + " rows is shared by them.")
                .note("With index plans: against the same queries on the nearly empty tables where PostgreSQL may not"
                        + " read the only page of a table without an index.")
                .note("Queries in brackets take no part in claiming (wake-ups, housekeeping): shown, not judged.")
                .note("Scans: plan nodes that read, sort or throw away more than 1000 rows.")
                .note("All plans: " + file)
                .and(MariaDbClaim.run());
    }

    /** Buffers per row of a query, and what speaks against it. */
    private record Figure(double buffers, double millis, String scans) {}

    private static void measure(
            Db db,
            Report report,
            String filling,
            List<ClaimStatements.Query> queries,
            Map<String, double[]> baseline,
            StringBuilder plans)
            throws SQLException {
        Figure whole = new Figure(0, 0, "");
        double forcedWhole = 0;
        for (ClaimStatements.Query query : queries) {
            Figure figure = figure(db, filling, query, plans);
            double forced = perRow(Plan.of(db, query, true, true));
            double[] base = baseline.computeIfAbsent(query.name(), name -> new double[] {figure.buffers(), forced});
            if (PATH.contains(query.name())) {
                whole = new Figure(
                        whole.buffers() + figure.buffers(),
                        whole.millis() + figure.millis(),
                        String.join(" ", whole.scans(), figure.scans()).trim());
                forcedWhole += forced;
            }
            row(report, filling, query.claim() ? query.name() : "(" + query.name() + ")", figure, base, false);
        }
        double[] found = {whole.buffers(), forcedWhole};
        row(
                report,
                filling,
                "CLAIM: " + String.join(" + ", PATH),
                whole,
                baseline.computeIfAbsent("", k -> found),
                true);
    }

    private static void row(
            Report report, String filling, String name, Figure figure, double[] baseline, boolean judged) {
        double ratio = figure.buffers() / Math.max(1, baseline[0]);
        boolean met = ratio <= MAX_RATIO
                && figure.millis() <= MAX_MILLIS
                && figure.scans().isEmpty();
        report.row(
                filling,
                name,
                Stats.text("%.1f", figure.buffers()),
                Stats.text("%.2f", ratio),
                Stats.text("%.2f", figure.buffers() / Math.max(1, baseline[1])),
                Stats.text("%.2f", figure.millis()),
                figure.scans().isEmpty() ? "none" : figure.scans(),
                judged ? Report.verdict(met) : "");
    }

    private static Figure figure(Db db, String filling, ClaimStatements.Query query, StringBuilder plans)
            throws SQLException {
        Plan custom = Plan.of(db, query, false, false);
        Plan generic = Plan.of(db, query, true, false);
        plans.append("== ").append(filling).append(", ").append(query.name()).append('\n');
        plans.append(query.sql()).append(query.values()).append('\n');
        plans.append("for these values\n").append(custom.text());
        plans.append("for any values\n").append(generic.text()).append('\n');
        Plan worse = perRow(generic) > perRow(custom) ? generic : custom;
        return new Figure(perRow(worse), Math.max(custom.millis(), generic.millis()), String.join("; ", worse.scans()));
    }

    private static double perRow(Plan plan) {
        return (double) plan.buffers() / Math.max(1, plan.rows());
    }

    private static Path write(StringBuilder plans) throws IOException {
        Path file = Path.of(System.getProperty("bench.target", "target"), "claim-plans.txt")
                .toAbsolutePath();
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, plans);
    }
}
