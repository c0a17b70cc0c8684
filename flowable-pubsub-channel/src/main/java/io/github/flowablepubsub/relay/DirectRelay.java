package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.DirectMessage;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.mirror.Mirrors;
import io.github.flowablepubsub.relay.DirectResult.Rejected;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves messages of {@code policy.ack: afterCorrelation} into the engine: as many worker threads as the relay has, from the
 * first such message on. One of a lane at a time; what waits here is bounded by the client's flow control. What is not
 * delivered is nacked after the rollback and is Pub/Sub's again. Thread safe.
 */
public final class DirectRelay implements DirectMessage.Target {

    private static final Logger log = LoggerFactory.getLogger(DirectRelay.class);

    private static final int QUEUE_CAPACITY = 50_000;

    private final int threadCount;
    private final Duration patience;
    private final DirectWork work;
    private final Changes changes;
    private final DirectLog rejections = new DirectLog();
    private final DirectQueue messages = new DirectQueue();
    private final LaneQueue lanes = new LaneQueue(QUEUE_CAPACITY);
    private final Map<ChannelId, Long> awaySince = new ConcurrentHashMap<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean running;

    /**
     * @param settings of this node
     * @param transactions on the engine's database
     * @param channels that this node knows
     * @param correlator into the engine
     * @param listener hears what was committed
     * @param events publishes it
     * @param failures tells what kind of failure a delivery came to
     * @param store inserts messages in the transaction that correlates them
     * @param patience how long a message is kept in hand that a lock, a conflict or the database keeps from being delivered
     * @param mirrors jobs of parked rows
     */
    public DirectRelay(
            RelaySettings settings,
            InboxTransactions transactions,
            ChannelRegistry channels,
            Correlator correlator,
            RelayListener listener,
            EventPublisher events,
            FailureClassifier failures,
            MessageStore store,
            Duration patience,
            Mirrors mirrors) {
        this.threadCount = settings.threads();
        this.patience = patience;
        this.work = new DirectWork(transactions, channels, correlator, new FailureJudge(failures), store, mirrors);
        this.changes = new Changes(listener, events);
    }

    /** Takes messages from now on. */
    public synchronized void start() {
        running = true;
    }

    @Override
    public void accept(DirectMessage message) {
        Lane lane = message.message().lane();
        if (!isTaking() || !messages.add(message)) {
            message.rolledBack();
        } else if (!lanes.offer(lane) && !lanes.holds(lane) && messages.remove(message)) {
            message.rolledBack(); // the queue is full or closed
        }
    }

    @Override
    public void giveBack(ChannelId channel) {
        messages.drain(lane -> lane.channel().equals(channel)).forEach(DirectMessage::rolledBack);
    }

    /** Stops taking messages, finishes those in work within the timeout, gives the others back. */
    public void stop(Duration timeout) {
        running = false;
        lanes.close();
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (lanes.running() > 0 && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            threads.forEach(Thread::interrupt);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.clear();
        lanes.open();
        messages.drain(lane -> true).forEach(DirectMessage::rolledBack);
    }

    /** Whether its threads are alive, if there are any; never blocks. */
    public boolean isAlive() {
        return threads.stream().allMatch(Thread::isAlive);
    }

    /** An app without such channels has no threads for them. */
    private boolean isTaking() {
        if (running && threads.isEmpty()) {
            startThreads();
        }
        return running;
    }

    private synchronized void startThreads() {
        for (int i = threads.size() + 1; running && i <= threadCount; i++) {
            Thread thread = new Thread(this::workUntilInterrupted, "pubsub-direct-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    private void workUntilInterrupted() {
        BackOff backOff = new BackOff();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Lane lane = lanes.take();
                Next next = Next.IDLE;
                try {
                    next = step(lane, backOff);
                } finally {
                    lanes.release(lane, next.after());
                }
                backOff.pause();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The oldest message of a lane. */
    private Next step(Lane lane, BackOff backOff) {
        DirectQueue.Entry entry = messages.poll(lane);
        if (entry == null) {
            return Next.IDLE;
        }
        DirectMessage direct = entry.message();
        long start = System.nanoTime();
        DirectResult result = run(direct.message());
        if (result instanceof DirectResult.Away away) {
            return away(entry, away, backOff.failed());
        }
        backOff.succeeded();
        awaySince.remove(lane.channel());
        if (result instanceof DirectResult.Busy busy) {
            return busy(entry.busy(), busy);
        } else if (result instanceof DirectResult.Done done) {
            direct.committed(false);
            changes.changed(done.row(), done.change(), Duration.ofNanos(System.nanoTime() - start));
        } else if (result instanceof DirectResult.Duplicate duplicate) {
            direct.committed(true);
            if (duplicate.conflict()) {
                changes.conflict(lane.channel());
            }
            countDuplicate(direct.message(), duplicate.messageId());
        } else if (result instanceof Rejected rejected) {
            rejected(direct, rejected);
            nack(direct);
        } else {
            nack(direct);
        }
        return Next.again(messages.has(lane));
    }

    private void rejected(DirectMessage direct, Rejected rejected) {
        rejections.rejected(direct.message(), rejected);
        changes.rejected(direct.message().lane().channel(), rejected.reason());
    }

    private DirectResult run(NewMessage message) {
        try {
            return work.run(message);
        } catch (RuntimeException | Error e) {
            log.error(
                    "Defect: message {} of channel {} failed and is nacked",
                    message.messageId(),
                    message.lane().channel(),
                    e);
            return new DirectResult.Unknown();
        }
    }

    private Next busy(DirectQueue.Entry entry, DirectResult.Busy busy) {
        DirectMessage direct = entry.message();
        if (isStaying(direct) && !entry.isBusyFor(patience)) {
            messages.put(entry);
            return Next.in(busy.pause());
        }
        if (!direct.isLeaving()) {
            rejected(direct, busy.why());
        }
        nack(direct);
        return Next.again(messages.has(entry.lane()));
    }

    private Next away(DirectQueue.Entry entry, DirectResult.Away away, Duration pause) {
        DirectMessage direct = entry.message();
        log.warn(
                "Can't correlate message {} of channel {}, the database does not answer; trying again in {}: {}",
                direct.message().messageId(),
                entry.lane().channel(),
                pause,
                DatabaseFailures.summary(away.failure()));
        if (!isStaying(direct)) {
            nack(direct);
        } else if (isOverPatience(entry.lane().channel())) {
            direct.databaseAway();
        } else {
            messages.put(entry);
            return Next.in(pause);
        }
        return Next.again(messages.has(entry.lane()));
    }

    /** Counts from the first failure, whichever message had it; once it is over, anew. */
    private boolean isOverPatience(ChannelId channel) {
        long now = System.nanoTime();
        long since = awaySince.computeIfAbsent(channel, key -> now);
        return now - since > patience.toNanos() && awaySince.remove(channel, since);
    }

    private boolean isStaying(DirectMessage message) {
        return running && !message.isLeaving();
    }

    /** Before the others of its ordering key that are in hand, for they must not be delivered before it. */
    private void nack(DirectMessage direct) {
        List<DirectMessage> successors = messages.interrupt(direct.message());
        direct.rolledBack();
        successors.forEach(DirectMessage::rolledBack);
    }

    private void countDuplicate(NewMessage message, String messageId) {
        try {
            work.countDuplicate(message, messageId);
        } catch (RuntimeException e) {
            log.debug("Can't count a duplicate on its row; it is in the metrics only", e);
        }
    }
}
