package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.channel.RetentionPolicy;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.RetentionMapper.Finished;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Clears the bodies of finished rows, and removes the rows, in batches of a transaction each. Any number of nodes may do it at
 * the same time: what another transaction holds is left to it. Only {@code DONE} and {@code DISCARDED} rows are touched (rule
 * R3), by the database's clock (rule R5). Thread safe.
 */
public final class Retention {

    /** Rows of one transaction. */
    static final int BATCH = 500;

    private static final int WITH_BODY = 0;
    private static final int CLEARED = 1;

    private final InboxTransactions transactions;

    /** On the engine's database. */
    public Retention(InboxTransactions transactions) {
        this.transactions = transactions;
    }

    /** What becomes of a batch of rows that are locked. */
    @FunctionalInterface
    private interface Step {
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
        int rows = batch(channel, WITH_BODY, policy.window(), remove);
        rows = Math.max(rows, batch(channel, CLEARED, policy.window(), remove));
        if (policy.payload().compareTo(policy.window()) < 0) {
            rows = Math.max(rows, batch(channel, WITH_BODY, policy.payload(), (session, finished) -> session.retention()
                    .clear(ids(finished))));
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
