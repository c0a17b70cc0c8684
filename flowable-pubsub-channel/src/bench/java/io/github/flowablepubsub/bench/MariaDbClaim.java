package io.github.flowablepubsub.bench;

import java.util.HashMap;
import java.util.Map;

/** {@link ClaimBench} on MariaDB, which has no buffers to count but the rows and index entries that it read. */
final class MariaDbClaim {

    private MariaDbClaim() {}

    static Report run() throws Exception {
        int rows = Settings.number("mariadb.rows", 100_000);
        int done = Settings.number("mariadb.done", 1_000_000);
        try (MariaDb db = MariaDb.create()) {
            return run(db, rows, done);
        }
    }

    private static Report run(MariaDb db, int rows, int done) throws Exception {
        Report report = new Report(
                "claiming the next due message on MariaDB "
                        + db.database().strings("select version()").get(0),
                "besides one due message",
                "query",
                "rows answered",
                "Handler_read%",
                "a row",
                "of nothing else",
                "target: 2x");
        Map<String, Double> baseline = new HashMap<>();
        double empty = 0;
        try (Node node = Node.quiet(db.database().pool())) {
            ClaimStatements statements = new ClaimStatements(
                    node.configuration().getSqlSessionFactory().getConfiguration(), ClaimBench.KEY, ClaimBench.PAGE);
            for (Map.Entry<String, ClaimBench.Filling> filling :
                    ClaimBench.fillings(rows, rows, done).entrySet()) {
                Fill fill = Fill.of(db);
                fill.empty();
                filling.getValue().into(fill);
                fill.due(ClaimBench.KEY);
                fill.analyze();
                double whole = 0;
                for (ClaimStatements.Query query : statements.queries()) {
                    if (ClaimBench.PATH.contains(query.name())) {
                        MariaDb.Reads reads = db.count(query);
                        whole += reads.perRow();
                        row(report, filling.getKey(), query.name(), reads, baseline);
                    }
                }
                empty = empty == 0 ? whole : empty;
                double ratio = whole / empty;
                report.row(
                        filling.getKey(),
                        "CLAIM: " + String.join(" + ", ClaimBench.PATH),
                        "",
                        "",
                        Stats.text("%.1f", whole),
                        Stats.text("%.2f", ratio),
                        Report.verdict(ratio <= ClaimBench.MAX_RATIO));
            }
        }
        return report.note("The same statements and kinds of rows as above, at most " + rows + " of a kind and " + done
                        + " done (-Dbench.mariadb.rows, -Dbench.mariadb.done).")
                .note("Handler_read% are rows and index entries that the server asked its engine for.");
    }

    private static void row(
            Report report, String filling, String query, MariaDb.Reads reads, Map<String, Double> baseline) {
        double first = baseline.computeIfAbsent(query, name -> reads.perRow());
        report.row(
                filling,
                query,
                reads.rows(),
                reads.reads(),
                Stats.text("%.1f", reads.perRow()),
                Stats.text("%.2f", reads.perRow() / Math.max(1, first)),
                "");
    }
}
