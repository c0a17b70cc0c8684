package io.github.flowablepubsub.bench;

import java.sql.SQLException;

/**
 * What a database has done for a stretch of work, from {@code pg_stat_statements}.
 *
 * @param statements without BEGIN, COMMIT, ROLLBACK and SET
 * @param transactions explicit ones; statements without one commit by themselves
 * @param walBytes written to the log
 * @param buffers touched
 */
record Cost(long statements, long transactions, long walBytes, long buffers) {

    private static final String TRANSACTIONAL = "query ~* '^(begin|commit|rollback|set |show )'";

    /** Counts from zero. */
    static void reset(Db db) throws SQLException {
        db.sql(
                "select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)");
    }

    static Cost of(Db db) throws SQLException {
        String own = " from pg_stat_statements where dbid = (select oid from pg_database where datname ="
                + " current_database()) and query not like '%pg_stat_statements%'";
        return new Cost(
                db.number("select coalesce(sum(calls), 0)" + own + " and not " + TRANSACTIONAL),
                db.number("select coalesce(sum(calls), 0)" + own + " and query ~* '^begin'"),
                db.number("select coalesce(sum(wal_bytes), 0)" + own),
                db.number("select coalesce(sum(shared_blks_hit + shared_blks_read), 0)" + own));
    }

    /** Each per message, for a table. */
    String perMessage(int messages) {
        return Stats.text(
                "%.1f / %.2f / %.0f / %.0f",
                (double) statements / messages,
                (double) transactions / messages,
                (double) walBytes / messages,
                (double) buffers / messages);
    }
}
