package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.HeldMapper.Mark;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Lane;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is held back in a lane, as a queue for each event: the oldest waiting row of an event is its first. */
final class EventQueues {

    /** Events of a lane that are looked at one by one; with more, which only foreign keys can be, one statement looks at all. */
    private static final int MAX_EVENTS = 50;

    private EventQueues() {}

    /**
     * Opens the first of each queue that nothing holds back; one statement for each event that waits, whatever its backlog.
     *
     * @param parked holds back what is behind it, null when nothing does
     * @param head only what is before it, null for all
     * @return whether any was opened
     */
    static boolean openFirsts(InboxSession session, Lane lane, @Nullable Mark parked, @Nullable InboxRow head) {
        boolean opened = false;
        String after = "";
        for (int events = 0; after != null; events++) {
            if (events == MAX_EVENTS) {
                return opened || (parked == null && openAny(session, lane));
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
                opened |= turn && session.due().open(first.id());
            }
        }
        return opened;
    }

    private static boolean openAny(InboxSession session, Lane lane) {
        Long orphan = session.held().orphan(lane);
        return orphan != null && session.due().open(orphan);
    }
}
