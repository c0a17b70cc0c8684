package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.StateMapper;
import io.github.flowablepubsub.inbox.StateMapper.Count;
import io.github.flowablepubsub.inbox.StateMapper.Oldest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the inbox table stands, for metrics and health. Who looks gets what the last look at the table has brought and never
 * waits for the database, but for {@link #look(Duration)} after a rest. The table is looked at on a thread of its own, once in a
 * period, from the first look on until a minute after the last one: a node that nobody asks runs no statements. Thread safe.
 */
public final class TableState {

    /** Between two looks at the table. */
    public static final Duration PERIOD = Duration.ofSeconds(10);

    /** Rows are counted up to this number, for each channel and state; parked ones for all channels together. */
    public static final int MAX_ROWS = 100_000;

    /** Channels that are looked for in the table. */
    private static final int MAX_CHANNELS = 200;

    private static final Logger log = LoggerFactory.getLogger(TableState.class);

    /** So long after the last look the table is still looked at, so that who asks once a minute gets values of the period. */
    private static final Duration ATTENTION = Duration.ofSeconds(70);

    private final InboxTransactions transactions;
    private final Supplier<Collection<ChannelId>> channels;
    private final Duration period;
    private final List<Consumer<Snapshot>> listeners = new CopyOnWriteArrayList<>();
    private volatile Snapshot last = Snapshot.NONE;
    private volatile long lookedAt;
    private volatile Round round = new Round(0, new CountDownLatch(0));
    /** When the look began that has brought nothing yet, or the first of those that failed since the last good one; 0: none. */
    private volatile long vain;

    private boolean failing;
    private boolean stopped;
    private @Nullable Thread thread;

    private record Round(long begun, CountDownLatch first) {}

    /** Of these channels; parked rows are counted for any. */
    public TableState(InboxTransactions transactions, Supplier<Collection<ChannelId>> channels, Duration period) {
        this.transactions = transactions;
        this.channels = channels;
        this.period = period;
    }

    /** The channels that it counts, in any case. */
    public Collection<ChannelId> channels() {
        return channels.get();
    }

    /** Hears of each look at the table, on its thread. */
    public void addListener(Consumer<Snapshot> listener) {
        listeners.add(listener);
    }

    /** What the last look at the table brought; never blocks. Has the table looked at from now on. */
    public Snapshot look() {
        lookedAt = System.nanoTime();
        startThread();
        return last;
    }

    /**
     * The same, but when the table was not looked at for a while it waits for that, together with all who look at the same time at
     * most so long.
     */
    public Snapshot look(Duration patience) {
        Snapshot known = look();
        Round current = round;
        long left = current.begun() + patience.toNanos() - System.nanoTime();
        try {
            return current.first().await(left, TimeUnit.NANOSECONDS) ? last : known;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return known;
        }
    }

    /**
     * For how long the database has not told how the table stands, though it was asked: it fails, or hangs; zero while it does, and
     * while nobody asks.
     */
    public Duration away() {
        long since = vain;
        return since == 0 ? Duration.ZERO : Duration.ofNanos(Math.max(0, System.nanoTime() - since));
    }

    private synchronized void startThread() {
        if (thread == null && !stopped) {
            round = new Round(System.nanoTime(), new CountDownLatch(1));
            Thread fresh = new Thread(this::refreshWhileLookedAt, "pubsub-table");
            fresh.setDaemon(true);
            fresh.start();
            thread = fresh;
        }
    }

    private void refreshWhileLookedAt() {
        try {
            do {
                refresh();
                round.first().countDown();
                TimeUnit.NANOSECONDS.sleep(period.toNanos());
            } while (goesOn());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean goesOn() {
        boolean goesOn = !stopped && System.nanoTime() - lookedAt < ATTENTION.toNanos();
        if (!goesOn) {
            thread = null;
            vain = 0;
        }
        return goesOn;
    }

    private void refresh() {
        if (vain == 0) {
            vain = System.nanoTime();
        }
        try {
            Snapshot fresh = read();
            last = fresh;
            failing = false;
            vain = 0;
            listeners.forEach(listener -> listener.accept(fresh));
        } catch (RuntimeException | Error e) {
            if (!failing) {
                failing = true;
                log.warn(
                        "Can't look how the inbox table stands; metrics and health go on with the values of {}, trying again"
                                + " every {}: {}",
                        last.at() == null ? "none" : last.at(),
                        period,
                        DatabaseFailures.summary(e));
            }
        }
    }

    private Snapshot read() {
        Collection<ChannelId> known = channels.get();
        Map<Rows, Long> rows = new HashMap<>();
        for (ChannelId channel : known) {
            for (MessageState state : List.of(MessageState.OPEN, MessageState.WAITING, MessageState.PARKED)) {
                rows.put(new Rows(channel.key(), state), 0L);
            }
        }
        Map<MessageState, Duration> oldest = new EnumMap<>(MessageState.class);
        return transactions.call(session -> {
            Set<ChannelId> all = new LinkedHashSet<>(known);
            all.addAll(inTable(session.state()));
            if (!all.isEmpty()) {
                add(session.state().unfinished(all, MAX_ROWS), rows);
            }
            add(session.state().parked(MAX_ROWS), rows);
            for (Oldest one : session.state().oldest(known)) {
                Duration age = Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(Math.max(0, one.age())));
                oldest.merge(one.state(), age, (a, b) -> a.compareTo(b) > 0 ? a : b);
            }
            return new Snapshot(rows, oldest, Instant.now());
        });
    }

    /** Also those that nobody knows any more: their rows stay. */
    private static List<ChannelId> inTable(StateMapper state) {
        List<ChannelId> found = new ArrayList<>();
        for (String key = state.channelBehind(" "); key != null && found.size() < MAX_CHANNELS; ) {
            for (String tenant = state.tenantBehind(key, null); tenant != null; ) {
                found.add(new ChannelId(key, tenant.strip()));
                tenant = found.size() < MAX_CHANNELS ? state.tenantBehind(key, tenant) : null;
            }
            key = state.channelBehind(key);
        }
        return found;
    }

    private static void add(List<Count> counts, Map<Rows, Long> rows) {
        for (Count count : counts) {
            String channel = count.channelKey();
            if (channel != null) {
                rows.merge(new Rows(channel, count.state()), count.rows(), Long::sum);
            }
        }
    }

    /** Looks at the table no more. */
    public synchronized void stop() {
        stopped = true;
        if (thread != null) {
            thread.interrupt();
            thread = null;
        }
    }

    /** May look at the table again. */
    public synchronized void start() {
        stopped = false;
    }

    /**
     * Rows of a channel, whatever its tenant, in a state.
     *
     * @param channel key
     */
    public record Rows(String channel, MessageState state) {}

    /**
     * What one look at the table brought.
     *
     * @param rows how many there are; zero for known channels without any
     * @param oldest of open rows, how long the one has been due that is due for longest; of waiting and parked rows, how long ago the
     *     oldest was received; none where there are no rows
     * @param at when, by this node's clock; null before the first look
     */
    public record Snapshot(Map<Rows, Long> rows, Map<MessageState, Duration> oldest, @Nullable Instant at) {

        static final Snapshot NONE = new Snapshot(Map.of(), Map.of(), null);

        /** Copies. */
        public Snapshot {
            rows = Map.copyOf(rows);
            oldest = Map.copyOf(oldest);
        }

        /** Rows of this channel and state. */
        public long rows(String channel, MessageState state) {
            return rows.getOrDefault(new Rows(channel, state), 0L);
        }

        /** Rows of this state. */
        public long rows(MessageState state) {
            return rows.entrySet().stream()
                    .filter(entry -> entry.getKey().state() == state)
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        /** Age of the oldest, zero when there is none. */
        public Duration oldest(MessageState state) {
            return oldest.getOrDefault(state, Duration.ZERO);
        }
    }
}
