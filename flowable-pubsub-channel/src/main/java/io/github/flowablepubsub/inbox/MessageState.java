package io.github.flowablepubsub.inbox;

import java.util.EnumSet;
import java.util.Set;

/** States of an inbox row, with the one table of allowed transitions. */
public enum MessageState {
    /** To be correlated at {@code NEXT_ATTEMPT_}. */
    OPEN,
    /** No subscription yet, or behind a message that waits for one; looked at again at {@code NEXT_ATTEMPT_}. */
    WAITING,
    /** Needs a human; never expires (rule R3). */
    PARKED,
    /** Correlated. Final. */
    DONE,
    /** Dropped on purpose, with a reason. Final. */
    DISCARDED;

    /** States that a row in this state may change to. {@code OPEN} to {@code OPEN} is a retry. */
    public Set<MessageState> successors() {
        return switch (this) {
            case OPEN -> EnumSet.allOf(MessageState.class);
            case WAITING -> EnumSet.of(OPEN, PARKED, DISCARDED);
            case PARKED -> EnumSet.of(OPEN, DISCARDED);
            case DONE, DISCARDED -> EnumSet.noneOf(MessageState.class);
        };
    }

    /**
     * Refuses a transition that the table does not have.
     *
     * @throws IllegalStateException naming row, from and to
     */
    public void requireSuccessor(MessageState to, long rowId) {
        if (!successors().contains(to)) {
            throw new IllegalStateException("Inbox row " + rowId + " can't change from " + this + " to " + to
                    + "; allowed: " + successors() + ". This is a defect of the caller.");
        }
    }
}
