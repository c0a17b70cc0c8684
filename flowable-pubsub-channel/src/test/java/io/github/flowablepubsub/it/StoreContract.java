package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageStore.Stored;
import io.github.flowablepubsub.inbox.NewMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each message once, whoever stores it and how often (rule R3). */
interface StoreContract {

    InboxBench bench();

    @Test
    default void aMessageThatComesAgainIsTheSameRow() {
        ChannelId channel = bench().newChannel();
        NewMessage one = InboxBench.message(channel, "1", "key");
        NewMessage two = InboxBench.message(channel, "2", "key");
        Stored first = bench().store.store(channel, List.of(one, two, one));
        assertThat(first.stored()).containsExactly(one, two);
        assertThat(first.duplicateIds()).containsExactly("1");
        Stored again = bench().store.store(channel, List.of(two, one));
        assertThat(again.stored()).isEmpty();
        assertThat(again.duplicateIds()).containsExactly("2", "1");
        assertThat(rows(channel)).hasSize(2);
        ChannelId other = bench().newChannel();
        assertThat(bench().store
                        .store(other, List.of(InboxBench.message(other, "1", "key")))
                        .stored())
                .as("another channel's")
                .hasSize(1);
    }

    @Test
    default void theSameIdWithAnotherBodyIsAnotherMessage() {
        ChannelId channel = bench().newChannel();
        NewMessage one = InboxBench.message(channel, "1", "key");
        NewMessage other = InboxBench.message(
                channel, "1", "key", "event", InboxBench.NOON, "other".getBytes(StandardCharsets.UTF_8));
        bench().store.store(channel, List.of(one, other));
        bench().store.store(channel, List.of(other, one));
        assertThat(rows(channel)).extracting(InboxTable.Row::payload).containsExactlyInAnyOrder("body of 1", "other");
    }

    @Test
    default void unfinishedRowsAreCountedUpToALimit() {
        ChannelId channel = bench().newChannel();
        for (String id : List.of("1", "2", "3")) {
            bench().waiting(channel, id, "event", null);
        }
        bench().stored(channel, "4", "key", "event");
        bench().stored(channel, "5", "key", "event");
        for (String state : List.of("DONE", "PARKED", "DISCARDED")) {
            long row = bench().stored(channel, state, "key", "event");
            bench().inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = '" + state + "' where ID_ = " + row);
        }
        assertThat(bench().store.unfinished(channel, 100)).isEqualTo(5);
        assertThat(bench().store.unfinished(channel, 2)).as("of each state").isEqualTo(4);
        assertThat(bench().store.unfinished(bench().newChannel(), 100)).isZero();
    }

    @Test
    default void twoWritersOfTheSameMessagesStoreThemOnce() throws Exception {
        ChannelId channel = bench().newChannel();
        List<NewMessage> messages = IntStream.range(0, 50)
                .mapToObj(i -> InboxBench.message(channel, "m" + i, "key" + i % 7))
                .toList();
        CyclicBarrier together = new CyclicBarrier(2);
        Callable<Integer> writer = () -> {
            together.await(10, TimeUnit.SECONDS);
            return storeUntilDone(channel, messages);
        };
        Future<Integer> one = bench().elsewhere(writer);
        Future<Integer> two = bench().elsewhere(writer);
        assertThat(one.get(60, TimeUnit.SECONDS) + two.get(60, TimeUnit.SECONDS))
                .as("new ones")
                .isEqualTo(50);
        assertThat(rows(channel)).hasSize(50);
    }

    /** As the subscriber does: a collision with another writer is told from a defect by trying again. */
    private int storeUntilDone(ChannelId channel, List<NewMessage> messages) {
        while (true) {
            try {
                return bench().store.store(channel, messages).stored().size();
            } catch (RuntimeException e) {
                if (!DatabaseFailures.isDuplicateKey(e) && !DatabaseFailures.isTransient(e)) {
                    throw e;
                }
            }
        }
    }

    @Test
    default void nothingOfABatchStaysWhenOneOfItIsRefused() {
        ChannelId channel = bench().newChannel();
        NewMessage good = InboxBench.message(channel, "1", "key");
        NewMessage tooLong = InboxBench.message(channel, "2", "k".repeat(256));
        assertThat(catchThrowable(() -> bench().store.store(channel, List.of(good, tooLong))))
                .isInstanceOf(RuntimeException.class);
        assertThat(rows(channel)).isEmpty();
        assertThat(bench().database.count("FLW_PUBSUB_LANE", "CHANNEL_KEY_ = '" + channel.key() + "'"))
                .isZero();
    }

    @Test
    default void redeliveriesAreCountedAndARowInWorkIsPassedBy() throws Exception {
        ChannelId channel = bench().newChannel();
        bench().store
                .store(
                        channel,
                        List.of(InboxBench.message(channel, "1", "key"), InboxBench.message(channel, "2", "other")));
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        long inWork = bench().head(channel, "key").id();
        Future<Integer> work = bench().callElsewhere(session -> {
            int changed = session.lanes().change(inWork, 0, LaneContract.DONE);
            locked.countDown();
            await(release);
            return changed;
        });
        await(locked);
        bench().store.countDuplicates(channel, List.of("1", "2", "3"));
        release.countDown();
        assertThat(work.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(rows(channel)).extracting(InboxTable.Row::duplicates).containsExactly(0, 1);
        bench().store.countDuplicates(channel, List.of("1"));
        assertThat(rows(channel)).extracting(InboxTable.Row::duplicates).containsExactly(1, 1);
    }

    /** Storing must not wait for a message that is being worked on, nor for its lane. */
    @Test
    default void storingDoesNotWaitForALaneInWork() throws Exception {
        ChannelId channel = bench().newChannel();
        NewMessage first = InboxBench.message(channel, "1", "key");
        bench().store.store(channel, List.of(first));
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<List<String>> work = bench().callElsewhere(session -> {
            List<String> lane = session.lanes().lock(Lane.of(channel, "key"));
            locked.countDown();
            await(release);
            return lane;
        });
        await(locked);
        try {
            Stored stored = bench().elsewhere(
                            () -> bench().store.store(channel, List.of(first, InboxBench.message(channel, "2", "key"))))
                    .get(5, TimeUnit.SECONDS);
            assertThat(stored.stored()).hasSize(1);
        } finally {
            release.countDown();
        }
        assertThat(work.get(20, TimeUnit.SECONDS)).containsExactly("key");
    }

    private List<InboxTable.Row> rows(ChannelId channel) {
        return new ArrayList<>(bench().inbox.rows("CHANNEL_KEY_ = '" + channel.key() + "'"));
    }

    /** Within a transaction, on another's sign. */
    static void await(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("No sign of the other thread");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
