package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.channel.RetentionPolicy;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.DedupRule;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageStore.Stored;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.operations.Retention;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Business keys: of messages with the same one only the first is stored, whoever stores it and in whatever order. */
interface DedupContract {

    DedupRule PARK = new DedupRule(true, Duration.ofHours(1));
    DedupRule IGNORE = new DedupRule(false, Duration.ofHours(1));

    InboxBench bench();

    private static NewMessage message(ChannelId channel, String id, String key, String body) {
        return InboxBench.message(
                        channel, id, "order of " + id, "event", InboxBench.NOON, body.getBytes(StandardCharsets.UTF_8))
                .withDedupKey(key);
    }

    private Stored store(ChannelId channel, DedupRule rule, NewMessage... messages) {
        return bench().store.store(channel, List.of(messages), rule);
    }

    private List<InboxTable.Row> rows(ChannelId channel) {
        return bench().inbox.rows("CHANNEL_KEY_ = '" + channel.key() + "'");
    }

    private List<String> keys(ChannelId channel) {
        return bench().database
                .strings("select DEDUP_KEY_ from FLW_PUBSUB_INBOX where CHANNEL_KEY_ = '" + channel.key()
                        + "' and DEDUP_KEY_ is not null order by ID_");
    }

    private long held(ChannelId channel) {
        return bench().database.count("FLW_PUBSUB_DEDUP", "CHANNEL_KEY_ = '" + channel.key() + "'");
    }

    @Test
    default void theSameKeyAndBodyIsADuplicateOfTheFirst() {
        ChannelId channel = bench().newChannel();
        Stored first = store(channel, PARK, message(channel, "1", "k", "b"), message(channel, "2", "k", "b"));
        assertThat(first.stored()).extracting(NewMessage::messageId).containsExactly("1");
        assertThat(first.duplicateIds()).as("what it repeats").containsExactly("1");
        Stored again = store(channel, PARK, message(channel, "3", "k", "b"), message(channel, "1", "k", "b"));
        assertThat(again.stored()).isEmpty();
        assertThat(again.duplicateIds()).containsExactly("1", "1");
        bench().store.countDuplicates(channel, again.duplicateIds());
        assertThat(rows(channel)).singleElement().satisfies(row -> {
            assertThat(row.state()).isEqualTo("OPEN");
            assertThat(row.duplicates()).isEqualTo(1);
        });
        assertThat(keys(channel)).containsExactly("k");
        ChannelId other = bench().newChannel();
        assertThat(store(other, PARK, message(other, "1", "k", "b")).stored())
                .as("another channel's")
                .hasSize(1);
    }

    /** Parked once: neither a redelivery nor a publisher that goes on sending it adds a row. */
    @Test
    default void theSameKeyWithAnotherBodyIsParkedOnce_andNamesTheFirst() {
        ChannelId channel = bench().newChannel();
        store(channel, PARK, message(channel, "1", "k", "b"));
        long first = rows(channel).get(0).id();
        NewMessage conflict = message(channel, "2", "k", "c");
        Stored stored = store(channel, PARK, message(channel, "9", "z", "b"), conflict);
        assertThat(stored.stored()).extracting(NewMessage::messageId).containsExactly("9", "2");
        assertThat(stored.duplicateIds()).isEmpty();
        Stored redelivered = store(channel, PARK, conflict, message(channel, "3", "k", "c"), conflict);
        assertThat(redelivered.stored()).isEmpty();
        assertThat(redelivered.duplicateIds()).containsExactly("2", "2", "2");
        store(channel, PARK, message(channel, "4", "k", "d"), message(channel, "5", "k", "d"));
        assertThat(rows(channel)).extracting(InboxTable.Row::messageId).containsExactly("1", "9", "2", "4");
        assertThat(rows(channel).get(1).state()).as("its neighbour").isEqualTo("OPEN");
        assertThat(rows(channel).subList(2, 4)).allSatisfy(row -> {
            assertThat(row.state()).isEqualTo("PARKED");
            assertThat(row.reason()).isEqualTo("DUPLICATE_CONFLICT");
            assertThat(row.error())
                    .isEqualTo("Message " + row.messageId() + " has the same business key as message 1 (row " + first
                            + "), which came first, but another body");
        });
    }

    @Test
    default void aConflictWithinOneBatchIsOneToo() {
        ChannelId channel = bench().newChannel();
        store(channel, PARK, message(channel, "1", "k", "b"), message(channel, "2", "k", "c"));
        assertThat(rows(channel)).extracting(InboxTable.Row::state).containsExactly("OPEN", "PARKED");
        assertThat(rows(channel).get(1).error()).contains("as message 1, which came first");
    }

    @Test
    default void aConflictThatIsIgnoredLeavesNoRow_andIsTold() {
        ChannelId channel = bench().newChannel();
        Stored stored = store(
                channel,
                IGNORE,
                message(channel, "1", "k", "b"),
                message(channel, "2", "k", "c"),
                message(channel, "3", "k", "c"));
        assertThat(stored.stored()).hasSize(1);
        assertThat(stored.duplicateIds()).containsExactly("1", "1");
        assertThat(stored.ignored()).extracting(NewMessage::messageId).containsExactly("2", "3");
        assertThat(stored.ignored().get(0).conflict()).startsWith("Message 2 has the same business key as message 1");
        assertThat(rows(channel)).hasSize(1);
    }

    @Test
    default void keysOfAnyLengthAndCaseAreDifferentOnes() {
        ChannelId channel = bench().newChannel();
        String longKey = Keys.column("k".repeat(1000) + "1");
        String another = Keys.column("k".repeat(1000) + "2");
        NewMessage[] messages = {
            message(channel, "1", "a", "b"),
            message(channel, "2", "A", "b"),
            message(channel, "3", "ä", "b"),
            message(channel, "4", longKey, "b"),
            message(channel, "5", another, "b")
        };
        assertThat(store(channel, PARK, messages).stored()).hasSize(5);
        store(channel, PARK, message(channel, "6", longKey, "c"));
        assertThat(store(channel, PARK, message(channel, "7", longKey, "c")).duplicateIds())
                .containsExactly("6");
        assertThat(keys(channel)).hasSize(6).doesNotHaveDuplicates().allMatch(key -> key.length() <= Keys.MAX_LENGTH);
    }

    @Test
    default void withoutAKeyNothingIsHeld() {
        ChannelId channel = bench().newChannel();
        NewMessage without = InboxBench.message(channel, "1", "key");
        assertThat(store(
                                channel,
                                PARK,
                                without,
                                message(channel, "2", "k", "b"),
                                InboxBench.message(channel, "3", "key"))
                        .stored())
                .hasSize(3);
        assertThat(held(channel)).isEqualTo(1);
    }

    /** Rule R5: by the database's clock, whether a clean-up came by or not. A row that is not finished holds its key. */
    @Test
    default void afterTheWindowAKeyIsFree() {
        ChannelId channel = bench().newChannel();
        store(channel, PARK, message(channel, "1", "old", "b"), message(channel, "2", "young", "b"));
        store(channel, PARK, message(channel, "3", "parked", "b"), message(channel, "4", "gone", "b"));
        finish(channel, "1", "DONE", 2);
        finish(channel, "2", "DONE", 0);
        finish(channel, "3", "PARKED", 2);
        bench().inbox
                .sql("delete from FLW_PUBSUB_INBOX where CHANNEL_KEY_ = '" + channel.key()
                        + "' and MESSAGE_ID_ = '4'"); // by an operator
        Stored stored = store(
                channel,
                PARK,
                message(channel, "11", "old", "other"),
                message(channel, "12", "young", "b"),
                message(channel, "13", "parked", "b"),
                message(channel, "14", "gone", "other"),
                message(channel, "15", "old", "other"));
        assertThat(stored.stored()).extracting(NewMessage::messageId).containsExactly("11", "14");
        assertThat(stored.duplicateIds()).containsExactly("2", "3", "11");
        assertThat(held(channel)).isEqualTo(4);
    }

    /** The key goes with its row, and only the row that holds it takes it along. */
    @Test
    default void retentionGivesKeysBack() {
        ChannelId channel = bench().newChannel();
        store(channel, PARK, message(channel, "1", "a", "b"), message(channel, "2", "b", "b"));
        finish(channel, "1", "DONE", 2);
        finish(channel, "2", "DONE", 2);
        store(channel, PARK, message(channel, "3", "b", "c"));
        new Retention(bench().transactions)
                .step(channel, new RetentionPolicy(Duration.ofHours(1), Duration.ofHours(1)));
        assertThat(rows(channel)).extracting(InboxTable.Row::messageId).containsExactly("3");
        assertThat(bench().database
                        .strings("select MESSAGE_ID_ from FLW_PUBSUB_DEDUP where CHANNEL_KEY_ = '" + channel.key()
                                + "'"))
                .containsExactly("3");
    }

    private void finish(ChannelId channel, String id, String state, int hoursAgo) {
        bench().inbox
                .sql("update FLW_PUBSUB_INBOX set STATE_ = '" + state
                        + "', FINISHED_AT_ = CURRENT_TIMESTAMP - interval '" + hoursAgo
                        + "' hour where CHANNEL_KEY_ = '"
                        + channel.key() + "' and MESSAGE_ID_ = '" + id + "'");
    }

    /** The same events, published twice with other ids, at two nodes in opposite order. */
    @Test
    default void twoWritersOfTheSameKeysStoreThemOnce() throws Exception {
        ChannelId channel = bench().newChannel();
        for (int round = 0; round < 5; round++) {
            int first = 50 * round;
            CyclicBarrier together = new CyclicBarrier(2);
            Future<Integer> one = bench().elsewhere(writer(channel, together, "a", first, false));
            Future<Integer> two = bench().elsewhere(writer(channel, together, "b", first, true));
            assertThat(one.get(60, TimeUnit.SECONDS) + two.get(60, TimeUnit.SECONDS))
                    .as("new ones")
                    .isEqualTo(50);
        }
        assertThat(keys(channel)).hasSize(250).doesNotHaveDuplicates();
        assertThat(rows(channel)).allMatch(row -> row.state().equals("OPEN"));
    }

    private Callable<Integer> writer(
            ChannelId channel, CyclicBarrier together, String name, int first, boolean backwards) {
        List<NewMessage> messages = new ArrayList<>(IntStream.range(first, first + 50)
                .mapToObj(i -> message(channel, name + i, "key" + i, "body" + i))
                .toList());
        if (backwards) {
            Collections.reverse(messages);
        }
        return () -> {
            together.await(10, TimeUnit.SECONDS);
            for (int tries = 1; ; tries++) {
                try {
                    return bench().store.store(channel, messages, PARK).stored().size();
                } catch (RuntimeException e) {
                    // As the subscriber does; keys are taken in order, so that it is never a deadlock.
                    if (!DatabaseFailures.isDuplicateKey(e) || tries >= 3) {
                        throw e;
                    }
                }
            }
        };
    }
}
