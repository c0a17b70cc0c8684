package io.github.flowablepubsub.server;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import java.util.List;

/** Changes to many messages at once: seek, redelivery, end of retention. Guarded by the subscription's lock. */
final class Replay {

    private final Backlog backlog;
    /** No message is older: spares looking for those whose retention is over. */
    private Timestamp oldest = Timestamps.MIN_VALUE;

    Replay(Backlog backlog) {
        this.backlog = backlog;
    }

    /**
     * Acks what was published before the time, and makes the rest pending that is acked and retained.
     *
     * @param retainedFrom what was published before is not retained any more
     * @param retain whether the subscription retains acked messages
     */
    void seek(Timestamp time, Timestamp retainedFrom, boolean retain) {
        backlog.history().forgetBefore(retainedFrom);
        for (Lane lane : backlog.lanes()) {
            lane.unackedBefore(time).forEach(message -> backlog.ack(lane, message, retain));
            QueuedMessage acked = lane.firstRetainedAcked();
            if (acked != null) {
                backlog.rewind(lane, acked);
                backlog.settle(lane);
            }
        }
        restore(backlog.history().removeRetainedSince(time));
    }

    /** Makes all messages that were ever delivered pending again, as far as the history goes. */
    void redeliverAll() {
        for (Lane lane : backlog.lanes()) {
            backlog.rewind(lane);
            backlog.settle(lane);
        }
        restore(backlog.history().removeAll());
    }

    /** Drops the messages published before the time, acked or not; whether there were unacked ones. */
    boolean forgetBefore(Timestamp time, Timestamp now) {
        if (Timestamps.compare(time, oldest) <= 0) {
            return false;
        }
        backlog.history().forgetBefore(time);
        int before = backlog.unacked();
        for (Lane lane : backlog.lanes()) {
            List<QueuedMessage> tooOld = lane.unackedBefore(time);
            if (!tooOld.isEmpty()) {
                backlog.rewind(lane);
                tooOld.forEach(message -> backlog.drop(lane, message));
            }
        }
        oldest = backlog.oldest(now);
        return backlog.unacked() < before;
    }

    /** The latest one comes last. */
    private void restore(List<AckedHistory.Entry> entries) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            backlog.restore(entries.get(i).key(), entries.get(i).message());
        }
    }
}
