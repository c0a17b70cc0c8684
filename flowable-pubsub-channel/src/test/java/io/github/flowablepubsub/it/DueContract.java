package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper.DueFrom;
import io.github.flowablepubsub.inbox.DueMapper.DueKey;
import io.github.flowablepubsub.inbox.DueMapper.DueRow;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.RowChange;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is due, waits, or is woken, by the database's clock alone (rules R5, R6). */
interface DueContract {

    OffsetDateTime LONG_AGO = OffsetDateTime.parse("1990-01-01T00:00:00Z");

    InboxBench bench();

    /** The database's clock, as the relay gets it. */
    private OffsetDateTime now() {
        ChannelId channel = bench().newChannel();
        bench().store.store(channel, List.of(InboxBench.message(channel, "clock", "clock")));
        InboxRow row = bench().head(channel, "clock");
        assertThat(row.nextAttempt()).as("a new row is due").isBeforeOrEqualTo(row.now());
        assertThat(Duration.between(row.nextAttempt(), row.now())).isLessThan(Duration.ofMinutes(1));
        bench().inbox.sql("delete from FLW_PUBSUB_INBOX where ID_ = " + row.id());
        return row.now();
    }

    private void due(long id, OffsetDateTime at) {
        int attempts = bench().row(id).attempts();
        RowChange change = new RowChange(MessageState.OPEN, null, at, null, null, null);
        bench().call(session -> session.lanes().change(id, attempts, change));
    }

    @Test
    default void dueAreOpenRowsWhoseTimeHasCome_theLongestDueFirst() {
        ChannelId channel = bench().newChannel();
        OffsetDateTime now = now();
        due(bench().stored(channel, "1", "second", "e"), now.minusSeconds(20));
        due(bench().stored(channel, "2", "first", "e"), now.minusSeconds(30));
        due(bench().stored(channel, "3", "later", "e"), now.plusHours(1));
        due(bench().stored(channel, "4", "third", "e"), now.minusNanos(1000));
        bench().waiting(channel, "5", "e", null);
        bench().stored(bench().newChannel(), "1", "other channel", "e");
        assertThat(dueOrderKeys(channel, 10)).containsExactly("first", "second", "third");
        assertThat(dueOrderKeys(channel, 2)).containsExactly("first", "second");
        bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'PARKED' where ORDER_KEY_ = 'first'");
        assertThat(dueOrderKeys(channel, 10)).containsExactly("second", "third");
    }

    private List<String> dueOrderKeys(ChannelId channel, int limit) {
        DueFrom always = new DueFrom(channel, LONG_AGO);
        List<String> keys = bench().call(session -> session.due().dueOrderKeys(always, limit)).stream()
                .map(DueKey::orderKey)
                .toList();
        assertThat(due(channel, limit, MessageState.OPEN).stream().map(DueRow::orderKey))
                .as("the same, as an idle node asks for it")
                .containsExactlyInAnyOrderElementsOf(keys);
        return keys;
    }

    /** What is due of this state, and nothing of another channel. */
    private List<DueRow> due(ChannelId channel, int limit, MessageState state) {
        List<DueFrom> channels =
                List.of(new DueFrom(new ChannelId("none", ""), LONG_AGO), new DueFrom(channel, LONG_AGO));
        List<DueRow> due = bench().call(session -> session.due().due(channels, limit));
        assertThat(due).allSatisfy(row -> assertThat(row.lane().channel()).isEqualTo(channel));
        return due.stream()
                .filter(row -> row.state() == state)
                .sorted(Comparator.comparing(DueRow::dueAt))
                .toList();
    }

    @Test
    default void whatIsBeforeTheMarkIsNotLookedAt() {
        ChannelId channel = bench().newChannel();
        OffsetDateTime now = now();
        due(bench().stored(channel, "1", "old", "e"), now.minusHours(2));
        due(bench().stored(channel, "2", "mark", "e"), now.minusHours(1));
        DueFrom mark = new DueFrom(channel, now.minusHours(1));
        List<DueKey> keys = bench().call(session -> session.due().dueOrderKeys(mark, 10));
        assertThat(keys).extracting(DueKey::orderKey).containsExactly("mark");
        List<DueRow> rows = bench().call(session -> session.due().due(List.of(mark), 10));
        assertThat(rows).extracting(DueRow::orderKey).containsExactly("mark");
    }

    /** Rule R5: what the node believes the time is does not matter, nor does its zone; a quarter of an hour is seen. */
    @Test
    default void theDatabasesClockDecides() {
        ChannelId channel = bench().newChannel();
        long id = bench().stored(channel, "1", "key", "e");
        OffsetDateTime now = now();
        assertThat(Duration.between(now, OffsetDateTime.now(ZoneOffset.UTC)).abs())
                .as("same machine, whatever the session's zone")
                .isLessThan(Duration.ofMinutes(1));
        due(id, now.plusMinutes(15));
        assertThat(dueOrderKeys(channel, 1)).isEmpty();
        due(id, now.minusMinutes(15));
        assertThat(dueOrderKeys(channel, 1)).containsExactly("key");
        due(id, now.plusMinutes(15));
        bench().inbox.sql("update FLW_PUBSUB_INBOX set NEXT_ATTEMPT_ = CURRENT_TIMESTAMP where ID_ = " + id);
        assertThat(dueOrderKeys(channel, 1)).as("as an operator writes it").containsExactly("key");
    }

    @Test
    default void theWalkVisitsEachKeyThatHasOpenRowsOnce() {
        ChannelId channel = bench().newChannel();
        for (int i = 0; i < 12; i++) {
            bench().stored(channel, "m" + i, "key" + i % 4, "e");
        }
        bench().waiting(channel, "waits", "e", null);
        bench().inbox
                .sql("update FLW_PUBSUB_INBOX set STATE_ = 'DONE' where ORDER_KEY_ = 'key2' and CHANNEL_KEY_ = '"
                        + channel.key() + "'");
        List<String> walked = new ArrayList<>();
        for (String key = next(channel, ""); key != null; key = next(channel, key)) {
            walked.add(key);
        }
        assertThat(walked).containsExactly("key0", "key1", "key3");
    }

    private @Nullable String next(ChannelId channel, String after) {
        return bench().call(session -> session.due().nextOrderKey(channel, after));
    }

    @Test
    default void waitingRowsAreDueAtTheirTime() {
        ChannelId channel = bench().newChannel();
        long row = bench().waiting(channel, "1", "e", null);
        assertThat(dueWaiting(channel)).isEmpty();
        bench().inbox.sql("update FLW_PUBSUB_INBOX set NEXT_ATTEMPT_ = CURRENT_TIMESTAMP where ID_ = " + row);
        assertThat(dueWaiting(channel)).containsExactly(row);
        bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'OPEN' where ID_ = " + row);
        assertThat(dueWaiting(channel)).isEmpty();
    }

    private List<Long> dueWaiting(ChannelId channel) {
        return due(channel, 10, MessageState.WAITING).stream().map(DueRow::id).toList();
    }

    @Test
    default void whatIsOpenedIsDueAndKeepsItsReasonOnlyWhenItsTimeToLiveIsOver() {
        ChannelId channel = bench().newChannel();
        OffsetDateTime now = now();
        long alive = bench().waiting(channel, "alive", "e", now.plusMinutes(10));
        long over = bench().waiting(channel, "over", "e", now.minusMinutes(10));
        long open = bench().stored(channel, "open", "open", "e");
        assertThat((int) bench().call(session -> session.due().open(List.of(alive, over, open))))
                .isEqualTo(2);
        assertThat(bench().row(alive).reason()).isNull();
        assertThat(bench().row(over).reason()).isEqualTo("NO_MATCH");
        assertThat(dueOrderKeys(channel, 10)).containsExactlyInAnyOrder("alive", "over", "open");
        assertThat(bench().head(channel, "alive").expired()).isFalse();
        assertThat(bench().head(channel, "over").expired()).isTrue();
        assertThat((int) bench().call(session -> session.due().open(List.of(alive))))
                .as("twice")
                .isZero();
    }

    /** Design, section 4: whatever stands in the row, this one line makes it due and gives it a look. */
    @Test
    default void plainSqlRepairs() {
        ChannelId channel = bench().newChannel();
        for (String state : List.of("PARKED", "WAITING", "DONE", "DISCARDED", "OPEN")) {
            long id = bench().waiting(channel, state, "e", now().minusDays(1));
            bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = '" + state + "' where ID_ = " + id);
            assertThat(bench().inbox
                            .sql(
                                    "UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP WHERE ID_ = "
                                            + id))
                    .isEqualTo(1);
            assertThat(dueOrderKeys(channel, 10)).contains(state);
            InboxRow head = bench().head(channel, state);
            assertThat(head.expired()).as("it is looked up at least once").isFalse();
            assertThat(head.nextAttempt()).isBeforeOrEqualTo(head.now());
        }
    }
}
