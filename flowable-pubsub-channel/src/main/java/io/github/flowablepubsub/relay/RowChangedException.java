package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.InboxRow;
import org.flowable.common.engine.api.FlowableException;

/** The row is not as it was read: an operator or another node changed it. Rolls everything back. */
final class RowChangedException extends FlowableException {

    private static final long serialVersionUID = 1L;

    RowChangedException(InboxRow row) {
        super("Inbox row changed while it was worked on (" + row.describe() + ", read as OPEN with " + row.attempts()
                + " attempts); nothing was done, it is looked at again");
        setLogged(false);
    }
}
