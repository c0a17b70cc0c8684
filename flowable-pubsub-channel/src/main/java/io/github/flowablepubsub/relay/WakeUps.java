package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.correlation.SubscriptionListener;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.DueMapper;
import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import io.github.flowablepubsub.inbox.InboxTransactions;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the waiting rows of a subscription that was committed, on a thread of its own, and has the relay open them. What it
 * can't do, because the database is down or the node dies, the sweep for missed wake-ups does.
 */
final class WakeUps implements SubscriptionListener.Target {

    private static final Logger log = LoggerFactory.getLogger(WakeUps.class);

    /** Beyond it new ones are left to the sweep; each is some hundred bytes. */
    private static final int CAPACITY = 100_000;

    private static final int MAX_BATCH = 200;
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    /** What a subscription without correlation is known by. */
    private static final String ANY = "*";

    private record Subscription(String eventKey, String configuration) {}

    private final InboxTransactions transactions;
    private final Predicate<WaitingRow> relay;
    private final LinkedBlockingQueue<Subscription> created = new LinkedBlockingQueue<>(CAPACITY);

    /**
     * @param relay opens a row and works on it, on another thread and in one transaction; false when this node can't
     */
    WakeUps(InboxTransactions transactions, Predicate<WaitingRow> relay) {
        this.transactions = transactions;
        this.relay = relay;
    }

    @Override
    public void subscribed(String eventKey, @Nullable String configuration) {
        if (!created.offer(new Subscription(eventKey, configuration == null ? ANY : configuration))) {
            log.debug("More than {} new subscriptions wait to be looked at; the sweep does it", CAPACITY);
        }
    }

    /** Runs until interrupted. */
    void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Set<Subscription> batch = new LinkedHashSet<>();
                batch.add(created.take());
                batch.addAll(drain());
                wake(batch);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private List<Subscription> drain() {
        List<Subscription> more = new java.util.ArrayList<>();
        created.drainTo(more, MAX_BATCH);
        return more;
    }

    private void wake(Set<Subscription> batch) throws InterruptedException {
        try {
            batch.forEach(this::wake);
        } catch (RuntimeException | Error e) {
            log.warn(
                    "Can't look for messages that wait for {} new subscriptions; trying again in {}: {}",
                    batch.size(),
                    PAUSE_AFTER_FAILURE,
                    DatabaseFailures.summary(e));
            TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE.toMillis());
            batch.forEach(subscription -> subscribed(subscription.eventKey(), subscription.configuration()));
        }
    }

    /** Each row once: those that the subscription does not take wait again, and must not be opened over and over. */
    private void wake(Subscription subscription) {
        wake(subscription.eventKey(), subscription.configuration());
        wake(subscription.eventKey(), DueMapper.ANY_CONFIGURATION);
    }

    private void wake(String eventKey, String configuration) {
        long after = 0;
        List<WaitingRow> rows;
        do {
            long from = after;
            rows = transactions.call(session -> session.due().waitingFor(eventKey, configuration, from, MAX_BATCH));
            List<Long> others = rows.stream()
                    .filter(row -> !relay.test(row))
                    .map(WaitingRow::id)
                    .toList();
            if (!others.isEmpty()) {
                transactions.call(session -> session.due().openUnlocked(others)); // for nodes that can
            }
            after = rows.isEmpty() ? after : rows.get(rows.size() - 1).id();
        } while (rows.size() == MAX_BATCH);
    }
}
