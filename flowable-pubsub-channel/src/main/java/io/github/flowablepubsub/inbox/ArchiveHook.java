package io.github.flowablepubsub.inbox;

import java.sql.Connection;
import java.util.List;

/**
 * The app's own work on finished messages before their bodies go, such as an archive. Set by {@code PubSubSettings}, or as a
 * Spring bean.
 *
 * <p>Each finished message comes once: when its body is about to be cleared ({@code retention.payload}), or when its row is
 * about to be removed with its body ({@code deduplication.window}), whichever is earlier. Rows whose bodies were cleared
 * before there was a hook are removed without one. Called on the housekeeping thread of any node.
 */
@FunctionalInterface
public interface ArchiveHook {

    /** Does nothing. */
    ArchiveHook NONE = (messages, connection) -> {};

    /**
     * Finished messages of one channel, in a transaction that clears or removes them when this returns.
     *
     * @param messages at most 500; their bodies are read on demand, and only during this call
     * @param connection of that transaction, as with {@link StoreHook}
     * @throws Exception their rows stay as they are, bodies included. A batch that fails is split, and what fails alone is kept
     *     back, for a minute at first and up to an hour, while others are cleared and removed. When nothing succeeds, the
     *     channel rests for as long
     */
    void archive(List<FinishedMessage> messages, Connection connection) throws Exception;
}
