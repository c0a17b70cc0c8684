package io.github.flowablepubsub.inbox;

import java.sql.Connection;
import java.util.List;

/**
 * The app's own work in the transaction that stores messages: what it writes to the engine's database is committed with their
 * rows, before the ack, or rolled back with them. Set by {@code PubSubSettings}, or as a Spring bean.
 *
 * <p>Called on the threads that store, one for each channel, and with {@code afterCorrelation} on the threads that correlate;
 * it must be thread safe and quick, as it keeps the ack back. When the transaction rolls back, the same messages come again,
 * perhaps in other batches: only what is written through the transaction happens once.
 */
@FunctionalInterface
public interface StoreHook {

    /** Does nothing. */
    StoreHook NONE = (messages, connection) -> {};

    /**
     * Messages of one channel were inserted, in their order; redeliveries and duplicates are not among them. Those with a
     * {@link NewMessage#conflict()} are parked.
     *
     * @param connection of the running transaction; not to be committed, rolled back or closed. Under Spring whatever takes
     *     part in its transactions on the engine's data source (a {@code JdbcTemplate}, JPA) uses the same one by itself
     * @throws Exception nothing is stored then. A failure of the database is one of the store: the messages are kept in hand
     *     and tried again. With any other the batch is split, and the message that fails alone is nacked, so that Pub/Sub
     *     delivers it again; the others are stored
     */
    void storing(List<NewMessage> messages, Connection connection) throws Exception;
}
