package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.flowablepubsub.inbox.AheadMapper.Taken;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A row that was read before its lane was locked is taken only if it still is the one whose turn it is (rule R4). */
interface AheadContract {

    InboxBench bench();

    private InboxRow readAhead(ChannelId channel, long id) {
        assumeTrue(
                (boolean) bench().call(InboxSession::readsAhead), "not on this database: its lanes are locked first");
        List<InboxRow> read = bench().call(session -> session.ahead().byId(List.of(id)));
        assertThat(read).hasSize(1);
        assertThat(read.get(0).lane().channel()).isEqualTo(channel);
        return read.get(0);
    }

    private @Nullable Taken take(InboxRow row) {
        return bench().call(session -> session.ahead().take(row));
    }

    @Test
    default void theOldestOfAFreeLaneIsTakenOnce() {
        ChannelId channel = bench().newChannel();
        InboxRow first = readAhead(channel, bench().stored(channel, "1", "key", "event"));
        assertThat(take(first)).extracting(Taken::more).isEqualTo(false);
        assertThat(bench().row(first.id()).state()).isEqualTo("DONE");
        assertThat(bench().row(first.id()).attempts()).isEqualTo(1);
        assertThat(take(first)).as("again").isNull();
        assertThat(bench().row(first.id()).attempts()).isEqualTo(1);
    }

    @Test
    default void itTellsWhetherThereIsMore() {
        ChannelId channel = bench().newChannel();
        InboxRow first = readAhead(channel, bench().stored(channel, "1", "key", "event"));
        bench().stored(channel, "2", "key", "event");
        bench().stored(channel, "3", "key", "event");
        assertThat((List<?>) bench().call(session -> session.ahead().behind(first, 20)).stream()
                        .map(InboxRow::messageId)
                        .toList())
                .isEqualTo(List.of("2", "3"));
        assertThat(take(first)).extracting(Taken::more).isEqualTo(true);
    }

    @Test
    default void onlyTheOldestIsTaken() {
        ChannelId channel = bench().newChannel();
        long first = bench().stored(channel, "1", "key", "a");
        InboxRow second = readAhead(channel, bench().stored(channel, "2", "key", "b"));
        assertThat(take(second)).as("an older one is open").isNull();
        assertThat(bench().row(second.id()).state()).isEqualTo("OPEN");
        bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'PARKED' where ID_ = " + first);
        assertThat(take(second)).isNotNull();
    }

    @Test
    default void aLaneThatIsLockedElsewhereIsLeftAlone() throws Exception {
        ChannelId channel = bench().newChannel();
        InboxRow row = readAhead(channel, bench().stored(channel, "1", "key", "event"));
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<List<String>> holder = bench().callElsewhere(session -> {
            List<String> lane = session.lanes().lock(Lane.of(channel, "key"));
            locked.countDown();
            StoreContract.await(release);
            return lane;
        });
        StoreContract.await(locked);
        try {
            assertThat(bench().callElsewhere(session -> session.ahead().take(row) == null)
                            .get(5, TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            release.countDown();
        }
        assertThat(holder.get(20, TimeUnit.SECONDS)).hasSize(1);
        assertThat(bench().row(row.id()).state()).isEqualTo("OPEN");
    }

    /** The other way round: whoever has taken a row holds its lane. */
    @Test
    default void takingARowLocksItsLane() {
        ChannelId channel = bench().newChannel();
        InboxRow row = readAhead(channel, bench().stored(channel, "1", "key", "event"));
        boolean free = bench().call(session -> {
            assertThat(session.ahead().take(row)).isNotNull();
            try {
                return bench().callElsewhere(other ->
                                !other.lanes().lock(Lane.of(channel, "key")).isEmpty())
                        .get(5, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(free).isFalse();
    }

    @Test
    default void aRowThatIsNotAsItWasReadIsNotTaken() {
        ChannelId channel = bench().newChannel();
        InboxRow row = readAhead(channel, bench().stored(channel, "1", "key", "event"));
        for (String change : List.of(
                "ATTEMPTS_ = 1",
                "STATE_ = 'WAITING'",
                "STATE_ = 'PARKED'",
                "STATE_ = 'DONE'",
                "NEXT_ATTEMPT_ = CURRENT_TIMESTAMP + interval '1 hour'",
                "EXPIRES_AT_ = CURRENT_TIMESTAMP + interval '1 hour'",
                "CLEARED_ = 1")) {
            bench().inbox.sql("update FLW_PUBSUB_INBOX set " + change + " where ID_ = " + row.id());
            assertThat(take(row)).as(change).isNull();
            bench().inbox
                    .sql("update FLW_PUBSUB_INBOX set STATE_ = 'OPEN', ATTEMPTS_ = 0, CLEARED_ = 0,"
                            + " EXPIRES_AT_ = null, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP where ID_ = " + row.id());
        }
        assertThat(take(row)).as("as it was").isNotNull();
    }

    @Test
    default void behindAWaitingOneOfItsEventItIsNotTaken() {
        ChannelId channel = bench().newChannel();
        long waiting = bench().stored(channel, "1", "key", "event");
        InboxRow row = readAhead(channel, bench().stored(channel, "2", "key", "event"));
        InboxRow other = readAhead(channel, bench().stored(channel, "3", "key", "other event"));
        RowChange wait =
                new RowChange(MessageState.WAITING, Reason.NO_MATCH, InboxBench.NOON.plusYears(50), null, null, null);
        bench().call(session -> session.lanes().change(waiting, 0, wait));
        assertThat(take(row)).isNull();
        bench().inbox
                .sql("update FLW_PUBSUB_INBOX set STATE_ = 'WAITING', REASON_ = 'HELD_BACK' where ID_ = " + row.id());
        assertThat(take(other)).as("of another event").isNotNull();
    }

    /** What it came to instead is written over it, and rolled back with it. */
    @Test
    default void whatIsTakenCanStillBecomeSomethingElse() {
        ChannelId channel = bench().newChannel();
        InboxRow row = readAhead(channel, bench().stored(channel, "1", "key", "event"));
        RowChange parked = new RowChange(MessageState.PARKED, Reason.AMBIGUOUS, null, null, null, "two tokens");
        assertThat(catchThrowable(() -> bench().call(session -> {
                    assertThat(session.ahead().take(row)).isNotNull();
                    assertThat(session.lanes().changeTaken(row.id(), 0, parked)).isEqualTo(1);
                    throw new IllegalStateException("the process failed");
                })))
                .hasMessageContaining("the process failed");
        assertThat(bench().row(row.id()).state()).isEqualTo("OPEN");
        assertThat(bench().row(row.id()).attempts()).isZero();
        int changed = bench().call(session -> {
            assertThat(session.ahead().take(row)).isNotNull();
            return session.lanes().changeTaken(row.id(), 0, parked);
        });
        assertThat(changed).isEqualTo(1);
        assertThat(bench().row(row.id()).state()).isEqualTo("PARKED");
        assertThat(bench().row(row.id()).attempts()).isEqualTo(1);
        assertThat(bench().database.count("FLW_PUBSUB_INBOX", "FINISHED_AT_ is null and ID_ = " + row.id()))
                .isEqualTo(1);
    }
}
