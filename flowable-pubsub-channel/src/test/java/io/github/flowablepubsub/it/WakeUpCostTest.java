package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.it.CountedSource.Counted;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rule R9 for a wake-up, by counting: all statements from the commit of a subscription to the waiting message that is done,
 * with a few other messages that wait, and with {@value #FULL} times as many. Nothing sweeps meanwhile.
 */
@Tag("once") // on one Flowable line, see .ci/run
class WakeUpCostTest {

    private static final int FEW = 16;
    private static final int DOUBLINGS = 10;
    private static final int FULL = 1 << DOUBLINGS;

    /** Deeper indexes cost a few blocks or rows a statement; one that reads rows in vain costs thousands. */
    private static final int GROWTH = 20;

    private static final String COPIED = "CHANNEL_KEY_, CHANNEL_TENANT_ID_, TENANT_ID_, BODY_HASH_, EVENT_KEY_, STATE_,"
            + " REASON_, ATTEMPTS_, NEXT_ATTEMPT_, EXPIRES_AT_, LAST_ERROR_, PAYLOAD_, ATTRIBUTES_, PUBLISHED_AT_,"
            + " RECEIVED_AT_";

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "POSTGRES_14", "MARIADB"})
    void aWakeUpCostsTheSameHoweverManyOthersWait(TestDatabase kind) {
        Database database = kind.create();
        CountedSource counted = new CountedSource(kind, database.pool());
        try (PubSubServer server = PubSubServer.start();
                Node node = Node.start(
                        database,
                        Node.settings(server.endpoint()).withRelay(new RelaySettings(true, 4, Duration.ofHours(1))),
                        configuration -> configuration.setDataSource(counted.source()))) {
            server.createTopic("rueckmeldungen");
            server.createSubscription("abgeschlossen-sub", "rueckmeldungen");
            node.deployEvents(Map.of("e.event", Models.EVENT, "c.channel", Models.channel("abgeschlossen-sub")));
            node.deployProcess(Models.PROCESS);
            Waiting waiting = new Waiting(database, server, node, counted);
            for (int i = 0; i < FEW; i++) {
                waiting.publish("other" + i);
            }
            waiting.wakeUp("warm");
            Map<String, Long> few = waiting.wakeUp("few");
            waiting.multiply();
            Map<String, Long> full = waiting.wakeUp("full");
            System.out.printf(
                    "Wake-up on %s: %d with few others, %d with %d times as many%n", kind, sum(few), sum(full), FULL);
            for (String step : List.of("FLW_PUBSUB_MATCH_KEY k left join", "FLW_PUBSUB_LANE", "ATTEMPTS_ = ? + 1")) {
                assertThat(few.keySet()).anyMatch(sql -> sql.contains(step));
                assertThat(full.keySet()).anyMatch(sql -> sql.contains(step));
            }
            full.forEach((sql, cost) -> {
                if (isOurs(sql)) {
                    assertThat(cost).as(sql).isLessThanOrEqualTo(few.getOrDefault(sql, 0L) + GROWTH);
                }
            });
            assertThat(sum(full)).isLessThanOrEqualTo(2 * sum(few));
        }
    }

    /** Where there is room in the pages of its tables, and of their indexes, is Flowable's affair. */
    private static boolean isOurs(String sql) {
        return Stream.of("insert into ACT_", "update ACT_", "delete from ACT_").noneMatch(sql::startsWith);
    }

    private static long sum(Map<String, Long> costs) {
        return costs.entrySet().stream()
                .filter(cost -> isOurs(cost.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Messages that wait on one node. */
    private record Waiting(Database database, PubSubServer server, Node node, CountedSource counted) {

        void publish(String order) {
            String id = server.publish(
                    "rueckmeldungen", ByteString.copyFromUtf8(Models.completion(order, 1)), Map.of(), "");
            new InboxTable(database).messageInState(id, "WAITING");
        }

        /** What each statement of a wake-up costs. */
        Map<String, Long> wakeUp(String order) {
            publish(order);
            counted.begin(thread -> thread.startsWith("pubsub-wake-up") || thread.startsWith("pubsub-relay-"));
            node.engine
                    .getRuntimeService()
                    .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", order));
            await().atMost(Duration.ofSeconds(60)).until(() -> database.count("FLW_PUBSUB_INBOX", done(order)) == 1);
            // The relay looks at the lane for what else there is.
            await().during(Duration.ofMillis(300))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> counted.sofar().size(), new Unchanged()::is);
            return counted.end().stream().collect(Collectors.toMap(Counted::sql, Counted::cost, Long::sum));
        }

        private static String done(String order) {
            return "STATE_ = 'DONE' and ORDER_KEY_ = '" + order + "'";
        }

        /** Of each that waits many, with lane and match keys. */
        void multiply() {
            for (int i = 0; i < DOUBLINGS; i++) {
                database.update("insert into FLW_PUBSUB_INBOX (MESSAGE_ID_, ORDER_KEY_, CORRELATION_KEY_, " + COPIED
                        + ") select concat(MESSAGE_ID_, '." + i + "'), concat(ORDER_KEY_, '." + i
                        + "'), concat(CORRELATION_KEY_, '." + i + "'), " + COPIED
                        + " from FLW_PUBSUB_INBOX where STATE_ = 'WAITING'");
            }
            for (String configuration : List.of("'*'", "concat('c', ID_)")) {
                database.update("insert into FLW_PUBSUB_MATCH_KEY (INBOX_ID_, EVENT_KEY_, CONFIGURATION_) select ID_,"
                        + " EVENT_KEY_, " + configuration
                        + " from FLW_PUBSUB_INBOX where STATE_ = 'WAITING' and MESSAGE_ID_ like '%.%'");
            }
            database.update(
                    "insert into FLW_PUBSUB_LANE (CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_) select"
                            + " CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_ from FLW_PUBSUB_INBOX where MESSAGE_ID_ like '%.%'");
            assertThat(database.rows("WAITING")).isEqualTo((long) FEW * FULL);
            analyze();
        }

        /** As the database does by itself, sooner or later. */
        private void analyze() {
            if (database.kind() == TestDatabase.MARIADB) {
                database.strings("analyze table FLW_PUBSUB_INBOX, FLW_PUBSUB_LANE, FLW_PUBSUB_MATCH_KEY");
            } else {
                database.update("analyze");
            }
        }
    }

    /** Whether a number is what it was when it was last asked. */
    private static final class Unchanged {
        private int last = -1;

        boolean is(int number) {
            boolean unchanged = number == last;
            last = number;
            return unchanged;
        }
    }
}
