package io.github.flowablepubsub.inbox;

/** Whose fault a failed delivery is; everything that it had done was rolled back. */
public enum FailureKind {
    /** Another transaction was faster: tried again at once, a few times, then as {@link #INFRASTRUCTURE}. */
    RACE,
    /** Database, connection, lock or pool: retried with back-off, without limit. */
    INFRASTRUCTURE,
    /** The process's own code or data: retried with back-off, given up after {@code policy.retry.giveUpAfter}. */
    PROCESS
}
