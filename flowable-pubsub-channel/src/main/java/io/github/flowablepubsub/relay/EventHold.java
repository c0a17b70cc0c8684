package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.RowChange;
import org.jspecify.annotations.Nullable;

/** A waiting row holds back those of its own event, and nothing else does: no statement more than the head needs. */
record EventHold(InboxSession session, Lane lane) implements Hold {

    @Override
    public @Nullable Next instead(@Nullable InboxRow head) {
        if (head == null) {
            return Next.again(EventQueues.openFirsts(session, lane, null, null));
        }
        if (head.blocked()) {
            session.held().holdBack(head);
            return Next.again(head.more());
        }
        return null;
    }

    @Override
    public void release(InboxRow row, RowChange change) {
        if (goesOn(row, change)) {
            Hold.releaseEvent(session, row);
        }
    }

    @Override
    public boolean goesOn(InboxRow row, RowChange change) {
        return row.holdsBack() && Hold.isOver(change.state());
    }
}
