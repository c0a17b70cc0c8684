package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import io.github.flowablepubsub.inbox.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Waiting rows are found when their subscription comes, and when that was missed (rule R6). */
interface WakeUpContract {

    InboxBench bench();

    @Test
    default void pagesOfWaitingRowsEndAtARow() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            rows.add(bench().waiting(channel, "p" + i, "e", null));
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
        long held = bench().waiting(channel, "held", "e", null);
        long free = bench().waiting(channel, "free", "e", null);
        long open = bench().stored(channel, "open", "open", "e");
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<Boolean> holder = bench().callElsewhere(session -> {
            boolean opened = session.due().open(held);
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
        assertThat(holder.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(bench().inbox.rows("CHANNEL_KEY_ = '" + channel.key() + "'"))
                .extracting(InboxTable.Row::state)
                .containsOnly("OPEN");
    }

    @Test
    default void aSubscriptionFindsTheRowsThatWaitForIt() {
        ChannelId channel = bench().newChannel();
        List<Long> rows = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            long row = bench().waiting(channel, "w" + i, "wecken", null);
            rows.add(row);
            List<String> configurations = List.of("conf" + i % 2, "both", "*");
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
        long match = bench().waiting(channel, "match", "auftragAbgeschlossen", null);
        long other = bench().waiting(channel, "other", "auftragAbgeschlossen", null);
        bench().call(session -> session.due().addMatchKeys(match, "auftragAbgeschlossen", List.of(configuration)));
        bench().call(session -> session.due().addMatchKeys(other, "auftragAbgeschlossen", List.of("other")));
        // The subscription's own wake-up may come only now, and open the row.
        await().untilAsserted(() -> {
            bench().inbox
                    .sql("update FLW_PUBSUB_INBOX set STATE_ = 'WAITING', REASON_ = 'NO_MATCH' where ID_ = " + match);
            List<WaitingRow> missed = bench().call(session -> session.due().missedWakeUps(match - 1, other));
            assertThat(missed).containsExactly(new WaitingRow(match, channel.key(), "", "match"));
        });
        assertThat((List<?>) bench().call(session -> session.due().missedWakeUps(match, other)))
                .isEmpty();
    }

    @Test
    default void rowsThatAreHeldBackByNothingAreFound() {
        ChannelId channel = bench().newChannel();
        long held = bench().stored(channel, "held", "key", "e");
        long before = bench().stored(channel, "before", "key", "e");
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
        return bench().call(session -> session.held().orphans(held - 1, held, List.of()).stream()
                .map(WaitingRow::id)
                .toList());
    }
}
