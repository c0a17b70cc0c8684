package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.channel.RetentionPolicy;
import io.github.flowablepubsub.inbox.ArchiveHook;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.FinishedMessage;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.operations.Retention;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The app's own work on finished messages before their bodies go. */
@Tag("once") // on one Flowable line, see .ci/run
class ArchiveTest {

    private static final ChannelId CHANNEL = new ChannelId("ablage", "");
    private static final RetentionPolicy CLEARING = new RetentionPolicy(Duration.ofHours(1), Duration.ofHours(5));
    private static final RetentionPolicy REMOVING = new RetentionPolicy(Duration.ofHours(5), Duration.ofHours(5));

    /** Keeps what it sees, in a table of its own, but fails with some. */
    private static final class Vault implements ArchiveHook {
        private final Set<String> failing = new HashSet<>();
        private int calls;

        @Override
        public void archive(List<FinishedMessage> messages, Connection connection) throws Exception {
            calls++;
            for (FinishedMessage message : messages) {
                try (PreparedStatement insert = connection.prepareStatement("insert into ARCHIV values (?, ?, ?)")) {
                    insert.setString(1, message.row().messageId());
                    insert.setString(
                            2,
                            message.row().state() + " " + message.row().correlationKey() + " " + message.attributes());
                    insert.setString(3, new String(message.body(), StandardCharsets.UTF_8));
                    insert.executeUpdate();
                }
                if (failing.contains("weg")) {
                    throw new SQLTransientConnectionException("weg", "08006");
                }
                if (failing.contains("alle") || failing.contains(message.row().correlationKey())) {
                    throw new IllegalStateException("voll");
                }
            }
        }
    }

    /** Rows that are finished, as many as this, and a retention that shows them to the hook. */
    private record Archived(Lab lab, Vault vault, Retention retention) implements AutoCloseable {

        static Archived of(TestDatabase kind, int rows) {
            Lab lab = Lab.start(kind);
            lab.database.update(
                    "create table ARCHIV (MESSAGE_ID varchar(255), STATE varchar(255), BODY varchar(1000))");
            lab.channel("ablage", "{}").node.deployProcess(Models.PROCESS);
            IntStream.range(0, rows).forEach(i -> lab.startOrder("auftrag-ausfuehrung", "k" + i));
            List<String> ids = IntStream.range(0, rows)
                    .mapToObj(i -> lab.publish("ablage", Models.completion("k" + i, 1)))
                    .toList();
            ids.forEach(id -> lab.inbox.messageInState(id, "DONE"));
            lab.inbox.sql("update FLW_PUBSUB_INBOX set FINISHED_AT_ = CURRENT_TIMESTAMP - interval '6' hour");
            Vault vault = new Vault();
            InboxTransactions transactions = RetentionTest.transactions(lab.node);
            return new Archived(lab, vault, new Retention(transactions, vault));
        }

        int step(RetentionPolicy policy) {
            return retention.step(CHANNEL, policy);
        }

        List<String> archived() {
            return lab.database.strings("select BODY from ARCHIV order by MESSAGE_ID, BODY");
        }

        long rows(String where) {
            return lab.database.count("FLW_PUBSUB_INBOX", where);
        }

        @Override
        public void close() {
            lab.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void eachMessageIsSeenOnce_whenItsBodyGoes(TestDatabase kind) {
        try (Archived lab = Archived.of(kind, 2)) {
            assertThat(lab.step(CLEARING)).isEqualTo(2);
            assertThat(lab.archived()).containsExactly(Models.completion("k0", 1), Models.completion("k1", 1));
            assertThat(lab.lab.database.strings("select STATE from ARCHIV order by STATE"))
                    .containsExactly("DONE k0 {}", "DONE k1 {}");
            assertThat(lab.rows("CLEARED_ = 1 and PAYLOAD_ is null")).isEqualTo(2);
            assertThat(lab.step(CLEARING)).as("now the slim rows go").isEqualTo(2);
            assertThat(lab.rows("1 = 1")).isZero();
            assertThat(lab.archived()).hasSize(2);
            assertThat(lab.vault.calls).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void whatItFailsWithIsKeptAndDoesNotStopTheOthers(TestDatabase kind) {
        try (Archived lab = Archived.of(kind, 5)) {
            lab.vault.failing.add("k1");
            lab.vault.failing.add("k2");
            assertThat(lab.step(REMOVING)).isEqualTo(5);
            assertThat(lab.lab.inbox.rows())
                    .extracting(InboxTable.Row::correlationKey)
                    .containsExactly("k1", "k2");
            assertThat(lab.rows("CLEARED_ = 0 and PAYLOAD_ is not null")).isEqualTo(2);
            assertThat(lab.archived())
                    .as("what it wrote of these is rolled back")
                    .hasSize(3);
            int calls = lab.vault.calls;
            assertThat(lab.step(REMOVING))
                    .as("not again before a minute is over")
                    .isZero();
            assertThat(lab.vault.calls).isEqualTo(calls);
            lab.vault.failing.clear();
            assertThat(new Retention(RetentionTest.transactions(lab.lab.node), lab.vault).step(CHANNEL, REMOVING))
                    .as("another node, or a restart")
                    .isEqualTo(2);
            assertThat(lab.archived()).hasSize(5);
            assertThat(lab.rows("1 = 1")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void aHookThatFailsWithEverythingIsLeftAlone(TestDatabase kind) {
        try (Archived lab = Archived.of(kind, 40)) {
            lab.vault.failing.add("alle");
            assertThat(lab.step(CLEARING)).isZero();
            assertThat(lab.vault.calls)
                    .as("halves, then single rows, until it is hopeless")
                    .isBetween(10, 30);
            int calls = lab.vault.calls;
            assertThat(lab.step(CLEARING)).isZero();
            assertThat(lab.vault.calls).isEqualTo(calls);
            assertThat(lab.rows("CLEARED_ = 0 and PAYLOAD_ is not null")).isEqualTo(40);
            assertThat(lab.archived()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void aDatabaseFailureIsNotTheMessages(TestDatabase kind) {
        try (Archived lab = Archived.of(kind, 3)) {
            lab.vault.failing.add("weg");
            assertThat(lab.step(CLEARING)).isZero();
            assertThat(lab.step(CLEARING)).isZero();
            assertThat(lab.vault.calls).as("no message is tried alone").isEqualTo(1);
            lab.vault.failing.clear();
            assertThat(new Retention(RetentionTest.transactions(lab.lab.node), lab.vault).step(CHANNEL, CLEARING))
                    .isEqualTo(3);
            assertThat(lab.archived()).hasSize(3);
        }
    }
}
