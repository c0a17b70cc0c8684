package io.github.flowablepubsub.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** What it costs to find, lock and read the next due message, whatever else the tables hold. */
final class ClaimBench {

    private static final String KEY = "zz-due";

    /** As the relay's sweeps ask. */
    private static final int PAGE = 200;

    private static final double MAX_RATIO = 2;
    private static final double MAX_MILLIS = 2;

    /** Rows that are in the tables besides the due one. */
    @FunctionalInterface
    private interface Filling {
        void into(Fill fill) throws SQLException;
    }

    private ClaimBench() {}

    private static Map<String, Filling> fillings() {
        int keys = Settings.number("keys", 100_000);
        int million = Settings.number("million", 1_000_000);
        int done = Settings.number("done", 20_000_000);
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
                "rows",
                "buffers",
                "a row",
                "of nothing else",
                "ms",
                "scans",
                "target: 2x, 2 ms, no scan");
        StringBuilder plans = new StringBuilder();
        try (Node node = Node.quiet(db.pool(5))) {
            ClaimStatements statements = new ClaimStatements(
                    node.configuration().getSqlSessionFactory().getConfiguration(), KEY, PAGE);
            Map<String, Double> baseline = new HashMap<>();
            for (Map.Entry<String, Filling> filling : fillings().entrySet()) {
                Fill fill = Fill.of(db);
                fill.empty();
                filling.getValue().into(fill);
                fill.due(KEY);
                db.sql("vacuum (analyze) FLW_PUBSUB_INBOX, FLW_PUBSUB_LANE, FLW_PUBSUB_MATCH_KEY");
                for (ClaimStatements.Query query : statements.queries()) {
                    measure(db, report, filling.getKey(), query, baseline, plans);
                }
            }
        }
        Path file = write(plans);
        return report.note(
                        "Queries are taken from the engine's MyBatis; each is planned for its values and for any values,"
                                + " and the worse is shown. Buffers are of the fifth run, ms the median of five.")
                .note("A page query answers up to " + PAGE
                        + " rows at once: its buffers count per row that it answers.")
                .note("Queries in brackets take no part in claiming (wake-ups, housekeeping): shown, not judged.")
                .note("Scans: plan nodes that read, sort or throw away more than 1000 rows.")
                .note("All plans: " + file);
    }

    private static void measure(
            Db db,
            Report report,
            String filling,
            ClaimStatements.Query query,
            Map<String, Double> baseline,
            StringBuilder plans)
            throws SQLException {
        Plan custom = Plan.of(db, query, false);
        Plan generic = Plan.of(db, query, true);
        Plan plan = generic.buffers() > custom.buffers() ? generic : custom;
        double perRow = (double) plan.buffers() / Math.max(1, plan.rows());
        double ratio = perRow / Objects.requireNonNullElse(baseline.putIfAbsent(query.name(), perRow), perRow);
        double millis = Math.max(custom.millis(), generic.millis());
        String scans = String.join("; ", plan.scans());
        boolean met = ratio <= MAX_RATIO && millis <= MAX_MILLIS && plan.scans().isEmpty();
        report.row(
                filling,
                query.claim() ? query.name() : "(" + query.name() + ")",
                plan.rows(),
                plan.buffers(),
                Stats.text("%.1f", perRow),
                Stats.text("%.2f", ratio),
                Stats.text("%.2f", millis),
                scans.isEmpty() ? "none" : scans,
                query.claim() ? Report.verdict(met) : "");
        plans.append("== ").append(filling).append(", ").append(query.name()).append('\n');
        plans.append(query.sql()).append(query.values()).append('\n');
        plans.append("for these values\n").append(custom.text());
        plans.append("for any values\n").append(generic.text()).append('\n');
    }

    private static Path write(StringBuilder plans) throws IOException {
        Path file = Path.of("target", "claim-plans.txt").toAbsolutePath();
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, plans);
    }
}
