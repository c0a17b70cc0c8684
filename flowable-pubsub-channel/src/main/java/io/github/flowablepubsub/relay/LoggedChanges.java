package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what an operator must see, and tells the next listener. Never the payload. */
final class LoggedChanges implements RelayListener {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private final RelayListener next;

    LoggedChanges(RelayListener next) {
        this.next = next;
    }

    /** What parsers and processes say can quote the body: only the row has it. */
    private static String detail(RowChange change) {
        return change.reason() == Reason.UNREADABLE || change.reason() == Reason.PROCESS_FAILED
                ? "see LAST_ERROR_ of the row"
                : Keys.printable(change.error());
    }

    @Override
    public void changed(InboxRow row, RowChange change) {
        if (change.state() == MessageState.PARKED) {
            log.warn(
                    "Message parked as {} ({}, event {}, key {}, attempt {}): {}. Mend the cause, then {}set the row's"
                            + " STATE_ to OPEN with ATTEMPTS_ 0.",
                    change.reason(),
                    row.describe(),
                    Keys.printable(row.eventKey()),
                    Keys.printable(row.correlationKey()),
                    row.attempts() + 1,
                    detail(change),
                    change.jobId() == null ? "" : "move its dead-letter job, or ");
        } else if (change.reason() == Reason.PROCESS_FAILED || change.reason() == Reason.INFRASTRUCTURE_FAILED) {
            log.warn(
                    "Message not delivered, {} ({}, attempt {}), next attempt at {}: {}",
                    change.reason(),
                    row.describe(),
                    row.attempts() + 1,
                    change.nextAttempt(),
                    detail(change));
        } else {
            log.debug("Message {} {} ({})", change.state(), change.reason(), row.describe());
        }
        try {
            next.changed(row, change);
        } catch (RuntimeException e) {
            log.warn("A listener failed on a message that is {} ({})", change.state(), row.describe(), e);
        }
    }
}
