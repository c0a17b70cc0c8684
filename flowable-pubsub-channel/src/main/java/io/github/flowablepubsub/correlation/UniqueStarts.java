package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.LaneMapper;
import java.util.List;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.db.DbSqlSession;

/**
 * A row of our own for each unique start, held until the commit: the engine gives its lock back before, and two messages of
 * one key in different channels would start two instances.
 */
final class UniqueStarts {

    private UniqueStarts() {}

    /**
     * Locks until the end of the transaction.
     *
     * @param start definition, tenant and correlation
     * @throws StartLockedException when another transaction is starting it
     */
    static void lock(String start) {
        String key = Keys.indexed(start);
        LaneMapper locks =
                Context.getCommandContext().getSession(DbSqlSession.class).getCustomMapper(LaneMapper.class);
        if (locks.existing(ChannelId.UNIQUE_STARTS, List.of(key)).isEmpty()) {
            create(locks, key);
        } else if (locks.lock(Lane.of(ChannelId.UNIQUE_STARTS, key)).isEmpty()) {
            throw new StartLockedException("Another transaction is starting the unique instance " + key);
        }
    }

    private static void create(LaneMapper locks, String key) {
        try {
            locks.create(ChannelId.UNIQUE_STARTS, List.of(key));
        } catch (RuntimeException e) {
            throw DatabaseFailures.isDuplicateKey(e)
                    ? new StartLockedException("Another transaction has just started the unique instance " + key)
                    : e;
        }
    }
}
