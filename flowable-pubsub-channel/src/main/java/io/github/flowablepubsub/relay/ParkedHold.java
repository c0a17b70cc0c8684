package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.HeldMapper.Mark;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.RowChange;
import java.util.List;
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

    /** Events of a lane that are looked at one by one; with more, which only foreign keys can be, one statement looks at all. */
    private static final int MAX_EVENTS = 50;

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

    /**
     * Opens the first of each event that nothing holds back.
     *
     * @param head only what is before it, null for all
     */
    private boolean openFirsts(@Nullable InboxRow head) {
        boolean opened = false;
        String after = waiting == null ? null : "";
        for (int events = 0; after != null; events++) {
            if (events == MAX_EVENTS) {
                return opened || openAny();
            }
            List<Mark> firsts = session.held().nextEvent(lane, after);
            boolean begin = after.isEmpty();
            after = null;
            for (Mark first : firsts) {
                after = first.eventKey() == null ? after : first.eventKey();
                boolean turn = first.heldBack()
                        && (begin || first.eventKey() != null)
                        && (parked == null || !parked.before(first))
                        && (head == null || first.before(head));
                opened |= turn && session.lanes().open(first.id()) == 1;
            }
        }
        return opened;
    }

    private boolean openAny() {
        Long orphan = parked == null ? session.held().orphan(lane) : null;
        return orphan != null && session.lanes().open(orphan) == 1;
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
