package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.server.SubscriptionOptions;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** One test's server, database and nodes; closes what it started, the latest first. */
final class Setting implements AutoCloseable {

    private static final String STATES =
            """
            select concat(STATE_, ' ', coalesce(REASON_, ''), ' ', min(coalesce(LAST_ERROR_, '')), ': ', count(*))
            from FLW_PUBSUB_INBOX group by STATE_, REASON_
            """;

    final PubSubServer server = PubSubServer.start();
    final Database database;
    private final Deque<Runnable> opened = new ArrayDeque<>();

    Setting(TestDatabase kind) {
        this.database = kind.create();
        server.createTopic(Models.TOPIC);
        server.createSubscription(Models.SUBSCRIPTION, Models.TOPIC, SubscriptionOptions.ordered());
    }

    /** A node in this JVM on a pool of its own. */
    CrashNode node(String name, CrashNode.Role role) {
        return node(name, role, call -> {});
    }

    CrashNode node(String name, CrashNode.Role role, InterceptedDataSource.Interceptor interceptor) {
        CrashNode node = CrashNode.start(
                name, server.endpoint(), database, InterceptedDataSource.wrap(database.pool(name), interceptor), role);
        opened.push(node::close);
        return node;
    }

    ChildNode child(String name, ChildMain.Hang hang, CrashNode.Role role) {
        ChildNode child = ChildNode.start(name, server.endpoint(), database, hang, role);
        opened.push(child::close);
        return child;
    }

    String publish(String order, int number) {
        ByteString body = ByteString.copyFromUtf8(Models.tranche(order, number));
        return server.publish(Models.TOPIC, body, Map.of(), order);
    }

    /** Waits until so many rows are in this state. */
    void awaitRows(String state, long count) {
        awaitRows(state, count, Duration.ofSeconds(30));
    }

    void awaitRows(String state, long count, Duration atMost) {
        await(count + " rows to be " + state)
                .pollInterval(Duration.ofMillis(20))
                .atMost(atMost)
                .untilAsserted(() ->
                        assertThat(database.rows(state)).as(this::describe).isEqualTo(count));
    }

    /** For whoever reads a failure. */
    private String describe() {
        List<String> unfinished =
                database
                        .strings("select distinct ORDER_KEY_ from FLW_PUBSUB_INBOX where STATE_ <> 'DONE' order by 1")
                        .stream()
                        .limit(5)
                        .map(order -> order + " has " + effects(order) + " and not " + unfinished(order))
                        .toList();
        return "rows " + database.strings(STATES) + ", " + server.stats(Models.SUBSCRIPTION) + ", " + unfinished;
    }

    private List<String> unfinished(String order) {
        return database.strings("select PAYLOAD_ from FLW_PUBSUB_INBOX where STATE_ <> 'DONE' and ORDER_KEY_ = '"
                + order + "' order by PUBLISHED_AT_, ID_");
    }

    /** What the ledger has of an order, in the order of writing. */
    List<String> effects(String order) {
        return database.strings("select SEQ_ from LEDGER where ORDER_KEY_ = '" + order + "' order by ID_");
    }

    long effects() {
        return database.count("LEDGER", "1 = 1");
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
        server.close();
    }
}
