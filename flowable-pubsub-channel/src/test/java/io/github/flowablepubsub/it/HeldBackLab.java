package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Two processes that each wait for one of two events, and write down what they got; for tests of what holds back what. */
final class HeldBackLab implements AutoCloseable {

    static final String TYPE = "{\"jsonField\": \"typ\"}";

    final Diary diary = new Diary();
    final Lab lab;

    HeldBackLab(TestDatabase kind) {
        lab = Lab.start(kind, Map.of("buch", diary));
        for (String event : List.of("begonnen", "fertig")) {
            lab.node.deployEvents(Map.of(event + ".event", Models.event(event)));
            lab.node.deployProcess(Diary.process("wartet-" + event, event));
        }
    }

    HeldBackLab channel(String key, String policy) {
        lab.channel(key, policy, TYPE);
        return this;
    }

    /** A channel whose order is Pub/Sub's. */
    HeldBackLab orderedChannel(String key, String policy) {
        lab.server.createTopic(key);
        lab.server.createSubscription(key + "-sub", key, SubscriptionOptions.ordered());
        return deploy(key, policy);
    }

    HeldBackLab deploy(String key, String policy) {
        lab.node.deployEvents(Map.of(key + ".channel", Models.channel(key, key + "-sub", policy, TYPE, "")));
        return this;
    }

    /** Begins to wait for this event of this order; returns the instance. */
    String await(String event, String order) {
        return lab.startOrder("wartet-" + event, order);
    }

    void delete(String instance) {
        lab.node.engine.getRuntimeService().deleteProcessInstance(instance, "doppelt");
    }

    String publish(String channel, String event, String order, String text) {
        return lab.publish(channel, body(event, order, text));
    }

    String publishOrdered(String channel, String event, String order, String text) {
        return lab.server.publish(channel, ByteString.copyFromUtf8(body(event, order, text)), Map.of(), order);
    }

    /** All of this is stored before any of it is worked on. */
    <T> T atOnce(String channel, String order, int messages, Supplier<T> publish) {
        lab.inbox.sql(
                "insert into FLW_PUBSUB_LANE (CHANNEL_KEY_, ORDER_KEY_) values ('" + channel + "', '" + order + "')");
        try (Connection connection = lab.database.source().getConnection();
                Statement lock = connection.createStatement()) {
            connection.setAutoCommit(false);
            lock.execute("select * from FLW_PUBSUB_LANE where ORDER_KEY_ = '" + order + "' for update");
            T published = publish.get();
            Lab.eventually(
                    "stored",
                    () -> lab.inbox
                                    .rows("ORDER_KEY_ = '" + order + "' and STATE_ = 'OPEN'")
                                    .size()
                            == messages);
            connection.rollback();
            return published;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String body(String event, String order, String text) {
        return "{\"typ\": \"%s\", \"auftragId\": \"%s\", \"text\": \"%s\"}".formatted(event, order, text);
    }

    InboxTable.Row row(String messageId) {
        return lab.inbox.rows("MESSAGE_ID_ = '" + messageId + "'").get(0);
    }

    void is(String messageId, String state, String reason) {
        assertThat(lab.inbox.messageInState(messageId, state).reason()).isEqualTo(reason);
    }

    void done(String... messageIds) {
        for (String id : messageIds) {
            lab.inbox.messageInState(id, "DONE");
        }
    }

    /** Held back, and never looked up. */
    void heldBack(String... messageIds) {
        for (String id : messageIds) {
            InboxTable.Row row = lab.inbox.messageInState(id, "WAITING");
            assertThat(row.reason()).as(id).isEqualTo("HELD_BACK");
            assertThat(row.attempts()).as(id).isZero();
        }
    }

    /** As operators do it, whatever the row's state. */
    void repair(String messageId) {
        sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP", messageId);
    }

    void sql(String statement, String messageId) {
        assertThat(lab.inbox.sql(statement + " WHERE ID_ = " + row(messageId).id()))
                .isEqualTo(1);
    }

    @Override
    public void close() {
        lab.close();
    }
}
