package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.InboxMessage.Seen;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.relay.Repair;
import io.github.flowablepubsub.relay.RepairResult;
import io.github.flowablepubsub.relay.RepairResult.Done;
import io.github.flowablepubsub.relay.RepairResult.NotAsSeen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Does the same to many messages, a page at a time: what it keeps in memory does not grow with them. Thread safe. */
final class BulkRepair {

    /** Messages that are opened and not yet looked at. */
    static final int AT_ONCE = 100;

    /** One that is in work is not waited for: others are behind it. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int SWEEPS = 4;
    private static final long POLL_MILLIS = 20;

    private final InboxTransactions transactions;
    private final Repair repair;
    private final Duration stalledAfter;

    BulkRepair(InboxTransactions transactions, Repair repair, Duration sweepInterval) {
        this.transactions = transactions;
        this.repair = repair;
        Duration sweeps = sweepInterval.multipliedBy(SWEEPS);
        this.stalledAfter =
                sweeps.compareTo(SHORTEST) < 0 ? SHORTEST : sweeps.compareTo(LONGEST) > 0 ? LONGEST : sweeps;
    }

    InboxBulk retry(InboxFilter filter, long after, int max, String actor) {
        return run(filter, after, max, false, seen -> repair.retry(seen, actor, PATIENCE));
    }

    InboxBulk discard(InboxFilter filter, long after, int max, String actor, String why) {
        // The younger first: discarding what held others back lets them go, maybe to be delivered before their turn
        // here.
        return run(filter, after, max, true, seen -> repair.discard(seen, actor, why, PATIENCE));
    }

    private InboxBulk run(
            InboxFilter filter, long after, int max, boolean backwards, Function<Seen, RepairResult> change) {
        if (max < 1) {
            throw new IllegalArgumentException("At most " + max + " messages were asked for, allowed: 1 and more");
        }
        InboxFilter unfinished = unfinished(filter);
        long last = Objects.requireNonNullElse(
                transactions.call(session -> session.repairs().lastId()), 0L);
        Count count = new Count();
        List<Long> opened = List.of();
        long cursor = after;
        for (int left = max; left > 0; ) {
            List<InboxMessage> page = page(unfinished, cursor, Math.min(left, AT_ONCE - opened.size()), last);
            if (page.isEmpty()) {
                return count.result(false, null);
            }
            List<Long> all = new ArrayList<>(opened);
            cursor = page.get(page.size() - 1).id();
            for (InboxMessage message : inOrder(page, backwards)) {
                RepairResult result = change(message, unfinished, change);
                count.add(result);
                if (result instanceof Done done && done.state() == MessageState.OPEN) {
                    all.add(message.id());
                }
            }
            left -= page.size();
            opened = drained(all);
            if (opened.size() > AT_ONCE / 2) {
                return count.result(true, cursor);
            }
        }
        return count.result(false, page(unfinished, cursor, 1, last).isEmpty() ? null : cursor);
    }

    private static List<InboxMessage> inOrder(List<InboxMessage> page, boolean backwards) {
        List<InboxMessage> ordered = new ArrayList<>(page);
        if (backwards) {
            Collections.reverse(ordered);
        }
        return ordered;
    }

    /** Once more when it has only changed between states that are asked for, as one that is held back no longer. */
    private RepairResult change(InboxMessage message, InboxFilter filter, Function<Seen, RepairResult> change) {
        RepairResult result = change.apply(message.seen());
        if (!(result instanceof NotAsSeen)) {
            return result;
        }
        InboxMessage now = transactions.call(session -> session.looks().message(message.id()));
        return now != null && filter.states().contains(now.state()) && filter.reason() == null
                ? change.apply(now.seen())
                : result;
    }

    private static InboxFilter unfinished(InboxFilter filter) {
        List<MessageState> states = filter.states().stream()
                .filter(state -> !state.successors().isEmpty())
                .toList();
        if (states.isEmpty()) {
            throw new IllegalArgumentException("The filter names only states that are final (" + filter.states()
                    + "), allowed: one or more of " + InboxFilter.UNFINISHED.states());
        }
        return filter.withStates(states);
    }

    private List<InboxMessage> page(InboxFilter filter, long after, int limit, long last) {
        return transactions.call(session -> session.looks().page(filter, after, false, limit)).stream()
                .filter(message -> message.id() <= last)
                .toList();
    }

    /** Waits until relays have looked at half of them, or at none for too long; returns the rest. */
    private List<Long> drained(List<Long> opened) {
        List<Long> left = opened;
        long progress = System.nanoTime();
        while (left.size() > AT_ONCE / 2 && System.nanoTime() - progress < stalledAfter.toNanos()) {
            List<Long> before = left;
            left = transactions.call(session -> session.repairs().notLookedAt(before));
            if (left.size() < before.size()) {
                progress = System.nanoTime();
            } else if (!pause()) {
                return left;
            }
        }
        return left;
    }

    /** False when the thread was interrupted: it ends as if it had stalled. */
    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Of one call; confined to its thread. */
    private static final class Count {
        private int done;
        private int others;
        private final List<RepairResult> examples = new ArrayList<>();

        void add(RepairResult result) {
            if (result instanceof Done) {
                done++;
                return;
            }
            others++;
            if (examples.size() < InboxBulk.MAX_EXAMPLES) {
                examples.add(result);
            }
        }

        InboxBulk result(boolean stalled, @Nullable Long next) {
            return new InboxBulk(done, others, examples, stalled, next);
        }
    }
}
