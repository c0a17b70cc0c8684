package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.ChannelPolicy;
import io.github.flowablepubsub.channel.Order;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.HeldMapper.Mark;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.RowChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a lane hold others back: at one look, under the lane's lock. What is held back takes no part in what is due;
 * here it is set so, and opened again one by one.
 */
interface Hold {

    /**
     * What is to be done in place of working on the head, done by now: the head is held back, or what goes before it was opened.
     *
     * @param head the oldest open row, read after this was made; null when there is none
     * @return when to look again, null when the head's turn has come
     */
    @Nullable
    Next instead(@Nullable InboxRow head);

    /** Opens what only this row held back, if it does so no longer. */
    void release(InboxRow row, RowChange change);

    /** Whether rows that were held back may go on after this change. */
    boolean goesOn(InboxRow row, RowChange change);

    /** Whether no more than a waiting message of the same event holds back. */
    static boolean plain(ChannelPolicy policy) {
        return policy.order().by() != Order.By.STRICT && !policy.parking().laterMessagesWait();
    }

    /** As the channel says. To be made before the head is read: what is repaired in between must not be passed. */
    static Hold read(InboxSession session, Lane lane, RegisteredChannel channel) {
        ChannelPolicy policy = channel.config().policy();
        if (plain(policy)) {
            return new EventHold(session, lane);
        }
        List<Mark> marks = session.held().marks(lane);
        Mark waiting = first(marks, MessageState.WAITING);
        Mark parked = policy.parking().laterMessagesWait() ? first(marks, MessageState.PARKED) : null;
        return policy.order().by() == Order.By.STRICT
                ? new StrictHold(session, waiting, parked, policy.parking().laterMessagesWait())
                : new ParkedHold(session, lane, waiting, parked);
    }

    private static @Nullable Mark first(List<Mark> marks, MessageState state) {
        return marks.stream().filter(mark -> mark.state() == state).findFirst().orElse(null);
    }

    /** Whether a row in this state is worked on no more. */
    static boolean isOver(MessageState state) {
        return state == MessageState.DONE || state == MessageState.DISCARDED || state == MessageState.PARKED;
    }

    /** Opens the oldest held-back row of this row's event. */
    static void releaseEvent(InboxSession session, InboxRow row) {
        String event = row.eventKey();
        Long next = event == null ? null : session.held().oldestHeldBack(row.lane(), event);
        if (next != null) {
            session.due().open(next);
        }
    }
}
