package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.AheadMapper.Taken;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Lane;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a backlog that were read many at once. One statement then locks the lane and takes the row, in place of one that
 * locks, one that reads and one that writes. Nothing here is believed: what is not as it was read is not taken, and the lane
 * is looked at anew. Thread safe.
 */
final class ReadAhead {

    /** Of 20 rows of 16 KB at most, mostly of one. What is kept for lanes that nobody comes back to goes when it is full. */
    private static final int MAX_LANES = 500;

    private static final int ROWS_BEHIND = 20;

    private final Map<Lane, Deque<InboxRow>> rows = new ConcurrentHashMap<>();
    private final Predicate<ChannelId> channels;

    /**
     * @param channels where nothing is held back but behind a waiting row of its event: the only thing that the one statement
     *     looks for
     */
    ReadAhead(Predicate<ChannelId> channels) {
        this.channels = channels;
    }

    /** Reads these rows of a channel, one a lane, where that helps. Before their lanes are offered; returns how many. */
    int read(InboxSession session, ChannelId channel, Collection<Long> ids) {
        List<InboxRow> read = session.readsAhead() && !ids.isEmpty() && channels.test(channel)
                ? session.ahead().byId(ids)
                : List.of();
        read.forEach(row -> keep(row.lane(), complete(List.of(row))));
        return read.size();
    }

    /** Reads what is behind this row in its lane; under the lane's lock. */
    List<InboxRow> behind(InboxSession session, InboxRow row) {
        return row.more() && session.readsAhead() && channels.test(row.lane().channel())
                ? complete(session.ahead().behind(row, ROWS_BEHIND))
                : List.of();
    }

    /** Up to the first whose body was left behind: none is passed by. */
    private static List<InboxRow> complete(List<InboxRow> read) {
        return read.stream().takeWhile(row -> row.payload() != null).toList();
    }

    /** Keeps rows of a lane, in their order, for its next pass. */
    void keep(Lane lane, Collection<InboxRow> read) {
        if (rows.size() >= MAX_LANES) {
            forgetAll();
        }
        if (!read.isEmpty()) {
            rows.put(lane, new ConcurrentLinkedDeque<>(read));
        }
    }

    /** Takes the next row of a lane, with the lane's lock, if one was read and is as it was. */
    @Nullable
    InboxRow take(InboxSession session, Lane lane) {
        Deque<InboxRow> read = rows.get(lane);
        InboxRow row = read == null ? null : read.poll();
        if (read == null || row == null || read.isEmpty()) {
            forget(lane);
        }
        Taken taken = row == null || !channels.test(lane.channel())
                ? null
                : session.ahead().take(row);
        if (row == null || taken == null) {
            forget(lane);
            return null;
        }
        return row.taken(taken);
    }

    /** What was read of a lane is out of date. */
    void forget(Lane lane) {
        rows.remove(lane);
    }

    /** All is to be read anew. */
    void forgetAll() {
        rows.clear();
    }
}
