package io.github.flowablepubsub.bench;

import java.sql.SQLException;

/**
 * Rows straight into the tables, in the state in which the product leaves them. All are older than what comes later.
 *
 * @param db with the product's tables
 */
record Fill(Tables db) {

    private static final String[] TABLES = {"FLW_PUBSUB_INBOX", "FLW_PUBSUB_LANE", "FLW_PUBSUB_MATCH_KEY"};

    private static final int CHUNK = 250_000;

    static Fill of(Tables db) {
        return new Fill(db);
    }

    void empty() throws SQLException {
        for (String table : TABLES) {
            db.sql("truncate table " + table);
        }
    }

    void analyze() throws SQLException {
        db.analyze(TABLES);
    }

    /** The one due message, newest of all; returns its id. */
    long due(String orderKey) throws SQLException {
        insert("due", 1, "'" + orderKey + "'", "OPEN", "null", "now()", "null");
        return db.number(
                "select ID_ from FLW_PUBSUB_INBOX where ORDER_KEY_ = '" + orderKey + "' and MESSAGE_ID_ = 'due-1'");
    }

    /** Messages of as many keys that wait for their subscription, with their match keys. */
    void waiting(int rows) throws SQLException {
        insert(
                "wait",
                rows,
                "concat('W', g)",
                "WAITING",
                "'NO_MATCH'",
                "now() + interval '7' day",
                "now() + interval '7' day");
        db.sql(
                "insert into FLW_PUBSUB_MATCH_KEY (INBOX_ID_, EVENT_KEY_, CONFIGURATION_) select ID_, EVENT_KEY_, '*'"
                        + " from FLW_PUBSUB_INBOX where MESSAGE_ID_ like 'wait-%'",
                "insert into FLW_PUBSUB_MATCH_KEY (INBOX_ID_, EVENT_KEY_, CONFIGURATION_) select ID_, EVENT_KEY_,"
                        + " concat('c', ID_) from FLW_PUBSUB_INBOX where MESSAGE_ID_ like 'wait-%'");
    }

    /** Open and due messages of one key. */
    void behindOneKey(int rows) throws SQLException {
        behind("busy", rows);
    }

    void behind(String orderKey, int rows) throws SQLException {
        insert("busy", rows, "'" + orderKey + "'", "OPEN", "null", "now()", "null");
    }

    /** Behind each of the {@link #waiting} ones a later message of its key, held back as the relay does. */
    void heldBack(int rows) throws SQLException {
        insert("held", rows, "concat('W', g)", "WAITING", "'HELD_BACK'", "null", "null");
    }

    /** Behind each of the {@link #waiting} ones a later message of its key, just stored. */
    void openBehind(int rows) throws SQLException {
        insert("behind", rows, "concat('W', g)", "OPEN", "null", "now()", "null");
    }

    void parked(int rows) throws SQLException {
        insert("park", rows, "concat('P', g)", "PARKED", "'NO_MATCH'", "now()", "now()");
    }

    /** Finished messages, ten of each key, their bodies cleared. */
    void done(int rows) throws SQLException {
        for (int from = 1; from <= rows; from += CHUNK) {
            int to = Math.min(rows, from + CHUNK - 1);
            rows("done", from, to, "concat('D', floor(g / 10))", "DONE", "null", "now()", "null");
            if (from % (20 * CHUNK) == 1 && from > 1) {
                System.out.println("  filled " + from + " of " + rows);
            }
        }
        db.sql("insert into FLW_PUBSUB_LANE (CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_) select '" + Models.CHANNEL
                + "', '', concat('D', g) from " + db.series(0, rows / 10));
    }

    private void insert(String id, int rows, String key, String state, String reason, String next, String expires)
            throws SQLException {
        rows(id, 1, rows, key, state, reason, next, expires);
        db.sql(db.insertNew("FLW_PUBSUB_LANE (CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_) select distinct '"
                + Models.CHANNEL + "', '', " + key + " from " + db.series(1, rows)));
    }

    private void rows(String id, int from, int to, String key, String state, String reason, String next, String expires)
            throws SQLException {
        boolean done = state.equals("DONE");
        String body = done ? "null" : "concat('{\"auftragId\": \"', " + key + ", '\", \"erledigtePositionen\": 3}')";
        db.sql("insert into FLW_PUBSUB_INBOX (CHANNEL_KEY_, CHANNEL_TENANT_ID_, TENANT_ID_, MESSAGE_ID_, BODY_HASH_,"
                + " EVENT_KEY_, CORRELATION_KEY_, ORDER_KEY_, STATE_, REASON_, ATTEMPTS_, NEXT_ATTEMPT_, EXPIRES_AT_,"
                + " PAYLOAD_, ATTRIBUTES_, PUBLISHED_AT_, RECEIVED_AT_, FINISHED_AT_, CLEARED_) select '"
                + Models.CHANNEL
                + "', '', '', concat('" + id + "-', g), repeat('0', 64), '" + Models.EVENT_KEY + "', " + key + ", "
                + key
                + ", '" + state + "', " + reason + ", " + (state.equals("OPEN") ? 0 : 1) + ", " + next + ", " + expires
                + ", " + body + ", '{}', now(), now(), " + (done ? "now(), 1" : "null, 0") + " from "
                + db.series(from, to));
    }
}
