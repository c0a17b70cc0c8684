package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper.DueFrom;
import io.github.flowablepubsub.inbox.DueMapper.DueRow;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.MessageState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds due lanes in the table: what other nodes stored, retries, repairs by SQL, expired rows. An idle pass is
 * one statement. Channels with more than a page of due rows are looked at by {@link Backlog}.
 */
final class Sweep {

    /** Rows that one pass reads per channel and state. */
    static final int PAGE = 200;

    /** Channels in one statement. */
    private static final int CHANNELS = 20;

    private final InboxTransactions transactions;
    private final LaneQueue lanes;
    private final Backlog backlog;
    private final DueMarks marks = new DueMarks();

    Sweep(InboxTransactions transactions, LaneQueue lanes, ReadAhead ahead) {
        this.transactions = transactions;
        this.lanes = lanes;
        this.backlog = new Backlog(transactions, lanes, ahead);
    }

    /**
     * What a pass came to.
     *
     * @param more there may be more than a page somewhere
     * @param offered lanes that were not in the queue yet
     */
    record Pass(boolean more, int offered) {}

    /**
     * One pass over these channels.
     *
     * @param whole from the beginning of time, not only from where the last whole pass found something; about once a minute
     */
    Pass due(Collection<ChannelId> channels, boolean whole) {
        if (whole) {
            marks.begin(transactions.call(session -> session.due().now()));
        }
        boolean more = false;
        int offered = 0;
        List<DueFrom> all = channels.stream().map(marks::from).toList();
        for (int from = 0; from < all.size(); from += CHANNELS) {
            List<DueFrom> some = all.subList(from, Math.min(from + CHANNELS, all.size()));
            Map<MessageState, List<DueRow>> rows = transactions
                    .call(session -> session.due().due(some, PAGE))
                    .stream()
                    .collect(Collectors.groupingBy(DueRow::state));
            List<DueRow> waiting = rows.getOrDefault(MessageState.WAITING, List.of());
            offered += expired(waiting);
            more |= waiting.size() >= PAGE;
            Map<ChannelId, List<DueRow>> open = rows.getOrDefault(MessageState.OPEN, List.of()).stream()
                    .collect(Collectors.groupingBy(row -> row.lane().channel()));
            for (DueFrom channel : some) {
                List<DueRow> page = open.getOrDefault(channel.channel(), List.of());
                marks.seen(channel.channel(), page);
                boolean full = page.size() == PAGE;
                offered += full ? backlog.offer(channel) : offer(page);
                more |= full;
            }
        }
        if (whole) {
            marks.end();
        }
        return new Pass(more, offered);
    }

    /** Opens waiting rows whose time has come: the relay looks once more and parks them if their time to live is over. */
    private int expired(List<DueRow> rows) {
        if (!rows.isEmpty()) {
            List<Long> ids = rows.stream().map(DueRow::id).toList();
            transactions.call(session -> session.due().openUnlocked(ids));
        }
        return offer(rows); // after the commit: before it a look would find nothing
    }

    private int offer(List<DueRow> rows) {
        return (int)
                rows.stream().map(DueRow::lane).distinct().filter(lanes::offer).count();
    }
}
