package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One holder of a lane at a time, who sees what the last one did, and changes only what is as it was read (rule R4). */
interface LaneContract {

    RowChange DONE = new RowChange(MessageState.DONE, null, null, null, null, null);
    RowChange WAITING =
            new RowChange(MessageState.WAITING, Reason.NO_MATCH, InboxBench.NOON.plusYears(50), null, null, null);

    InboxBench bench();

    @Test
    default void aLockedLaneIsSkippedAndOthersAreNot() throws Exception {
        ChannelId channel = bench().newChannel();
        store(InboxBench.message(channel, "1", "key"), InboxBench.message(channel, "2", "KEY"));
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
            Future<List<String>> skipped =
                    bench().callElsewhere(session -> session.lanes().lock(Lane.of(channel, "key")));
            assertThat(skipped.get(5, TimeUnit.SECONDS)).isEmpty();
            Future<List<String>> other =
                    bench().callElsewhere(session -> session.lanes().lock(Lane.of(channel, "KEY")));
            assertThat(other.get(5, TimeUnit.SECONDS)).containsExactly("KEY");
        } finally {
            release.countDown();
        }
        assertThat(holder.get(20, TimeUnit.SECONDS)).containsExactly("key");
        assertThat(lock(channel, "key")).as("after the commit").containsExactly("key");
    }

    @Test
    default void aLaneWithoutItsRowIsNotLocked() {
        ChannelId channel = bench().newChannel();
        assertThat(lock(channel, "gone")).isEmpty();
        assertThat((List<?>) bench().call(session -> session.lanes().existing(channel, List.of("gone"))))
                .isEmpty();
        bench().call(session -> session.lanes().create(channel, List.of("gone")));
        assertThat(lock(channel, "gone")).containsExactly("gone");
    }

    private List<String> lock(ChannelId channel, String key) {
        return bench().call(session -> session.lanes().lock(Lane.of(channel, key)));
    }

    @Test
    default void theOldestByPublishTimeThenReceiptGoesFirst() {
        ChannelId channel = bench().newChannel();
        OffsetDateTime noon = InboxBench.NOON;
        store(
                InboxBench.message(channel, "late", "key", "event", noon.plusNanos(1000)),
                InboxBench.message(channel, "other lane", "other", "event", noon.minusYears(1)),
                InboxBench.message(channel, "same moment, first received", "key", "event", noon));
        store(InboxBench.message(channel, "same moment, then received", "key", "event", noon));
        store(InboxBench.message(channel, "early", "key", "event", noon.minusNanos(1000)));
        List<String> order = new ArrayList<>();
        for (InboxRow head = head(channel); head != null; head = head(channel)) {
            order.add(head.messageId());
            assertThat(head.more()).isEqualTo(order.size() < 4);
            assertThat(change(head.id(), 0, DONE)).isEqualTo(1);
        }
        assertThat(order).containsExactly("early", "same moment, first received", "same moment, then received", "late");
    }

    private @Nullable InboxRow head(ChannelId channel) {
        return bench().call(session -> session.lanes().oldestOpen(Lane.of(channel, "key")));
    }

    private int change(long id, int attempts, RowChange change) {
        return bench().call(session -> session.lanes().change(id, attempts, change));
    }

    private void store(NewMessage... messages) {
        bench().store.store(messages[0].lane().channel(), List.of(messages));
    }

    @Test
    default void aRowThatChangedIsNotChanged() {
        ChannelId channel = bench().newChannel();
        store(InboxBench.message(channel, "1", "key"));
        long id = bench().head(channel, "key").id();
        assertThat(change(id, 1, DONE)).as("attempts are not as read").isZero();
        for (String state : List.of("WAITING", "PARKED", "DONE", "DISCARDED")) {
            bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = '" + state + "' where ID_ = " + id);
            assertThat(change(id, 0, DONE)).as(state).isZero();
        }
        bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'OPEN' where ID_ = " + id);
        assertThat(change(id, 0, DONE)).isEqualTo(1);
        assertThat(change(id, 0, DONE)).as("twice").isZero();
        assertThat(bench().row(id).state()).isEqualTo("DONE");
        assertThat(bench().row(id).attempts()).isEqualTo(1);
        assertThat(bench().database.count("FLW_PUBSUB_INBOX", "FINISHED_AT_ is not null and ID_ = " + id))
                .isEqualTo(1);
    }

    /** The pool is REPEATABLE READ: without more, the second would see the head as it was at its first statement. */
    @Test
    default void theNextHolderSeesWhatTheLastOneDid() throws Exception {
        ChannelId channel = bench().newChannel();
        store(InboxBench.message(channel, "1", "key"), InboxBench.message(channel, "2", "key"));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch finished = new CountDownLatch(1);
        Future<@Nullable InboxRow> second = bench().callElsewhere(session -> {
            session.lanes().existing(channel, List.of("key"));
            session.lanes().oldestOpen(Lane.of(channel, "key"));
            begun.countDown();
            StoreContract.await(finished);
            session.lanes().lock(Lane.of(channel, "key"));
            return session.lanes().oldestOpen(Lane.of(channel, "key"));
        });
        StoreContract.await(begun);
        InboxRow first = bench().head(channel, "key");
        assertThat(first.messageId()).isEqualTo("1");
        change(first.id(), 0, DONE);
        finished.countDown();
        assertThat(second.get(20, TimeUnit.SECONDS))
                .extracting(InboxRow::messageId)
                .isEqualTo("2");
    }

    /** As a killed node leaves it: nothing committed, the lane is free, the row as it was. */
    @Test
    default void aFailureGivesTheLaneBackAndChangesNothing() {
        ChannelId channel = bench().newChannel();
        store(InboxBench.message(channel, "1", "key"));
        long id = bench().head(channel, "key").id();
        Function<InboxSession, Integer> failing = session -> {
            session.lanes().lock(Lane.of(channel, "key"));
            session.lanes().change(id, 0, DONE);
            session.due().addMatchKeys(id, "event", List.of("c"));
            throw new IllegalStateException("the process failed");
        };
        assertThat(catchThrowable(() -> bench().call(failing))).hasMessageContaining("the process failed");
        assertThat(lock(channel, "key")).hasSize(1);
        assertThat(bench().row(id).state()).isEqualTo("OPEN");
        assertThat(bench().row(id).attempts()).isZero();
        assertThat(bench().database.count("FLW_PUBSUB_MATCH_KEY", "INBOX_ID_ = " + id))
                .isZero();
    }

    @Test
    default void laterMessagesOfAWaitingOnesEventAreHeldBackAndReleasedOneByOne() {
        ChannelId channel = bench().newChannel();
        OffsetDateTime noon = InboxBench.NOON;
        store(
                InboxBench.message(channel, "waiting", "key", "a", noon),
                InboxBench.message(channel, "other event", "key", "b", noon),
                InboxBench.message(channel, "same moment", "key", "a", noon),
                InboxBench.message(channel, "later", "key", "a", noon.plusNanos(1000)),
                InboxBench.message(channel, "other case", "key", "A", noon.plusNanos(1000)),
                InboxBench.message(channel, "no event", "key", null, noon.plusNanos(1000)));
        InboxRow waiting = bench().head(channel, "key");
        assertThat(waiting.messageId()).isEqualTo("waiting");
        change(waiting.id(), 0, WAITING);
        InboxRow other = bench().head(channel, "key");
        assertThat(other.messageId()).isEqualTo("other event");
        assertThat(other.blocked()).isFalse();
        change(other.id(), 0, DONE);
        InboxRow blocked = bench().head(channel, "key");
        assertThat(blocked.messageId()).isEqualTo("same moment");
        assertThat(blocked.blocked()).isTrue();
        assertThat((int) bench().call(session -> session.held().holdBack(blocked)))
                .isEqualTo(2);
        assertThat(states(channel))
                .containsExactly(
                        "waiting WAITING NO_MATCH",
                        "other event DONE null",
                        "same moment WAITING HELD_BACK",
                        "later WAITING HELD_BACK",
                        "other case OPEN null",
                        "no event OPEN null");
        assertThat(oldestHeldBack(channel, "a")).isEqualTo(blocked.id());
        assertThat(oldestHeldBack(channel, "A")).isNull();
        assertThat(orphan(channel)).isNull();

        assertThat((boolean) bench().call(session -> session.due().open(waiting.id())))
                .isTrue();
        assertThat((boolean) bench().call(session -> session.due().open(waiting.id())))
                .as("twice")
                .isFalse();
        assertThat(bench().head(channel, "key").holdsBack()).isTrue();
        change(waiting.id(), 1, DONE);
        assertThat(orphan(channel)).isEqualTo(blocked.id());
        assertThat((boolean) bench().call(session -> session.due().open(blocked.id())))
                .isTrue();
        assertThat(bench().head(channel, "key").messageId()).isEqualTo("same moment");
        assertThat(bench().head(channel, "key").holdsBack()).isTrue();
    }

    private List<String> states(ChannelId channel) {
        return bench().inbox.rows("CHANNEL_KEY_ = '" + channel.key() + "'").stream()
                .map(row -> row.messageId() + " " + row.state() + " " + row.reason())
                .toList();
    }

    private @Nullable Long oldestHeldBack(ChannelId channel, String event) {
        return bench().call(session -> session.held().oldestHeldBack(Lane.of(channel, "key"), event));
    }

    private @Nullable Long orphan(ChannelId channel) {
        return bench().call(session -> session.held().orphan(Lane.of(channel, "key")));
    }
}
