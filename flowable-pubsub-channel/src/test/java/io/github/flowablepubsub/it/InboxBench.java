package io.github.flowablepubsub.it;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.Payload;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.jspecify.annotations.Nullable;

/**
 * The inbox on one database without anything that works on it: the node relays nothing and has no channel, tests call the
 * statements. Each test takes a channel of its own.
 */
final class InboxBench implements AutoCloseable {

    /** Publish time of messages that do not care. */
    static final OffsetDateTime NOON = OffsetDateTime.parse("2026-06-01T12:00:00Z");

    final Database database;
    final Node node;
    final InboxTransactions transactions;
    final MessageStore store;
    final InboxTable inbox;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger channels = new AtomicInteger();

    InboxBench(TestDatabase kind) {
        this.database = kind.createHostile();
        this.node = Node.start(
                database, Node.settings("127.0.0.1:9").withRelay(new RelaySettings(false, 1, Duration.ofHours(1))));
        node.pubsub.stop(); // nor does it walk over jobs
        var engine = (ProcessEngineConfigurationImpl) node.engine.getProcessEngineConfiguration();
        this.transactions = new InboxTransactions(engine.getCommandExecutor(), engine.getDataSource(), false);
        this.store = new MessageStore(transactions);
        this.inbox = new InboxTable(database);
    }

    ChannelId newChannel() {
        return new ChannelId("channel" + channels.incrementAndGet(), "");
    }

    static NewMessage message(ChannelId channel, String id, String orderKey) {
        return message(channel, id, orderKey, "event", NOON);
    }

    static NewMessage message(
            ChannelId channel, String id, String orderKey, @Nullable String eventKey, OffsetDateTime published) {
        return message(channel, id, orderKey, eventKey, published, ("body of " + id).getBytes(StandardCharsets.UTF_8));
    }

    static NewMessage message(
            ChannelId channel,
            String id,
            String orderKey,
            @Nullable String eventKey,
            OffsetDateTime published,
            byte[] body) {
        return new NewMessage(
                channel.key(),
                channel.tenantId(),
                "",
                id,
                eventKey,
                orderKey,
                orderKey,
                Payload.of(body),
                Keys.sha256(body),
                "{}",
                null,
                published);
    }

    <T> T call(Function<InboxSession, T> work) {
        return transactions.call(work);
    }

    /** In a transaction of another thread. */
    <T> Future<T> callElsewhere(Function<InboxSession, T> work) {
        return threads.submit(() -> transactions.call(work));
    }

    <T> Future<T> elsewhere(Callable<T> work) {
        return threads.submit(work);
    }

    /** Stores a message and returns its row's id. */
    long stored(ChannelId channel, String id, String key, String event) {
        store.store(channel, List.of(message(channel, id, key, event, NOON)));
        return inbox.rows("CHANNEL_KEY_ = '" + channel.key() + "' and MESSAGE_ID_ = '" + id + "'")
                .get(0)
                .id();
    }

    /** A row that waits for a subscription, in a lane of its own. */
    long waiting(ChannelId channel, String id, String event, @Nullable OffsetDateTime expiresAt) {
        long row = stored(channel, id, id, event);
        OffsetDateTime nextAttempt = NOON.plusYears(10);
        RowChange change =
                new RowChange(MessageState.WAITING, Reason.NO_MATCH, nextAttempt, expiresAt, null, "no subscription");
        if (call(session -> session.lanes().change(row, 0, change)) != 1) {
            throw new IllegalStateException("Row " + row + " is not as it was stored");
        }
        return row;
    }

    /** The head of a lane that must have one. */
    InboxRow head(ChannelId channel, String orderKey) {
        return call(session -> {
            Lane lane = Lane.of(channel, orderKey);
            session.lanes().lock(lane);
            return Objects.requireNonNull(session.lanes().oldestOpen(lane), "no open row in " + lane);
        });
    }

    InboxTable.Row row(long id) {
        return inbox.rows("ID_ = " + id).get(0);
    }

    /** A moment that a column holds, to the last digit; as the database knows it, not as a driver reads it. */
    Instant moment(String column, long id) {
        String micros = database.kind() == TestDatabase.MARIADB
                ? "cast(unix_timestamp(" + column + ") * 1000000 as signed)"
                : "cast(extract(epoch from " + column + ") * 1000000 as bigint)";
        String value = database.strings("select " + micros + " from FLW_PUBSUB_INBOX where ID_ = " + id)
                .get(0);
        return Instant.EPOCH.plus(Long.parseLong(value), ChronoUnit.MICROS);
    }

    /** The last moment that a column can hold. */
    OffsetDateTime endOfTime() {
        return OffsetDateTime.parse(
                database.kind() == TestDatabase.MARIADB ? "2038-01-19T03:14:06Z" : "9999-12-31T00:00:00Z");
    }

    @Override
    public void close() {
        threads.shutdownNow();
        node.close();
    }
}
