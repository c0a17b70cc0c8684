package io.github.flowablepubsub.it;

import static io.github.flowablepubsub.it.Lab.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.operations.TableState;
import io.github.flowablepubsub.operations.TableState.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How the table stands, for metrics and health. */
interface StateContract {

    InboxBench bench();

    private TableState state(ChannelId... channels) {
        return new TableState(bench().transactions, () -> List.of(channels), Duration.ofMillis(50));
    }

    @Test
    default void rowsAreCountedByChannelAndState() {
        ChannelId channel = bench().newChannel();
        ChannelId empty = bench().newChannel();
        TableState table = state(channel, empty);
        try {
            bench().stored(channel, "o1", "o1", "e");
            bench().stored(channel, "o2", "o2", "e");
            bench().waiting(channel, "w", "e", null);
            long parked = bench().stored(channel, "p", "p", "e");
            bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'PARKED' where ID_ = " + parked);
            Snapshot first = table.look(Duration.ofMinutes(1));
            assertThat(first.at()).isNotNull();
            assertThat(first.rows(channel.key(), MessageState.OPEN)).isEqualTo(2);
            assertThat(first.rows(channel.key(), MessageState.WAITING)).isEqualTo(1);
            assertThat(first.rows(channel.key(), MessageState.PARKED)).isEqualTo(1);
            assertThat(first.rows()).containsEntry(new TableState.Rows(empty.key(), MessageState.OPEN), 0L);
            bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'DONE' where ID_ = " + parked);
            eventually("after plain SQL", () -> table.look().rows(channel.key(), MessageState.PARKED) == 0);
        } finally {
            table.stop();
        }
    }

    @Test
    default void rowsOfAChannelThatNobodyKnowsAreCounted() {
        ChannelId gone = bench().newChannel();
        TableState table = state();
        try {
            assertThat(table.look(Duration.ofMinutes(1)).rows(gone.key(), MessageState.PARKED))
                    .isZero();
            long parked = bench().stored(gone, "p", "p", "e");
            bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'PARKED' where ID_ = " + parked);
            bench().stored(gone, "o", "o", "e");
            bench().waiting(gone, "w", "e", null);
            eventually("counted", () -> table.look().rows(gone.key(), MessageState.PARKED) == 1);
            eventually("counted", () -> table.look().rows(gone.key(), MessageState.OPEN) == 1);
            eventually("counted", () -> table.look().rows(gone.key(), MessageState.WAITING) == 1);
        } finally {
            table.stop();
        }
    }

    /** By the database's clock; of rows of other tests, too, which are younger. */
    @Test
    default void theOldestOfEachStateHasAnAge() {
        ChannelId channel = bench().newChannel();
        Map<MessageState, Long> rows = Map.of(
                MessageState.OPEN, bench().stored(channel, "o", "o", "e"),
                MessageState.WAITING, bench().waiting(channel, "w", "e", null),
                MessageState.PARKED, bench().stored(channel, "p", "p", "e"));
        bench().inbox
                .sql("update FLW_PUBSUB_INBOX set STATE_ = 'DONE' where STATE_ in ('WAITING', 'PARKED')"
                        + " and ID_ not in (" + rows.get(MessageState.WAITING) + ")");
        bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'PARKED' where ID_ = " + rows.get(MessageState.PARKED));
        bench().inbox
                .sql("update FLW_PUBSUB_INBOX set RECEIVED_AT_ = '2020-01-01 00:00:00' where CHANNEL_KEY_ = '"
                        + channel.key() + "'");
        TableState table = state(channel);
        try {
            Snapshot snapshot = table.look(Duration.ofMinutes(1));
            assertThat(snapshot.oldest(MessageState.OPEN))
                    .as("since it is due, not since it came")
                    .isLessThan(Duration.ofDays(1));
            assertThat(snapshot.oldest(MessageState.WAITING)).isGreaterThan(Duration.ofDays(1000));
            assertThat(snapshot.oldest(MessageState.PARKED)).isGreaterThan(Duration.ofDays(1000));
            bench().inbox
                    .sql("update FLW_PUBSUB_INBOX set NEXT_ATTEMPT_ = '2020-01-01 00:00:00' where STATE_ = 'OPEN'"
                            + " and CHANNEL_KEY_ = '" + channel.key() + "'");
            eventually("overdue", () -> table.look().oldest(MessageState.OPEN).toDays() > 1000);
            bench().inbox
                    .sql("update FLW_PUBSUB_INBOX set STATE_ = 'DONE' where CHANNEL_KEY_ = '" + channel.key() + "'");
            eventually(
                    "nothing left", () -> table.look().oldest(MessageState.OPEN).isZero());
        } finally {
            table.stop();
        }
    }

    /** Its channels are asked for with each look at the table, so they tell of looks, and can hang as a database does. */
    @Test
    default void onlyWhoLooksMakesStatementsAndNobodyWaitsForThem() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch hangs = new CountDownLatch(1);
        TableState table = new TableState(
                bench().transactions,
                () -> {
                    if (looks.incrementAndGet() == 2) {
                        StoreContract.await(hangs);
                    }
                    return List.of();
                },
                Duration.ofMillis(50));
        try {
            await().during(Duration.ofMillis(200)).until(() -> looks.get() == 0); // nobody looked
            Snapshot first = table.look(Duration.ofMinutes(1));
            assertThat(first.at()).isNotNull();
            eventually("hangs", () -> looks.get() == 2);
            assertThat(table.look()).as("the last values").isSameAs(first);
            assertThat(table.away()).as("asked, and no answer").isPositive();
            assertThat(table.look(Duration.ofMinutes(1)))
                    .as("nor after the first time")
                    .isSameAs(first);
            hangs.countDown();
            eventually("goes on", () -> !table.look().equals(first));
            eventually("answers", () -> table.away().isZero());
            table.stop();
            eventually("stopped", () -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("pubsub-table")));
            assertThat(table.look().at()).as("stopped, it has the last values").isNotNull();
        } finally {
            hangs.countDown();
            table.stop();
        }
    }
}
