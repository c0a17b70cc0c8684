package io.github.flowablepubsub.inbox;

/**
 * A message of a channel with {@code policy.ack: afterCorrelation}: it has no row until its correlation commits, and is in
 * Pub/Sub until then (rule R3). It is answered exactly once, by one of the last three methods. Thread safe.
 */
public interface DirectMessage {

    /** What will be stored. */
    NewMessage message();

    /** Whether it must not be kept in hand any longer: its consumer stops, or was replaced. */
    boolean isLeaving();

    /**
     * Its row is committed, so it is acked (rule R1).
     *
     * @param duplicate the row had been there before
     */
    void committed(boolean duplicate);

    /** Nothing of it is left in the database, so it is nacked. */
    void rolledBack();

    /** It is nacked, and its consumer pulls nothing until the database answers. */
    void databaseAway();

    /** Who correlates such messages. Thread safe. */
    interface Target {

        /** Takes a message over; it is answered later, on another thread, or at once if it can't be taken. Never blocks. */
        void accept(DirectMessage message);

        /** Gives the messages of a channel back that are not in work yet. */
        void giveBack(ChannelId channel);
    }
}
