package io.github.flowablepubsub.it;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The table as an operator sees it: plain SQL. */
final class InboxTable {

    record Row(
            long id,
            String messageId,
            String state,
            @Nullable String reason,
            int attempts,
            @Nullable String eventKey,
            @Nullable String correlationKey,
            String orderKey,
            int duplicates,
            @Nullable String error,
            @Nullable String payload,
            @Nullable ByteString bytes,
            String attributes) {}

    private final DataSource source;

    InboxTable(Database database) {
        this.source = database.source();
    }

    List<Row> rows() {
        return rows("1 = 1");
    }

    List<Row> rows(String where) {
        List<Row> rows = new ArrayList<>();
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "select * from FLW_PUBSUB_INBOX where " + where + " order by PUBLISHED_AT_, ID_");
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                rows.add(new Row(
                        result.getLong("ID_"),
                        result.getString("MESSAGE_ID_"),
                        result.getString("STATE_"),
                        result.getString("REASON_"),
                        result.getInt("ATTEMPTS_"),
                        result.getString("EVENT_KEY_"),
                        result.getString("CORRELATION_KEY_"),
                        result.getString("ORDER_KEY_"),
                        result.getInt("DUPLICATES_"),
                        result.getString("LAST_ERROR_"),
                        result.getString("PAYLOAD_"),
                        bytes(result.getBytes("PAYLOAD_BYTES_")),
                        result.getString("ATTRIBUTES_")));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable ByteString bytes(byte @Nullable [] bytes) {
        return bytes == null ? null : ByteString.copyFrom(bytes);
    }

    Row messageInState(String messageId, String state) {
        return await("message " + messageId + " to be " + state)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> rows("MESSAGE_ID_ = '" + messageId + "'").stream()
                                .findFirst()
                                .orElse(null),
                        row -> row != null && row.state().equals(state));
    }

    int sql(String sql) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    long count(String query) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(query);
                ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
