package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.inbox.Hooks;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.StoreHook;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The app's own work in the transaction that stores messages. */
class HooksTest {

    /** Writes a row of its own for each message, and fails as planned for an order. */
    private static final class Entries implements StoreHook {
        private final Map<String, AtomicInteger> left = new ConcurrentHashMap<>();
        private final Map<String, Exception> failures = new ConcurrentHashMap<>();

        static void table(Database database) {
            database.update(
                    "create table EINGANG (MESSAGE_ID varchar(255), ORDER_ID varchar(255), BODY varchar(1000))");
        }

        void fail(String order, int times, Exception failure) {
            failures.put(order, failure);
            left.put(order, new AtomicInteger(times));
        }

        @Override
        public void storing(List<NewMessage> messages, Connection connection) throws Exception {
            for (NewMessage message : messages) {
                try (PreparedStatement insert = connection.prepareStatement("insert into EINGANG values (?, ?, ?)")) {
                    insert.setString(1, message.messageId());
                    insert.setString(2, message.correlationKey() + message.attributeMap());
                    insert.setString(3, message.payload().text());
                    insert.executeUpdate();
                }
                String order = String.valueOf(message.correlationKey());
                @Nullable AtomicInteger times = left.get(order);
                if (times != null && times.getAndDecrement() > 0) {
                    throw failures.getOrDefault(order, new IllegalStateException());
                }
            }
        }
    }

    private static Lab lab(Database database, Entries entries) {
        Entries.table(database);
        Lab lab = Lab.start(database, Map.of(), settings -> settings.withHooks(Hooks.of(List.of(entries), List.of())));
        lab.channel("ablage", "{}").node.deployProcess(Models.PROCESS);
        return lab;
    }

    private static List<String> entries(Lab lab) {
        return lab.database.strings("select ORDER_ID from EINGANG order by ORDER_ID");
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void eachNewMessageIsSeenOnce_inTheTransactionOfItsRow(TestDatabase kind) {
        Entries entries = new Entries();
        try (Lab lab = lab(kind.create(), entries)) {
            String id =
                    lab.publish("ablage", ByteString.copyFromUtf8(Models.completion("a", 1)), Map.of("quelle", "x"));
            lab.inbox.messageInState(id, "WAITING");
            assertThat(entries(lab)).containsExactly("a{quelle=x}");
            assertThat(lab.database.strings("select BODY from EINGANG")).containsExactly(Models.completion("a", 1));

            lab.server.redeliver("ablage-sub");
            Lab.eventually("counted", () -> lab.inbox.rows().get(0).duplicates() == 1);
            assertThat(entries(lab)).as("a duplicate is not new").hasSize(1);
        }
    }

    /** It stays in Pub/Sub until it is stored with what belongs to it; the others are not held up. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void aMessageThatTheHookRefusesIsNackedAloneAndComesAgain(TestDatabase kind) {
        Entries entries = new Entries();
        entries.fail("schlecht", 5, new IllegalArgumentException("nicht so"));
        try (Lab lab = lab(kind.create(), entries)) {
            List<String> ids = new ArrayList<>();
            for (String order : List.of("a", "b", "schlecht", "c")) {
                ids.add(lab.publish("ablage", Models.completion(order, 1)));
            }
            ids.forEach(id -> lab.inbox.messageInState(id, "WAITING"));
            assertThat(entries(lab)).containsExactly("a{}", "b{}", "c{}", "schlecht{}");
            assertThat(lab.server.stats("ablage-sub").nacks()).isBetween(1L, 5L);
            lab.server.awaitEmpty("ablage-sub", Duration.ofSeconds(60));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void aDatabaseFailureOfTheHookIsOneOfTheStore(TestDatabase kind) {
        Entries entries = new Entries();
        entries.fail("a", 3, new SQLTransientConnectionException("weg", "08006"));
        entries.fail("b", 1, new SQLException("deadlock", "40001"));
        try (Lab lab = lab(kind.create(), entries)) {
            for (String order : List.of("a", "b")) {
                lab.inbox.messageInState(lab.publish("ablage", Models.completion(order, 1)), "WAITING");
            }
            assertThat(entries(lab)).containsExactly("a{}", "b{}");
            assertThat(lab.server.stats("ablage-sub").nacks()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void afterCorrelationItIsTheTransactionThatCorrelates(TestDatabase kind) {
        Entries entries = new Entries();
        entries.fail("zweimal", 1, new IllegalArgumentException("nicht so"));
        try (Lab lab = lab(kind.create(), entries)) {
            lab.channel("direkt", "{\"ack\": \"afterCorrelation\"}");
            for (String order : List.of("einmal", "zweimal", "spaeter")) {
                String id = lab.publish("direkt", Models.completion(order, 1));
                String instance = lab.startOrder("auftrag-ausfuehrung", order);
                lab.inbox.messageInState(id, "DONE");
                assertThat(lab.tasks(instance)).isEqualTo(1);
            }
            assertThat(entries(lab)).containsExactly("einmal{}", "spaeter{}", "zweimal{}");
            assertThat(lab.inbox.rows()).hasSize(3);
        }
    }
}
