package io.github.flowablepubsub.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What PostgreSQL does for a query.
 *
 * @param rows that it answers
 * @param buffers touched, hit or read, without planning
 * @param millis execution time, median
 * @param scans plan nodes that read or sort much to keep little, empty when there are none
 * @param text the plan
 */
record Plan(long rows, long buffers, double millis, List<String> scans, String text) {

    private static final int RUNS = 5;

    /** More rows than this thrown away, sorted or scanned in one node are not the work on one page. */
    private static final int MANY = 1000;

    private static final Pattern ACTUAL = Pattern.compile("actual time=[\\d.]+ rows=(\\d+) loops=(\\d+)");
    private static final Pattern BUFFERS = Pattern.compile("Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?");
    private static final Pattern TIME = Pattern.compile("Execution Time: ([\\d.]+) ms");
    private static final Pattern REMOVED = Pattern.compile("Rows Removed by [A-Za-z ]+: (\\d+)");

    /**
     * With a plan for these values, or with the one for any values that the driver's prepared statements come to.
     *
     * @param forced use indexes also where a table has only one page
     */
    static Plan of(Db db, ClaimStatements.Query query, boolean generic, boolean forced) throws SQLException {
        try (Connection connection = db.source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("set plan_cache_mode = force_" + (generic ? "generic" : "custom") + "_plan");
            statement.execute("set enable_seqscan = " + (forced ? "off" : "on"));
            statement.execute("prepare q as " + query.sql());
            String values = query.values().isEmpty() ? "" : "(" + String.join(", ", query.values()) + ")";
            List<Double> millis = new ArrayList<>();
            String plan = "";
            for (int run = 0; run < RUNS; run++) { // the last one is of warm caches
                plan = explain(statement, "explain (analyze, buffers) execute q" + values);
                millis.add(number(TIME, plan));
            }
            return new Plan((long) number(ACTUAL, plan), buffers(plan), Stats.median(millis), scans(plan), plan);
        }
    }

    private static String explain(Statement statement, String sql) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (ResultSet lines = statement.executeQuery(sql)) {
            while (lines.next()) {
                text.append(lines.getString(1)).append('\n');
            }
        }
        return text.toString();
    }

    private static double number(Pattern pattern, String plan) {
        Matcher matcher = pattern.matcher(plan);
        if (!matcher.find()) {
            throw new IllegalStateException(pattern + " is not in the plan:\n" + plan);
        }
        return Double.parseDouble(matcher.group(1));
    }

    /** Of the top node, which has those of all below. */
    private static long buffers(String plan) {
        int planning = plan.indexOf("\nPlanning");
        Matcher matcher = BUFFERS.matcher(planning < 0 ? plan : plan.substring(0, planning));
        return matcher.find() ? count(matcher.group(1)) + count(matcher.group(2)) : 0;
    }

    @SuppressWarnings("NullAway") // a group that did not match
    private static long count(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static List<String> scans(String plan) {
        List<String> found = new ArrayList<>();
        String node = "";
        for (String line : plan.lines().toList()) {
            Matcher actual = ACTUAL.matcher(line);
            if (actual.find()) {
                node = line.trim().replaceAll("^->\\s*", "").replaceAll("\\s*\\(cost.*", "");
                long rows = Long.parseLong(actual.group(1)) * Long.parseLong(actual.group(2));
                if (rows > MANY && (node.startsWith("Sort") || node.contains("Scan") || node.startsWith("Hash"))) {
                    found.add(node + ": " + rows + " rows");
                }
            }
            Matcher removed = REMOVED.matcher(line);
            if (removed.find() && Long.parseLong(removed.group(1)) > MANY) {
                found.add(node + ": " + removed.group(1) + " rows thrown away");
            }
        }
        return found;
    }
}
