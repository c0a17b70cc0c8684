package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.outcome.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one pass over a lane has come to, over its tries. Confined to its thread. */
final class Attempt {

    /**
     * A row and what was written about it.
     *
     * @param row as it was read
     */
    record Written(InboxRow row, RowChange change) {}

    private final long start = System.nanoTime();
    private final RegisteredChannel channel;
    private final Set<Long> woken;
    private final List<Written> written = new ArrayList<>();
    private final Set<Long> matchedRows = new HashSet<>();
    private final Deque<InboxRow> behind = new ArrayDeque<>();
    private boolean opened;
    private @Nullable InboxRow head;
    private @Nullable InboxRow row;
    private @Nullable Outcome outcome;
    private boolean matched;

    Attempt(RegisteredChannel channel, Set<Long> woken) {
        this.channel = channel;
        this.woken = woken;
    }

    /** Since the pass began. */
    Duration took() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** A try begins; what the last one wrote was rolled back. Which rows had a receiver is remembered. */
    void begin() {
        opened = false;
        behind.clear();
        head = null;
        written.clear();
        next();
    }

    /** The next row of the same transaction, if there is one. */
    void next() {
        row = null;
        outcome = null;
        matched = false;
    }

    /** Opens the woken rows in the running transaction, under the lane's lock. */
    void open(InboxSession session) {
        if (!woken.isEmpty()) {
            session.due().open(woken);
        }
        opened = true;
    }

    /** Woken rows that the last try did not open. */
    Set<Long> stillToOpen() {
        return opened ? Set.of() : woken;
    }

    RegisteredChannel channel() {
        return channel;
    }

    /** The row that is worked on, null when there is none. */
    @Nullable
    InboxRow row() {
        return row;
    }

    void row(InboxRow read) {
        row = read;
    }

    /** The oldest row of the lane was read under its lock, and what is behind it. */
    void head(InboxRow oldest, Collection<InboxRow> rowsBehind) {
        head = oldest;
        behind.clear();
        behind.addAll(rowsBehind);
    }

    /**
     * The row behind those that were just dropped, if it can follow them in this transaction without another look: it is due,
     * and of the head's event, of which nothing waits.
     */
    @Nullable
    InboxRow follower() {
        InboxRow next = behind.peek();
        Written last = written.isEmpty() ? null : written.get(written.size() - 1);
        if (head == null || next == null || last == null || last.change().state() != MessageState.DISCARDED) {
            return null;
        }
        InboxRow follower = next.behind(head);
        boolean follows = !head.holdsBack()
                && Objects.equals(next.eventKey(), head.eventKey())
                && next.expiresAt() == null
                && !next.cleared()
                && follower.due();
        if (follows) {
            behind.remove();
        }
        return follows ? follower : null;
    }

    /** What was read behind the head and is still to come. */
    List<InboxRow> drainBehind() {
        List<InboxRow> left = List.copyOf(behind);
        behind.clear();
        head = null;
        return left;
    }

    void written(InboxRow read, RowChange change) {
        written.add(new Written(read, change));
    }

    /** What this try wrote so far. */
    List<Written> written() {
        return List.copyOf(written);
    }

    /** Receivers were found, delivery begins. */
    void matched() {
        matched = true;
        if (row != null) {
            matchedRows.add(row.id());
        }
    }

    /** Whether delivery of the row that is worked on has begun: a failure comes from it, not from the look-up. */
    boolean inDelivery() {
        return matched;
    }

    /** What the last try came to for the row that is worked on, before it failed; null when it did not get there. */
    @Nullable
    Outcome outcome() {
        return outcome;
    }

    /** A row's outcome. No match after a match of the same pass means: gone between look-up and delivery. */
    Outcome outcome(Outcome found) {
        boolean gone = found instanceof Outcome.NoMatch && row != null && matchedRows.contains(row.id());
        Outcome judged = gone
                ? new Outcome.SubscriptionGone(
                        "A subscription matched and was gone at delivery; nothing else matches now")
                : found;
        outcome = judged;
        return judged;
    }
}
