package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.it.CountedSource.Counted;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * riverqueue/river#59: while a transaction is open, PostgreSQL keeps what all others have finished since it began, and whoever
 * looks for due rows from the beginning passes it again and again. Counted in buffers.
 */
@Tag("once") // on one Flowable line, see .ci/run
class LongTransactionTest {

    private static final int FINISHED = 10_000;

    /** Deeper indexes cost a few buffers; what reads finished rows in vain costs hundreds. */
    private static final int GROWTH = 100;

    private final Database database = TestDatabase.POSTGRES.create();
    private final CountedSource counted = new CountedSource(TestDatabase.POSTGRES, database.pool());
    private final InboxTable inbox = new InboxTable(database);
    private final PubSubServer server = PubSubServer.start();
    private final Node node = Node.start(
            database,
            Node.settings(server.endpoint()).withRelay(new RelaySettings(true, 4, Duration.ofMillis(100))),
            configuration -> configuration.setDataSource(counted.source()));

    @BeforeEach
    void deploy() {
        server.createTopic("rueckmeldungen");
        server.createSubscription("abgeschlossen-sub", "rueckmeldungen");
        node.deployEvents(Map.of("e.event", Models.EVENT, "c.channel", Models.channel("abgeschlossen-sub")));
        node.deployProcess(Models.PROCESS);
    }

    @AfterEach
    void stop() {
        node.close();
        server.close();
    }

    /**
     * All that were finished, of whatever key, and then many of one key; what the database knows about the table is as new as
     * it can be: that nothing waits and nothing is open makes every index of such rows look small.
     */
    @Test
    void riverqueueRiver59_deadRowsBehindALongTransactionMakeNoClaimDearer() throws SQLException {
        deliver("warm");
        Costs before = deliver("before");
        try (Connection other = database.source().getConnection();
                Statement look = other.createStatement()) {
            other.setAutoCommit(false);
            other.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            look.executeQuery("select count(*) from FLW_PUBSUB_INBOX").close();
            finish("some", "'key' || g");
            Costs during = deliver("during");
            finish("many", "'busy'");
            Costs free = deliver("free");
            Costs busy = deliver("busy");
            System.out.printf(
                    "Long transaction, buffers: before %s, %d finished %s, as many of one key %s, of that key %s%n",
                    before, FINISHED, during, free, busy);

            for (Costs costs : List.of(during, free)) {
                assertThat(costs.message())
                        .as(costs.dearest().toString())
                        .isLessThanOrEqualTo(before.message() + GROWTH);
            }
            for (Costs costs : List.of(during, free, busy)) {
                assertThat(costs.look()).isLessThanOrEqualTo(before.look() + GROWTH);
                assertThat(costs.wholeLook())
                        .as("what lies there for those who begin at the beginning, once a minute")
                        .isGreaterThan(100);
            }
            // A lane's own finished messages are passed by each look for its oldest open one, and how many looks a
            // message
            // takes is a matter of timing: bounded is the single statement. The looks for other lanes pass none of
            // them.
            assertThat(busy.message()).isGreaterThan(FINISHED);
            assertThat(busy.dearest().cost()).as(busy.dearest().toString()).isLessThan(10 * FINISHED);
            other.rollback();
        }
    }

    /**
     * Buffers.
     *
     * @param message all our statements for one message that waits first
     * @param look for due rows, most of them
     * @param wholeLook for due rows, the dearest
     * @param dearest of the message's statements
     */
    private record Costs(long message, long look, long wholeLook, Counted dearest) {
        @Override
        public String toString() {
            return "message %d, look %d, whole %d".formatted(message, look, wholeLook);
        }
    }

    private Costs deliver(String order) {
        counted.begin(thread -> thread.startsWith("pubsub-"));
        String id =
                server.publish("rueckmeldungen", ByteString.copyFromUtf8(Models.completion(order, 1)), Map.of(), "");
        inbox.messageInState(id, "WAITING");
        node.engine.getRuntimeService().startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", order));
        inbox.messageInState(id, "DONE");
        awaitWholePasses(2);
        List<Counted> all = counted.end();
        List<Long> looks = all.stream()
                .filter(statement -> statement.is("DUE_AT_"))
                .map(Counted::cost)
                .sorted()
                .toList();
        List<Counted> message = all.stream()
                .filter(statement -> !statement.thread().equals("pubsub-sweep") && statement.is("FLW_PUBSUB_"))
                .toList();
        return new Costs(
                CountedSource.total(message),
                looks.get(looks.size() / 2),
                looks.get(looks.size() - 1),
                message.stream().max(Comparator.comparingLong(Counted::cost)).orElseThrow());
    }

    /** Looks for due rows from the beginning of time, of which only others, later, know that they need not. */
    private void awaitWholePasses(int count) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> counted.sofar().stream()
                                .filter(statement -> statement.is("pubsub.schema.version"))
                                .count()
                        >= count);
    }

    /** So many messages that came, waited, were held back, were opened, and are finished. */
    private void finish(String name, String orderKey) throws SQLException {
        try (Connection connection = database.source().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("insert into FLW_PUBSUB_INBOX (CHANNEL_KEY_, MESSAGE_ID_, BODY_HASH_, EVENT_KEY_,"
                    + " CORRELATION_KEY_, ORDER_KEY_, STATE_, NEXT_ATTEMPT_, PAYLOAD_, ATTRIBUTES_, PUBLISHED_AT_,"
                    + " RECEIVED_AT_) select 'auftragRueckmeldungen', '" + name + "' || g, repeat('0', 64),"
                    + " 'auftragAbgeschlossen', " + orderKey + ", " + orderKey + ", 'OPEN', clock_timestamp(),"
                    + " '{}', '{}', clock_timestamp(), clock_timestamp() from generate_series(1, " + FINISHED + ") g");
            for (String step : List.of(
                    "STATE_ = 'WAITING', REASON_ = 'NO_MATCH', NEXT_ATTEMPT_ = null",
                    "REASON_ = 'HELD_BACK'",
                    "STATE_ = 'OPEN', REASON_ = null, NEXT_ATTEMPT_ = clock_timestamp()",
                    "STATE_ = 'DONE', ATTEMPTS_ = 1, FINISHED_AT_ = clock_timestamp()")) {
                statement.execute("update FLW_PUBSUB_INBOX set " + step + " where MESSAGE_ID_ like '" + name + "%'");
            }
            statement.execute("analyze FLW_PUBSUB_INBOX");
            connection.commit();
        }
        counted.begin(thread -> thread.equals("pubsub-sweep"));
        awaitWholePasses(3); // the others begin where the last but one did
        counted.end();
    }
}
