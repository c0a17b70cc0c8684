package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.inbox.ArchiveHook;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.HookFailedException;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.RetentionMapper.Finished;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the app's hook see finished messages in the transaction that clears or removes them. Messages that it fails with are kept
 * back and do not stop the others. Confined to the housekeeping thread.
 */
final class Archive {

    private static final Logger log = LoggerFactory.getLogger(Archive.class);

    /** So many failures of single messages without a success: it is not the messages. */
    private static final int HOPELESS = 10;

    /** Rows that are kept back are read over with each batch; beyond it the channel rests. */
    private static final int MAX_KEPT_BACK = 10_000;

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    private record KeptBack(int failures, Duration delay, long since) {

        static final KeptBack NONE = new KeptBack(0, Duration.ZERO, System.nanoTime());

        static KeptBack after(int failures) {
            long nanos = Math.min(LONGEST.toNanos(), SHORTEST.toNanos() << Math.min(failures - 1, 10));
            return new KeptBack(failures, Duration.ofNanos(nanos), System.nanoTime());
        }

        boolean isOver() {
            return System.nanoTime() - since >= delay.toNanos();
        }
    }

    private static final class Channel {
        private final Map<Long, KeptBack> rows = new HashMap<>();
        private KeptBack rest = KeptBack.NONE;
        private int inARow;

        boolean isDue(Long row) {
            KeptBack keptBack = rows.get(row);
            return keptBack == null || keptBack.isOver();
        }

        void succeeded(Collection<Long> done) {
            done.forEach(rows::remove);
            inARow = 0;
            rest = KeptBack.NONE;
        }

        KeptBack keepBack(Long row) {
            inARow++;
            return rows.merge(row, KeptBack.after(1), (before, first) -> KeptBack.after(before.failures() + 1));
        }
    }

    private final InboxTransactions transactions;
    private final ArchiveHook hook;
    private final Map<ChannelId, Channel> channels = new HashMap<>();

    Archive(InboxTransactions transactions, ArchiveHook hook) {
        this.transactions = transactions;
        this.hook = hook;
    }

    /**
     * One batch.
     *
     * @param age how long they are finished
     * @return rows that were looked at
     * @throws RuntimeException when the database failed
     */
    int batch(ChannelId id, Duration age, Retention.Step step) {
        Channel channel = channels.computeIfAbsent(id, unused -> new Channel());
        if (!channel.rest.isOver()) {
            return 0;
        }
        int most = Retention.BATCH + channel.rows.size();
        List<Long> found = transactions.call(
                session -> session.retention().finished(id, 0, TimeUnit.NANOSECONDS.toMicros(age.toNanos()), most));
        if (found.size() < most) {
            channel.rows.keySet().retainAll(found); // the others were opened again, or deleted
        }
        List<Long> due =
                found.stream().filter(channel::isDue).limit(Retention.BATCH).toList();
        handle(id, channel, due, step);
        return channel.rest.isOver() ? due.size() : 0;
    }

    private void handle(ChannelId id, Channel channel, List<Long> rows, Retention.Step step) {
        if (rows.isEmpty() || !channel.rest.isOver()) {
            return;
        }
        try {
            transactions.call(session -> {
                List<Finished> locked = session.retention().lockFinished(rows);
                if (!locked.isEmpty()) {
                    session.archive(hook, locked.stream().map(Finished::id).toList());
                    step.apply(session, locked);
                }
                return locked;
            });
            channel.succeeded(rows);
        } catch (HookFailedException e) {
            if (DatabaseFailures.isDatabaseAway(e)) {
                rest(id, channel, "a database is away", e);
            } else if (rows.size() == 1) {
                failed(id, channel, rows.get(0), e);
            } else {
                int half = rows.size() / 2;
                handle(id, channel, rows.subList(0, half), step);
                handle(id, channel, rows.subList(half, rows.size()), step);
            }
        }
    }

    private static void failed(ChannelId id, Channel channel, Long row, HookFailedException failure) {
        KeptBack keptBack = channel.keepBack(row);
        log.warn(
                "The archive hook failed with row {} of channel {}; the row is kept as it is, and comes again in {} at the"
                        + " earliest. Mend the hook, or what it writes to: {}",
                row,
                id,
                keptBack.delay(),
                DatabaseFailures.summary(failure));
        log.debug("Failure of the archive hook", failure);
        if (channel.inARow >= HOPELESS || channel.rows.size() >= MAX_KEPT_BACK) {
            rest(id, channel, channel.inARow + " rows in a row, " + channel.rows.size() + " kept back", failure);
        }
    }

    /** The rows of other channels are not held up. */
    private static void rest(ChannelId id, Channel channel, String why, HookFailedException failure) {
        channel.rest = KeptBack.after(channel.rest.failures() + 1);
        channel.inARow = 0;
        log.error(
                "The archive hook keeps failing ({}); no body of channel {} is cleared or removed for {}: {}",
                why,
                id,
                channel.rest.delay(),
                DatabaseFailures.summary(failure));
    }
}
