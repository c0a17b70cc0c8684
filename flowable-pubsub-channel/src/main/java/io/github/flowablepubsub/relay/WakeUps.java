package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.correlation.SubscriptionListener;
import io.github.flowablepubsub.inbox.Awaited;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.DueMapper;
import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.MessageMapper.Awaiting;
import io.github.flowablepubsub.inbox.SuspendedMapper.Subscribed;
import java.time.Duration;
import java.util.ArrayList;
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
 * Finds the waiting rows of a subscription that was committed, or of a receiver that was activated, on a thread of its own, and
 * has the relay open them. What it can't do, because the database is down or the node dies, the sweep for missed wake-ups does.
 */
final class WakeUps implements SubscriptionListener.Target {

    private static final Logger log = LoggerFactory.getLogger(WakeUps.class);

    /** Beyond it new ones are left to the sweep; each is some hundred bytes. */
    private static final int CAPACITY = 100_000;

    private static final int MAX_BATCH = 200;
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    /** What this thread is told; what it comes to are subscriptions that may have rows waiting for them. */
    private sealed interface Told {}

    private record Subscription(String eventKey, String configuration) implements Told {}

    private record Execution(String id) implements Told {}

    private record Definition(String id) implements Told {}

    private record Instance(String id) implements Told {}

    private final InboxTransactions transactions;
    private final Predicate<WaitingRow> relay;
    private final MessageWaits messages;
    private final DoubleSubscriptions doubles;
    private final LinkedBlockingQueue<Told> created = new LinkedBlockingQueue<>(CAPACITY);

    /**
     * @param relay opens a row and works on it, on another thread and in one transaction; false when this node can't
     * @param doubles looks at each new subscription after its messages were woken
     */
    WakeUps(InboxTransactions transactions, Predicate<WaitingRow> relay, DoubleSubscriptions doubles) {
        this.transactions = transactions;
        this.relay = relay;
        this.messages = new MessageWaits(transactions);
        this.doubles = doubles;
    }

    @Override
    public void subscribed(String eventKey, @Nullable String configuration) {
        tell(new Subscription(eventKey, configuration == null ? Awaited.ANY : configuration));
    }

    @Override
    public void executionActivated(String executionId) {
        tell(new Execution(executionId));
    }

    @Override
    public void definitionActivated(String processDefinitionId) {
        tell(new Definition(processDefinitionId));
    }

    @Override
    public void instanceChanged(String processInstanceId) {
        tell(new Instance(processInstanceId));
    }

    private void tell(Told told) {
        if (!created.offer(told)) {
            log.debug("More than {} new or activated subscriptions wait to be looked at; the sweep does it", CAPACITY);
        }
    }

    /** Runs until interrupted. */
    void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Set<Told> batch = new LinkedHashSet<>();
                batch.add(created.take());
                batch.addAll(drain());
                wake(batch);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private List<Told> drain() {
        List<Told> more = new ArrayList<>();
        created.drainTo(more, MAX_BATCH);
        return more;
    }

    private void wake(Set<Told> batch) throws InterruptedException {
        try {
            subscriptions(batch).forEach(this::wake);
            messages(batch).forEach(awaiting -> wake(awaiting.messageName(), awaiting.configuration()));
            for (Told told : batch) {
                if (told instanceof Subscription fresh && !fresh.configuration().equals(Awaited.ANY)) {
                    doubles.look(fresh.eventKey(), fresh.configuration());
                }
            }
        } catch (RuntimeException | Error e) {
            log.warn(
                    "Can't look for messages that wait for {} new or activated subscriptions; trying again in {}: {}",
                    batch.size(),
                    PAUSE_AFTER_FAILURE,
                    DatabaseFailures.summary(e));
            TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE.toMillis());
            batch.forEach(this::tell);
        }
    }

    private Set<Subscription> subscriptions(Set<Told> batch) {
        Set<Subscription> subscriptions = new LinkedHashSet<>();
        List<String> executions = new ArrayList<>();
        List<String> definitions = new ArrayList<>();
        for (Told told : batch) {
            if (told instanceof Subscription subscription) {
                subscriptions.add(subscription);
            } else if (told instanceof Execution execution) {
                executions.add(execution.id());
            } else if (told instanceof Definition definition) {
                definitions.add(definition.id());
            }
        }
        List<Subscribed> activated = new ArrayList<>();
        if (!executions.isEmpty()) {
            activated.addAll(transactions.call(session -> session.suspended().ofExecutions(executions)));
        }
        if (!definitions.isEmpty()) {
            activated.addAll(transactions.call(session -> session.suspended().ofStarts(definitions)));
        }
        activated.forEach(s -> subscriptions.add(new Subscription(s.eventKey(), s.configuration())));
        return subscriptions;
    }

    private Set<Awaiting> messages(Set<Told> batch) {
        List<String> instances = new ArrayList<>();
        List<String> definitions = new ArrayList<>();
        for (Told told : batch) {
            if (told instanceof Instance instance) {
                instances.add(instance.id());
            } else if (told instanceof Definition definition) {
                definitions.add(definition.id());
            }
        }
        Set<Awaiting> awaiting = new LinkedHashSet<>(messages.ofInstances(instances));
        awaiting.addAll(messages.ofStarts(definitions));
        return awaiting;
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
