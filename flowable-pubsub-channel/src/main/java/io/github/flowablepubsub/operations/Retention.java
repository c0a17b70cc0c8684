package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.channel.RetentionPolicy;
import io.github.flowablepubsub.inbox.ArchiveHook;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.RetentionMapper.Finished;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clears the bodies of finished rows, and removes the rows, in batches of a transaction each. Any number of nodes may do it at
 * the same time: what another transaction holds is left to it. Only {@code DONE} and {@code DISCARDED} rows are touched (rule
 * R3), by the database's clock (rule R5). Thread safe, but with a hook for one thread.
 */
public final class Retention {

    /** Rows of one transaction. */
    static final int BATCH = 500;

    private static final int WITH_BODY = 0;
    private static final int CLEARED = 1;

    private final InboxTransactions transactions;
    private final @Nullable Archive archive;

    /** On the engine's database, without a hook. */
    public Retention(InboxTransactions transactions) {
        this(transactions, ArchiveHook.NONE);
    }

    /**
     * On the engine's database.
     *
     * @param hook sees messages before their bodies go
     */
    public Retention(InboxTransactions transactions, ArchiveHook hook) {
        this.transactions = transactions;
        this.archive = hook == ArchiveHook.NONE ? null : new Archive(transactions, hook);
    }

    /** What becomes of a batch of rows that are locked. */
    @FunctionalInterface
    interface Step {
        void apply(InboxSession session, Collection<Finished> rows);
    }

    /**
     * One batch of each kind.
     *
     * @return rows of the largest batch; {@link #BATCH} means that there may be more to do at once
     * @throws RuntimeException when the database failed; what was committed before stays
     */
    public int step(ChannelId channel, RetentionPolicy policy) {
        Step remove = (session, finished) -> {
            session.releaseKeys(channel, finished);
            session.retention().remove(ids(finished));
        };
        Step clear = (session, finished) -> session.retention().clear(ids(finished));
        boolean clears = policy.payload().compareTo(policy.window()) < 0;
        int rows = batch(channel, CLEARED, policy.window(), remove);
        if (archive != null) { // each row once, with its body
            Duration age = clears ? policy.payload() : policy.window();
            return Math.max(rows, archive.batch(channel, age, clears ? clear : remove));
        }
        rows = Math.max(rows, batch(channel, WITH_BODY, policy.window(), remove));
        if (clears) {
            rows = Math.max(rows, batch(channel, WITH_BODY, policy.payload(), clear));
        }
        return rows;
    }

    private static List<Long> ids(Collection<Finished> rows) {
        return rows.stream().map(Finished::id).toList();
    }

    private int batch(ChannelId channel, int cleared, Duration age, Step step) {
        return transactions.call(session -> {
            List<Long> ids =
                    session.retention().finished(channel, cleared, TimeUnit.NANOSECONDS.toMicros(age.toNanos()), BATCH);
            List<Finished> locked =
                    ids.isEmpty() ? List.of() : session.retention().lockFinished(ids);
            if (!locked.isEmpty()) {
                step.apply(session, locked);
            }
            return locked.size();
        });
    }
}
