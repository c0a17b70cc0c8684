package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.RowChange;

/** Hears what became of messages: on a relay thread, after the commit. An exception is logged and changes nothing. */
@FunctionalInterface
public interface RelayListener {

    /**
     * A row has changed. One that raises the alarm for having waited long is told by {@link RowChange#alarm()}, once.
     *
     * @param row as it was read
     * @param change what was written
     */
    void changed(InboxRow row, RowChange change);
}
