package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.HeldMapper.Mark;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.RowChange;
import org.jspecify.annotations.Nullable;

/**
 * {@code laterMessages: wait}: a parked row holds back all of its lane, a waiting one those of its own event. What is held
 * back is a queue for each event; when the parked row is gone, the first of each is opened before anything behind it is worked
 * on, so that the lane's order holds over the events.
 *
 * @param waiting the oldest waiting row of the lane
 * @param parked the oldest parked one
 */
record ParkedHold(InboxSession session, Lane lane, @Nullable Mark waiting, @Nullable Mark parked) implements Hold {

    @Override
    public @Nullable Next instead(@Nullable InboxRow head) {
        if (head == null) {
            return Next.again(openFirsts(null));
        }
        if (parked != null && parked.before(head)) {
            session.held().holdBackAll(head);
            return Next.again(openFirsts(null) || head.more());
        }
        if (waiting != null && waiting.before(head) && openFirsts(head)) {
            return Next.AGAIN;
        }
        if (head.blocked()) {
            session.held().holdBack(head);
            return Next.again(head.more());
        }
        return null;
    }

    private boolean openFirsts(@Nullable InboxRow head) {
        return waiting != null && EventQueues.openFirsts(session, lane, parked, head);
    }

    @Override
    public void release(InboxRow row, RowChange change) {
        if (row.holdsBack() && Hold.isOver(change.state()) && change.state() != MessageState.PARKED) {
            Hold.releaseEvent(session, row);
        }
    }

    @Override
    public boolean goesOn(InboxRow row, RowChange change) {
        return waiting != null && change.state() != MessageState.OPEN;
    }
}
