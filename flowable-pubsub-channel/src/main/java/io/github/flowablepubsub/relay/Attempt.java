package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.outcome.Outcome;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one pass over a lane has come to, over its tries. Confined to its thread. */
final class Attempt {

    private final RegisteredChannel channel;
    private final Set<Long> woken;
    private boolean opened;
    private @Nullable InboxRow row;
    private @Nullable RowChange change;
    private @Nullable Outcome outcome;
    private boolean matched;
    private boolean matchedBefore;

    Attempt(RegisteredChannel channel, Set<Long> woken) {
        this.channel = channel;
        this.woken = woken;
    }

    /** A try begins; what the last one found is remembered, what it wrote was rolled back. */
    void begin() {
        matchedBefore |= matched;
        matched = false;
        opened = false;
        row = null;
        outcome = null;
        change = null;
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

    /** What the last try came to before it failed, null when it did not get there. */
    @Nullable
    Outcome outcome() {
        return outcome;
    }

    RegisteredChannel channel() {
        return channel;
    }

    @Nullable
    InboxRow row() {
        return row;
    }

    void row(InboxRow read) {
        row = read;
    }

    @Nullable
    RowChange change() {
        return change;
    }

    void change(RowChange written) {
        change = written;
    }

    /** Receivers were found, delivery begins. */
    void matched() {
        matched = true;
    }

    /** Whether a failure comes from delivery, not from the look-up. */
    boolean failedInDelivery() {
        return matched;
    }

    /** A try's outcome. No match after a match of the same pass means: gone between look-up and delivery. */
    Outcome outcome(Outcome found) {
        Outcome judged = found instanceof Outcome.NoMatch && matchedBefore
                ? new Outcome.SubscriptionGone(
                        "A subscription matched and was gone at delivery; nothing else matches now")
                : found;
        outcome = judged;
        return judged;
    }
}
