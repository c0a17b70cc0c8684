package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.HeldMapper.Mark;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.RowChange;
import org.jspecify.annotations.Nullable;

/**
 * {@code order: strict}: a waiting row holds back all of its lane, and so does a parked one if later messages wait. What is
 * held back is one queue: the oldest waiting row is its first.
 *
 * @param waiting the oldest waiting row of the lane
 * @param parked the oldest parked one, null also when later messages pass it
 * @param parkedHolds whether later messages wait for a parked one
 */
record StrictHold(InboxSession session, @Nullable Mark waiting, @Nullable Mark parked, boolean parkedHolds)
        implements Hold {

    @Override
    public @Nullable Next instead(@Nullable InboxRow head) {
        boolean blocked =
                head != null && ((waiting != null && waiting.before(head)) || (parked != null && parked.before(head)));
        if (head != null && !blocked) {
            return null;
        }
        if (head != null) {
            session.held().holdBackAll(head);
        }
        return Next.again(openFirst() || (head != null && head.more()));
    }

    @Override
    public void release(InboxRow row, RowChange change) {
        if (goesOn(row, change)) {
            openFirst();
        }
    }

    @Override
    public boolean goesOn(InboxRow row, RowChange change) {
        return mayOpen() && Hold.isOver(change.state()) && !(parkedHolds && change.state() == MessageState.PARKED);
    }

    private boolean openFirst() {
        return mayOpen() && waiting != null && session.due().open(waiting.id());
    }

    private boolean mayOpen() {
        return waiting != null && waiting.heldBack() && (parked == null || !parked.before(waiting));
    }
}
