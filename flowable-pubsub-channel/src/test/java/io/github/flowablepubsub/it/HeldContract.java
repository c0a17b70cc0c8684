package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import io.github.flowablepubsub.inbox.HeldMapper.Mark;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.NewMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What stands before others of its lane, and what is held back behind nothing, in each of the ways to hold back. */
interface HeldContract {

    InboxBench bench();

    /** Rows of one lane, each as {@code event STATE reason}, in their order by publish time; returns their ids. */
    private List<Long> lane(ChannelId channel, String... rows) {
        List<NewMessage> messages = new ArrayList<>();
        for (int i = 0; i < rows.length; i++) {
            String event = rows[i].split(" ", -1)[0];
            messages.add(InboxBench.message(
                    channel, "m" + i, "key", event.equals("-") ? null : event, InboxBench.NOON.plusNanos(1000L * i)));
        }
        // The last is stored first: its id says nothing.
        java.util.Collections.reverse(messages);
        messages.forEach(message -> bench().store.store(channel, List.of(message)));
        List<Long> ids = bench().inbox.rows("CHANNEL_KEY_ = '" + channel.key() + "'").stream()
                .map(InboxTable.Row::id)
                .toList();
        for (int i = 0; i < rows.length; i++) {
            String[] row = rows[i].split(" ", -1);
            set(ids.get(i), row[1], row.length > 2 ? "'" + row[2] + "'" : "null");
        }
        return ids;
    }

    private void set(long id, String state, String reason) {
        bench().inbox
                .sql("update FLW_PUBSUB_INBOX set STATE_ = '" + state + "', REASON_ = " + reason + " where ID_ = "
                        + id);
    }

    private List<Mark> marks(ChannelId channel) {
        return bench().call(session -> session.held().marks(Lane.of(channel, "key")));
    }

    @Test
    default void theOldestWaitingAndTheOldestParkedRowOfALaneStandBeforeOthers() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = lane(
                channel,
                "a DONE",
                "a OPEN",
                "b PARKED AMBIGUOUS",
                "- WAITING HELD_BACK",
                "a WAITING NO_MATCH",
                "a PARKED AMBIGUOUS");
        bench().stored(channel, "other", "other lane", "a");
        assertThat(marks(channel))
                .containsExactlyInAnyOrder(
                        new Mark(rows.get(2), MessageState.PARKED, "b", published(2), false),
                        new Mark(rows.get(3), MessageState.WAITING, null, published(3), true));
        set(rows.get(2), "DISCARDED", "null");
        set(rows.get(3), "DONE", "null");
        assertThat(marks(channel))
                .containsExactlyInAnyOrder(
                        new Mark(rows.get(5), MessageState.PARKED, "a", published(5), false),
                        new Mark(rows.get(4), MessageState.WAITING, "a", published(4), false));
        set(rows.get(4), "OPEN", "null");
        set(rows.get(5), "OPEN", "null");
        assertThat(marks(channel)).isEmpty();
    }

    private static java.time.OffsetDateTime published(int index) {
        return InboxBench.NOON.plusNanos(1000L * index);
    }

    @Test
    default void olderIsByPublishTimeThenReceipt() {
        ChannelId channel = bench().newChannel();
        long first = bench().stored(channel, "first", "key", "e");
        long second = bench().stored(channel, "second", "key", "e");
        set(first, "WAITING", "'NO_MATCH'");
        set(second, "PARKED", "'AMBIGUOUS'");
        List<Mark> marks = marks(channel);
        Mark waiting = marks.get(marks.get(0).id() == first ? 0 : 1);
        Mark parked = marks.get(marks.get(0).id() == first ? 1 : 0);
        assertThat(waiting.before(parked)).isTrue();
        assertThat(parked.before(waiting)).isFalse();
        assertThat(waiting.before(waiting)).isFalse();
    }

    @Test
    default void theWalkOverALanesEventsMeetsTheFirstOfEach() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = lane(
                channel,
                "b OPEN",
                "b WAITING HELD_BACK",
                "a WAITING NO_MATCH",
                "- WAITING HELD_BACK",
                "B WAITING NO_EVENT_DEFINITION",
                "a WAITING HELD_BACK",
                "b WAITING NO_MATCH",
                "- WAITING HELD_BACK",
                "c PARKED NO_MATCH");
        List<Long> walked = new ArrayList<>();
        String after = "";
        while (after != null) {
            String from = after;
            after = null;
            for (Mark mark : bench().call(session -> session.held().nextEvent(Lane.of(channel, "key"), from))) {
                if (mark.eventKey() != null || from.isEmpty()) {
                    walked.add(mark.id());
                }
                after = mark.eventKey() == null ? after : mark.eventKey();
            }
        }
        assertThat(walked).containsExactlyInAnyOrder(rows.get(1), rows.get(2), rows.get(3), rows.get(4));
    }

    @Test
    default void allOpenRowsOfTheLaneAreHeldBackFromTheHeadOn() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = lane(channel, "a OPEN", "b OPEN", "- OPEN", "a DONE", "a PARKED AMBIGUOUS", "a OPEN");
        long other = bench().stored(channel, "other", "other lane", "a");
        var head = bench().head(channel, "key");
        assertThat(head.id()).isEqualTo(rows.get(0));
        assertThat((int) bench().call(session -> session.held().holdBackAll(head)))
                .isEqualTo(4);
        assertThat(rows.stream().map(id -> bench().row(id).state()))
                .containsExactly("WAITING", "WAITING", "WAITING", "DONE", "PARKED", "WAITING");
        assertThat(bench().row(rows.get(2)).reason()).isEqualTo("HELD_BACK");
        assertThat(bench().row(other).state()).isEqualTo("OPEN");
        assertThat(bench().database.count("FLW_PUBSUB_INBOX", "NEXT_ATTEMPT_ is null and ID_ = " + rows.get(5)))
                .isEqualTo(1);
    }

    @Test
    default void anOrphanIsTheFirstOfItsEvent() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = lane(
                channel, "a WAITING NO_MATCH", "a WAITING HELD_BACK", "b WAITING HELD_BACK", "b WAITING HELD_BACK");
        assertThat(orphan(channel)).isEqualTo(rows.get(2));
        set(rows.get(2), "DONE", "null");
        assertThat(orphan(channel)).isEqualTo(rows.get(3));
        set(rows.get(3), "DONE", "null");
        assertThat(orphan(channel)).isNull();
        ChannelId without = bench().newChannel();
        List<Long> rowsWithout = lane(without, "a WAITING NO_MATCH", "- WAITING HELD_BACK");
        assertThat(orphan(without)).as("no event").isEqualTo(rowsWithout.get(1));
    }

    private @Nullable Long orphan(ChannelId channel) {
        return bench().call(session -> session.held().orphan(Lane.of(channel, "key")));
    }

    private List<Long> orphans(ChannelId channel, List<Long> rows, boolean strict, boolean parked) {
        long first = rows.stream().min(Long::compare).orElseThrow() - 1;
        long last = rows.stream().max(Long::compare).orElseThrow();
        List<ChannelId> channels = List.of(new ChannelId("none", ""), channel);
        assertThat((List<?>) bench().call(session -> session.held().orphansOf(first, first, channels, strict, parked)))
                .as("on another page")
                .isEmpty();
        assertThat((List<?>) bench().call(session ->
                        session.held().orphansOf(first, last, List.of(channels.get(0)), strict, parked)))
                .as("of another channel")
                .isEmpty();
        return bench().call(session -> session.held().orphansOf(first, last, channels, strict, parked)).stream()
                .map(WaitingRow::id)
                .sorted(java.util.Comparator.comparing(rows::indexOf))
                .toList();
    }

    @Test
    default void inStrictOrderTheFirstOfTheLaneIsHeldBackByNothing() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = lane(
                channel,
                "a WAITING NO_MATCH",
                "b WAITING HELD_BACK",
                "a WAITING HELD_BACK",
                "- WAITING HELD_BACK",
                "c WAITING NO_MATCH");
        assertThat(orphans(channel, rows, true, false)).isEmpty();
        set(rows.get(0), "OPEN", "null");
        assertThat(orphans(channel, rows, true, false)).as("it will be opened").isEmpty();
        set(rows.get(0), "PARKED", "'NO_MATCH'");
        assertThat(orphans(channel, rows, true, false)).containsExactly(rows.get(1));
        assertThat(orphans(channel, rows, true, true)).isEmpty();
        set(rows.get(0), "DISCARDED", "null");
        assertThat(orphans(channel, rows, true, true)).containsExactly(rows.get(1));
        set(rows.get(0), "OPEN", "null");
        bench().inbox
                .sql("update FLW_PUBSUB_INBOX set PUBLISHED_AT_ = PUBLISHED_AT_ + interval '1' hour where ID_ = "
                        + rows.get(0));
        assertThat(orphans(channel, rows, true, true)).as("open, but younger").containsExactly(rows.get(1));
    }

    @Test
    default void behindAParkedRowTheFirstOfEachEventIsHeldBackByNothingWhenItIsGone() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = lane(
                channel,
                "a WAITING NO_MATCH",
                "a WAITING HELD_BACK",
                "b PARKED AMBIGUOUS",
                "b WAITING HELD_BACK",
                "c WAITING HELD_BACK",
                "- WAITING HELD_BACK",
                "b WAITING HELD_BACK");
        assertThat(orphans(channel, rows, false, true)).isEmpty();
        set(rows.get(0), "DONE", "null");
        assertThat(orphans(channel, rows, false, true)).as("before it").containsExactly(rows.get(1));
        set(rows.get(2), "OPEN", "null");
        set(rows.get(1), "DONE", "null");
        assertThat(orphans(channel, rows, false, true)).as("repaired").isEmpty();
        set(rows.get(2), "DISCARDED", "null");
        assertThat(orphans(channel, rows, false, true)).containsExactly(rows.get(3), rows.get(4), rows.get(5));
    }

    /** They have their own statement. */
    @Test
    default void channelsWithOtherRulesAreLeftOut() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = lane(channel, "a PARKED AMBIGUOUS", "a WAITING HELD_BACK");
        long held = rows.get(1);
        List<ChannelId> others = List.of(new ChannelId(channel.key(), "tenant"), new ChannelId("none", ""));
        List<WaitingRow> found = bench().call(session -> session.held().orphans(held - 1, held, others));
        assertThat(found).extracting(WaitingRow::id).containsExactly(held);
        assertThat((List<?>) bench().call(session -> session.held().orphans(held - 1, held, List.of(channel))))
                .isEmpty();
    }
}
