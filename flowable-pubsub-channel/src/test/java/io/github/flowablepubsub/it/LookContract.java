package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.InboxGroup;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.operations.InboxContent;
import io.github.flowablepubsub.operations.InboxGroups;
import io.github.flowablepubsub.operations.InboxPage;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What operators find, on a database where everything is different; one subclass each. Each test has a channel of its own. */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LookContract {

    private final TestDatabase kind;
    private @Nullable InboxBench started;

    LookContract(TestDatabase kind) {
        this.kind = kind;
    }

    private InboxBench bench() {
        return Objects.requireNonNull(started);
    }

    private PubSubInboxService service() {
        return bench().node.pubsub.inbox();
    }

    @BeforeAll
    void start() {
        started = new InboxBench(kind);
    }

    @AfterAll
    void stop() {
        bench().close();
    }

    private long stored(ChannelId channel, String id, String set) {
        long row = bench().stored(channel, id, "k-" + id, "e");
        bench().inbox.sql("update FLW_PUBSUB_INBOX set " + set + " where ID_ = " + row);
        return row;
    }

    private List<Long> find(InboxFilter filter) {
        return service().find(filter, 0, 100).messages().stream()
                .map(InboxMessage::id)
                .toList();
    }

    @Test
    void eachPartOfAFilterCounts() {
        ChannelId channel = bench().newChannel();
        long open = stored(channel, "o", "ATTEMPTS_ = 2");
        long old = stored(
                channel,
                "p",
                "STATE_ = 'PARKED', REASON_ = 'NO_MATCH', EVENT_KEY_ = 'f', LAST_ERROR_ = '50% of_it! Lost',"
                        + " RECEIVED_AT_ = timestamp '2020-01-01 00:00:00'");
        long done = stored(channel, "d", "STATE_ = 'DONE', FINISHED_AT_ = CURRENT_TIMESTAMP");
        long mended = stored(channel, "q", "STATE_ = 'PARKED', REASON_ = 'von Hand', LAST_ERROR_ = '50 of its lost'");
        InboxFilter all = InboxFilter.UNFINISHED.withChannel(channel.key());
        assertThat(find(all)).containsExactly(open, old, mended);
        assertThat(find(all.withChannel(channel.key(), ""))).containsExactly(open, old, mended);
        assertThat(find(all.withChannel(channel.key(), "anderer"))).isEmpty();
        assertThat(find(all.withStates(MessageState.DONE, MessageState.OPEN))).containsExactly(open, done);
        assertThat(find(all.withReason(Reason.NO_MATCH))).containsExactly(old);
        assertThat(find(all.withKeys("f", null, null))).containsExactly(old);
        assertThat(find(all.withKeys(null, "k-p", null))).containsExactly(old);
        assertThat(find(all.withKeys(null, null, "o"))).containsExactly(open);
        assertThat(find(all.withOlderThan(Duration.ofDays(1)))).containsExactly(old);
        assertThat(find(all.withOlderThan(Duration.ofDays(10_000)))).isEmpty();
        assertThat(find(all.withErrorText("50% OF_it! l"))).containsExactly(old);
        assertThat(find(all.withErrorText("50_of"))).isEmpty();
        assertThat(find(InboxFilter.PARKED.withChannel(channel.key()).withErrorText("of")))
                .containsExactly(old, mended);
    }

    @Test
    void pagesGoOnWhereTheLastOneEnded_inBothDirections() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            rows.add(stored(channel, "m" + i, i % 2 == 0 ? "STATE_ = 'PARKED'" : "STATE_ = 'WAITING'"));
        }
        InboxFilter filter = InboxFilter.UNFINISHED.withChannel(channel.key());
        assertThat(walk(filter, false)).isEqualTo(rows);
        List<Long> newest = new ArrayList<>(rows);
        Collections.reverse(newest);
        assertThat(walk(filter, true)).isEqualTo(newest);
        assertThatThrownBy(() -> service().find(filter, 0, PubSubInboxService.MAX_PAGE + 1))
                .hasMessage("A page of inbox messages has a limit of 1001, allowed: 1 to 1000");
        assertThatThrownBy(() -> filter.withStates(List.of())).hasMessageContaining("names no state");
    }

    private List<Long> walk(InboxFilter filter, boolean newest) {
        List<Long> walked = new ArrayList<>();
        Long next = newest ? Long.MAX_VALUE : 0;
        while (next != null) {
            InboxPage page =
                    newest ? service().findNewest(filter, next, 3) : service().find(filter, next, 3);
            page.messages().forEach(message -> walked.add(message.id()));
            next = page.next();
        }
        return walked;
    }

    @Test
    void oneMessageHasAllButItsBody_whichIsThereOnRequest() {
        ChannelId channel = bench().newChannel();
        long row = stored(
                channel,
                "m",
                "STATE_ = 'PARKED', REASON_ = 'AMBIGUOUS', FINISHED_BY_ = 'erika', ATTRIBUTES_ = '{\"a\":\"b\"}'");
        InboxMessage message = service().get(row).orElseThrow();
        assertThat(message)
                .extracting(
                        InboxMessage::channel,
                        InboxMessage::messageId,
                        InboxMessage::state,
                        InboxMessage::reason,
                        InboxMessage::finishedBy,
                        m -> m.publishedAt().toInstant())
                .containsExactly(channel, "m", MessageState.PARKED, "AMBIGUOUS", "erika", InboxBench.NOON.toInstant());
        assertThat(message.seen()).isEqualTo(new InboxMessage.Seen(row, MessageState.PARKED, 0, message.nextAttempt()));
        InboxContent content = service().content(row).orElseThrow();
        assertThat(content.body().text()).isEqualTo("body of m");
        assertThat(content.attributes()).isEqualTo("{\"a\":\"b\"}");
        assertThat(service().get(-1)).isEmpty();
        assertThat(service().content(-1)).isEmpty();
        assertThat(service().explain(-1)).isEmpty();
    }

    @Test
    void groupsCountWhatIsUnfinishedByChannelStateAndReason() {
        ChannelId channel = bench().newChannel();
        stored(channel, "a", "STATE_ = 'PARKED', REASON_ = 'NO_MATCH'");
        stored(channel, "b", "STATE_ = 'PARKED', REASON_ = 'NO_MATCH'");
        stored(channel, "c", "STATE_ = 'PARKED', REASON_ = null");
        stored(channel, "d", "STATE_ = 'WAITING', REASON_ = 'HELD_BACK'");
        stored(channel, "e", "ATTEMPTS_ = 0");
        stored(channel, "f", "STATE_ = 'DONE', FINISHED_AT_ = CURRENT_TIMESTAMP");
        InboxGroups groups = service().groups();
        assertThat(groups.complete()).isTrue();
        assertThat(groups.groups().stream().filter(group -> group.channel().equals(channel)))
                .extracting(InboxGroup::state, InboxGroup::reason, InboxGroup::messages)
                .containsExactlyInAnyOrder(
                        Tuple.tuple(MessageState.PARKED, "NO_MATCH", 2L),
                        Tuple.tuple(MessageState.PARKED, null, 1L),
                        Tuple.tuple(MessageState.WAITING, "HELD_BACK", 1L),
                        Tuple.tuple(MessageState.OPEN, null, 1L));
        assertThat(groups.in(MessageState.PARKED)).isGreaterThanOrEqualTo(3);
        assertThat(groups.groups().get(0).oldest()).isNotNull();
    }
}
