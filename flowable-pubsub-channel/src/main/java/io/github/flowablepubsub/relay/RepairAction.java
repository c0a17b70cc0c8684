package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import org.jspecify.annotations.Nullable;

/** What an operator does to a message: what it is refused for, and how its row is changed. */
enum RepairAction {
    /** As if it were new. */
    RETRY(MessageState.OPEN) {
        @Override
        @Nullable
        String refusal(InboxMessage row) {
            if (row.heldBack()) {
                return "It is held back by an older message of its key, and goes on when that one is finished: see to that"
                        + " one first";
            }
            boolean due = row.state() == MessageState.OPEN
                    && (row.nextAttempt() == null || !row.nextAttempt().isAfter(row.now()));
            return due ? "It is open and due already" : null;
        }

        @Override
        int write(InboxSession session, InboxMessage row, String by, String why) {
            return session.repairs().open(row.seen(), by);
        }
    },
    /** Dropped on purpose; business key and row stay for the window. */
    DISCARD(MessageState.DISCARDED) {
        @Override
        int write(InboxSession session, InboxMessage row, String by, String why) {
            return session.repairs().discard(row.seen(), by, error("Discarded: " + why, row.error()));
        }
    },
    /** Taken out of the way. */
    PARK(MessageState.PARKED) {
        @Override
        @Nullable
        String refusal(InboxMessage row) {
            return row.state() == MessageState.PARKED ? "It is parked already" : null;
        }

        /** With its reason goes the note that the error may quote the body. */
        @Override
        int write(InboxSession session, InboxMessage row, String by, String why) {
            String before = Reason.errorMayQuote(row.reason()) ? null : row.error();
            return session.repairs().park(row.seen(), by, error("Parked by hand: " + why, before));
        }
    };

    private static final int MAX_ERROR = 2000;

    private final MessageState to;

    RepairAction(MessageState to) {
        this.to = to;
    }

    /** The state that it leads to. */
    MessageState to() {
        return to;
    }

    /** Why it can't be, whoever wants it; null when it can. */
    @Nullable
    String refusal(InboxMessage row) {
        return null;
    }

    /** The guarded change: 1, or 0 when the row is not as it was read. */
    abstract int write(InboxSession session, InboxMessage row, String by, String why);

    private static String error(String text, @Nullable String before) {
        return Keys.text(before == null ? text : text + ". Before: " + before, MAX_ERROR);
    }
}
