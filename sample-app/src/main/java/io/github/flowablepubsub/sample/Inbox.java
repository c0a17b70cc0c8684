package io.github.flowablepubsub.sample;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The inbox table as an operator sees and repairs it: plain SQL. */
@Component
class Inbox {

    /** One message. */
    record Message(
            long id,
            @Nullable String event,
            @Nullable String key,
            String state,
            @Nullable String reason,
            int attempts,
            int duplicates,
            @Nullable String error) {

        /** Nothing happens to it any more by itself. */
        boolean isSettled() {
            return !state.equals("OPEN") && !state.equals("WAITING");
        }
    }

    private final JdbcClient jdbc;

    Inbox(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Message> find(String messageId) {
        return jdbc.sql(
                        "select * from FLW_PUBSUB_INBOX where CHANNEL_KEY_ = 'auftragRueckmeldungen' and MESSAGE_ID_ = ?")
                .param(messageId)
                .query((row, number) -> new Message(
                        row.getLong("ID_"),
                        row.getString("EVENT_KEY_"),
                        row.getString("CORRELATION_KEY_"),
                        row.getString("STATE_"),
                        row.getString("REASON_"),
                        row.getInt("ATTEMPTS_"),
                        row.getInt("DUPLICATES_"),
                        row.getString("LAST_ERROR_")))
                .optional();
    }

    int count() {
        return jdbc.sql("select count(*) from FLW_PUBSUB_INBOX")
                .query(Integer.class)
                .single();
    }

    /** The repair of the manual: look at this message once more. Returns the SQL. */
    String reopen(Message message) {
        String sql = "UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP"
                + " WHERE ID_ = " + message.id();
        jdbc.sql(sql).update();
        return sql;
    }
}
