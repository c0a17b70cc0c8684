package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper.DueFrom;
import io.github.flowablepubsub.inbox.DueMapper.DueRow;
import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is due, waits, or is woken, by the database's clock alone (rules R5, R6). */
interface DueContract {

    OffsetDateTime LONG_AGO = OffsetDateTime.parse("1990-01-01T00:00:00Z");

    InboxBench bench();

    /** Stores a message and returns its id. */
    private long stored(ChannelId channel, String id, String key, String event) {
        bench().store.store(channel, List.of(InboxBench.message(channel, id, key, event, InboxBench.NOON)));
        return bench().inbox
                .rows("CHANNEL_KEY_ = '" + channel.key() + "' and MESSAGE_ID_ = '" + id + "'")
                .get(0)
                .id();
    }

    /** A row that waits for a subscription. */
    private long waiting(ChannelId channel, String id, String event, @Nullable OffsetDateTime expiresAt) {
        long row = stored(channel, id, id, event);
        int attempts = bench().row(row).attempts();
        RowChange change = new RowChange(
                MessageState.WAITING, Reason.NO_MATCH, now().plusYears(1), expiresAt, null, "no subscription");
        assertThat((int) bench().call(session -> session.lanes().change(row, attempts, change)))
                .isEqualTo(1);
        return row;
    }

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
        due(stored(channel, "1", "second", "e"), now.minusSeconds(20));
        due(stored(channel, "2", "first", "e"), now.minusSeconds(30));
        due(stored(channel, "3", "later", "e"), now.plusHours(1));
        due(stored(channel, "4", "third", "e"), now.minusNanos(1000));
        waiting(channel, "5", "e", null);
        stored(bench().newChannel(), "1", "other channel", "e");
        assertThat(dueOrderKeys(channel, 10)).containsExactly("first", "second", "third");
        assertThat(dueOrderKeys(channel, 2)).containsExactly("first", "second");
        bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'PARKED' where ORDER_KEY_ = 'first'");
        assertThat(dueOrderKeys(channel, 10)).containsExactly("second", "third");
    }

    private List<String> dueOrderKeys(ChannelId channel, int limit) {
        DueFrom always = new DueFrom(channel, LONG_AGO);
        List<String> keys = bench().call(session -> session.due().dueOrderKeys(always, limit));
        assertThat(due(channel, limit, MessageState.OPEN).stream().map(DueRow::orderKey))
                .as("the same, as an idle node asks for it")
                .containsExactlyElementsOf(keys);
        return keys;
    }

    /** What is due of this state, and nothing of another channel. */
    private List<DueRow> due(ChannelId channel, int limit, MessageState state) {
        List<DueFrom> channels = List.of(new DueFrom(new ChannelId("none", ""), LONG_AGO), new DueFrom(channel, LONG_AGO));
        List<DueRow> due = bench().call(session -> session.due().due(channels, limit));
        assertThat(due).allSatisfy(row -> assertThat(row.lane().channel()).isEqualTo(channel));
        return due.stream()
                .filter(row -> row.state() == state)
                .sorted(Comparator.comparing(DueRow::nextAttempt))
                .toList();
    }

    @Test
    default void whatIsBeforeTheMarkIsNotLookedAt() {
        ChannelId channel = bench().newChannel();
        OffsetDateTime now = now();
        due(stored(channel, "1", "old", "e"), now.minusHours(2));
        due(stored(channel, "2", "mark", "e"), now.minusHours(1));
        DueFrom mark = new DueFrom(channel, now.minusHours(1));
        assertThat((List<?>) bench().call(session -> session.due().dueOrderKeys(mark, 10))).isEqualTo(List.of("mark"));
        assertThat((List<DueRow>) bench().call(session -> session.due().due(List.of(mark), 10)))
                .extracting(DueRow::orderKey)
                .containsExactly("mark");
    }

    @Test
    default void pagesOfWaitingRowsEndAtARow() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            rows.add(waiting(channel, "p" + i, "e", null));
        }
        long first = rows.get(0);
        assertThat(pageEnd(first - 1, 2)).isEqualTo(rows.get(1));
        assertThat(pageEnd(rows.get(1), 2)).isEqualTo(rows.get(2));
        assertThat(pageEnd(rows.get(2), 2)).isNull();
    }

    private @Nullable Long pageEnd(long after, int limit) {
        return bench().call(session -> session.due().pageEnd(Reason.NO_MATCH, after, limit));
    }

    @Test
    default void onlyWaitingRowsThatNobodyHoldsAreOpened() throws Exception {
        ChannelId channel = bench().newChannel();
        long held = waiting(channel, "held", "e", null);
        long free = waiting(channel, "free", "e", null);
        long open = stored(channel, "open", "open", "e");
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<Integer> holder = bench().callElsewhere(session -> {
            int opened = session.lanes().open(held);
            locked.countDown();
            StoreContract.await(release);
            return opened;
        });
        StoreContract.await(locked);
        try {
            Future<List<Long>> opened =
                    bench().callElsewhere(session -> session.due().openUnlocked(List.of(free, held, open)));
            assertThat(opened.get(5, TimeUnit.SECONDS)).containsExactly(free);
        } finally {
            release.countDown();
        }
        assertThat(holder.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(dueOrderKeys(channel, 10)).containsExactlyInAnyOrder("free", "held", "open");
    }

    /** Rule R5: what the node believes the time is does not matter, nor does its zone; a quarter of an hour is seen. */
    @Test
    default void theDatabasesClockDecides() {
        ChannelId channel = bench().newChannel();
        long id = stored(channel, "1", "key", "e");
        OffsetDateTime now = now();
        assertThat(Duration.between(now, OffsetDateTime.now()).abs())
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
            stored(channel, "m" + i, "key" + i % 4, "e");
        }
        waiting(channel, "waits", "e", null);
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
        long row = waiting(channel, "1", "e", null);
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
    default void aSubscriptionFindsTheRowsThatWaitForIt() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            long row = waiting(channel, "w" + i, "wecken", null);
            rows.add(row);
            List<String> configurations = List.of("conf" + i % 2, "both");
            bench().call(session -> session.due().addMatchKeys(row, "wecken", configurations));
        }
        assertThat(waitingFor("wecken", "conf0", 0, 10)).containsExactly(rows.get(0), rows.get(2), rows.get(4));
        assertThat(waitingFor("wecken", "both", rows.get(1), 2)).containsExactly(rows.get(2), rows.get(3));
        assertThat(waitingFor("wecken", "*", 0, 10))
                .as("one without correlation")
                .isEqualTo(rows);
        assertThat(waitingFor("Wecken", "both", 0, 10)).as("another event").isEmpty();
        assertThat(waitingFor("wecken", "Both", 0, 10))
                .as("another configuration")
                .isEmpty();

        bench().inbox.sql("update FLW_PUBSUB_INBOX set REASON_ = 'HELD_BACK' where ID_ = " + rows.get(0));
        bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'OPEN' where ID_ = " + rows.get(2));
        bench().call(session -> session.due().removeMatchKeys(rows.get(4)));
        assertThat(waitingFor("wecken", "conf0", 0, 10)).isEmpty();
    }

    private List<Long> waitingFor(String event, String configuration, long after, int limit) {
        return bench().call(session -> session.due().waitingFor(event, configuration, after, limit).stream()
                .map(WaitingRow::id)
                .toList());
    }

    @Test
    default void whatIsOpenedIsDueAndKeepsItsReasonOnlyWhenItsTimeToLiveIsOver() {
        ChannelId channel = bench().newChannel();
        OffsetDateTime now = now();
        long alive = waiting(channel, "alive", "e", now.plusMinutes(10));
        long over = waiting(channel, "over", "e", now.minusMinutes(10));
        long open = stored(channel, "open", "open", "e");
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
            long id = waiting(channel, state, "e", now().minusDays(1));
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

    @Test
    default void aMissedWakeUpIsFoundByTheSubscriptionInTheEnginesTable() {
        bench().node.deployEvents(Map.of("e.event", Models.EVENT)).deployProcess(Models.PROCESS);
        String instance = bench().node
                .engine
                .getRuntimeService()
                .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "verpasst"))
                .getId();
        String configuration = bench().database
                .strings("select CONFIGURATION_ from ACT_RU_EVENT_SUBSCR where PROC_INST_ID_ = '" + instance + "'")
                .get(0);
        ChannelId channel = bench().newChannel();
        long match = waiting(channel, "match", "auftragAbgeschlossen", null);
        long other = waiting(channel, "other", "auftragAbgeschlossen", null);
        bench().call(session -> session.due().addMatchKeys(match, "auftragAbgeschlossen", List.of(configuration)));
        bench().call(session -> session.due().addMatchKeys(other, "auftragAbgeschlossen", List.of("other")));
        List<WaitingRow> missed = bench().call(session -> session.due().missedWakeUps(match - 1, other));
        assertThat(missed).containsExactly(new WaitingRow(match, channel.key(), "", "match"));
        assertThat((List<?>) bench().call(session -> session.due().missedWakeUps(match, other)))
                .isEmpty();
    }

    @Test
    default void rowsThatAreHeldBackByNothingAreFound() {
        ChannelId channel = bench().newChannel();
        long held = stored(channel, "held", "key", "e");
        long before = stored(channel, "before", "key", "e");
        bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'WAITING', REASON_ = 'HELD_BACK' where ID_ = " + held);
        assertThat(orphans(held)).isEmpty();
        bench().inbox.sql("update FLW_PUBSUB_INBOX set EVENT_KEY_ = 'E' where ID_ = " + before);
        assertThat(orphans(held)).containsExactly(held);
        bench().inbox
                .sql(
                        "update FLW_PUBSUB_INBOX set EVENT_KEY_ = 'e', STATE_ = 'WAITING', REASON_ = 'NO_MATCH' where ID_ = "
                                + before);
        assertThat(orphans(held)).isEmpty();
        bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'DONE' where ID_ = " + before);
        assertThat(orphans(held)).containsExactly(held);
    }

    private List<Long> orphans(long held) {
        return bench().call(session ->
                session.due().orphans(held - 1, held).stream().map(WaitingRow::id).toList());
    }
}
