package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper.DueFrom;
import io.github.flowablepubsub.inbox.DueMapper.DueKey;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Lane;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Offers lanes of a channel with many due rows. The oldest due rows come first, within a window of {@value #WINDOW}: of it
 * each look takes a page at random, so that several nodes mostly take different ones. When few keys fill the window, their
 * backlog must not hide the others (rule R9): then a walk over the keys goes on from where the last one ended.
 */
final class Backlog {

    static final int WINDOW = 4 * Sweep.PAGE;
    private static final int FEW_KEYS = 20;
    private static final int WALK = 50;

    private final InboxTransactions transactions;
    private final LaneQueue lanes;
    private final ReadAhead ahead;
    private final Map<ChannelId, String> cursors = new HashMap<>();

    Backlog(InboxTransactions transactions, LaneQueue lanes, ReadAhead ahead) {
        this.ahead = ahead;
        this.transactions = transactions;
        this.lanes = lanes;
    }

    /** Offers a page of lanes; returns how many were not in the queue yet. */
    int offer(DueFrom from) {
        List<DueKey> window = transactions.call(session -> session.due().dueOrderKeys(from, WINDOW));
        Map<String, Long> rows = firstRows(window);
        if (rows.size() < FEW_KEYS) {
            Set<String> keys = new LinkedHashSet<>(rows.keySet());
            keys.addAll(walk(from.channel()));
            return offer(from.channel(), keys);
        }
        int pages = Math.max(1, window.size() / Sweep.PAGE);
        int first = ThreadLocalRandom.current().nextInt(pages) * Sweep.PAGE;
        Map<String, Long> page = firstRows(window.subList(first, Math.min(first + Sweep.PAGE, window.size())));
        page.keySet().removeIf(key -> lanes.holds(Lane.of(from.channel(), key)));
        transactions.call(session -> ahead.read(session, from.channel(), page.values()));
        return offer(from.channel(), page.keySet());
    }

    /** The row of each key that is due longest. */
    private static Map<String, Long> firstRows(List<DueKey> due) {
        Map<String, Long> rows = new LinkedHashMap<>();
        due.forEach(row -> rows.putIfAbsent(row.orderKey(), row.id()));
        return rows;
    }

    private int offer(ChannelId channel, Set<String> keys) {
        return (int)
                keys.stream().filter(key -> lanes.offer(Lane.of(channel, key))).count();
    }

    private Set<String> walk(ChannelId channel) {
        return transactions.call(session -> {
            Set<String> walked = new LinkedHashSet<>();
            String cursor = cursors.getOrDefault(channel, "");
            for (int step = 0; step < WALK; step++) {
                String next = session.due().nextOrderKey(channel, cursor);
                cursor = next == null ? "" : next;
                if (next == null) {
                    break;
                }
                walked.add(next);
            }
            cursors.put(channel, cursor);
            return walked;
        });
    }
}
