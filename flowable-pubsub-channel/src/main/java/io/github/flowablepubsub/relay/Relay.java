package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.correlation.SubscriptionListener;
import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.mirror.Mirrors;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves messages from the inbox into the engine: worker threads that take lanes, one thread that sweeps the table, one
 * that wakes waiting rows. Lanes that this node stored are offered directly and need no sweep.
 */
public final class Relay {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private static final int QUEUE_CAPACITY = 50_000;
    private static final int REFILL_BELOW = 20;

    /** Sweeps between two rounds of housekeeping: a minute by default. */
    private static final int HOUSEKEEPING_EVERY = 12;

    /** Between two passes while a backlog is worked on; the longer one when a pass found little to do. */
    private static final Duration BUSY_PAUSE = Duration.ofMillis(20);

    private static final Duration SLOW_PAUSE = Duration.ofMillis(200);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(2);

    private final RelaySettings settings;
    private final InboxTransactions transactions;
    private final ChannelRegistry channels;
    private final Runnable housekeeping;
    private final LaneQueue queue = new LaneQueue(QUEUE_CAPACITY);
    private final Woken woken = new Woken();
    private final ReadAhead ahead;
    private final LaneWork work;
    private final Sweep sweep;
    private final ForgottenRows forgotten;
    private final WakeUps wakeUps;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicLong changes = new AtomicLong();
    private long changesAtLastSweep = -1;
    private long lastHousekeeping;

    /**
     * @param settings of this node
     * @param transactions on the engine's database
     * @param channels that this node knows
     * @param correlator into the engine
     * @param listener hears what became of messages
     * @param events publishes it
     * @param failures tells what kind of failure a delivery came to
     * @param mirrors jobs of parked rows
     * @param housekeeping runs about once a minute on the sweeping thread
     */
    public Relay(
            RelaySettings settings,
            InboxTransactions transactions,
            ChannelRegistry channels,
            Correlator correlator,
            RelayListener listener,
            EventPublisher events,
            FailureClassifier failures,
            Mirrors mirrors,
            Runnable housekeeping) {
        this.settings = settings;
        this.transactions = transactions;
        this.channels = channels;
        this.housekeeping = housekeeping;
        this.ahead = new ReadAhead(id -> channels.find(id)
                .filter(channel -> Hold.plain(channel.config().policy()))
                .isPresent());
        this.work = new LaneWork(
                transactions,
                channels,
                correlator,
                new Changes(
                        (row, change) -> {
                            changes.incrementAndGet();
                            listener.changed(row, change);
                        },
                        events),
                woken,
                ahead,
                new FailureJudge(failures),
                mirrors);
        this.sweep = new Sweep(transactions, queue, ahead);
        this.forgotten = new ForgottenRows(transactions, channels, queue);
        this.wakeUps = new WakeUps(transactions, this::wake, new DoubleSubscriptions(transactions, channels, events));
    }

    /** To be told of new subscriptions. */
    public SubscriptionListener.Target wakeUps() {
        return wakeUps;
    }

    /** Offers lanes that have new messages, after their commit. Never blocks. */
    public void offer(Collection<Lane> lanes) {
        if (settings.enabled()) {
            lanes.forEach(queue::offer);
        }
    }

    /** Takes a row whose subscription has come; false when another node has to. */
    private boolean wake(WaitingRow row) {
        Lane lane = row.lane();
        if (!settings.enabled() || channels.find(lane.channel()).isEmpty()) {
            return false;
        }
        woken.add(lane, List.of(row.id()));
        if (queue.offer(lane) || queue.holds(lane)) {
            return true;
        }
        // Just looked at, and gone from the queue: the offer counts. Else it is full or closed.
        return woken.take(lane).isEmpty();
    }

    /** Starts the threads; does nothing when they run. */
    public synchronized void start() {
        if (threads.isEmpty()) {
            start("pubsub-wake-up", wakeUps::run);
            start("pubsub-sweep", this::sweepUntilInterrupted);
            for (int i = 1; settings.enabled() && i <= settings.threads(); i++) {
                start("pubsub-relay-" + i, this::workUntilInterrupted);
            }
        }
    }

    /**
     * Stops the threads. One that is in the middle of a message finishes it, up to the timeout; after that it is
     * interrupted and its transaction rolls back.
     */
    public synchronized void stop(Duration timeout) {
        queue.close();
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (queue.running() > 0 && System.nanoTime() < deadline) {
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
        ahead.forgetAll();
        queue.open();
        leaveToOthers();
    }

    /** What it did not come to open, other nodes would find a minute later only. */
    private void leaveToOthers() {
        List<Long> rows = woken.drain();
        try {
            transactions.call(session -> session.due().openUnlocked(rows));
        } catch (RuntimeException e) {
            log.info(
                    "Can't open {} messages whose subscription has come; a sweep does: {}",
                    rows.size(),
                    DatabaseFailures.summary(e));
        }
    }

    /** Whether its threads run; never blocks. */
    public boolean isRunning() {
        return !threads.isEmpty() && threads.stream().allMatch(Thread::isAlive);
    }

    private void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    private void workUntilInterrupted() {
        BackOff backOff = new BackOff();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Lane lane = queue.take();
                Next next = Next.IDLE;
                try {
                    next = work.run(lane);
                    backOff.succeeded();
                } catch (RuntimeException | Error e) {
                    next = Next.in(backOff.failed());
                    log.warn(
                            "Can't work on the messages of key {} in channel {}; trying again in {}: {}",
                            Keys.printable(lane.orderKey()),
                            lane.channel(),
                            next.after(),
                            DatabaseFailures.summary(e));
                    log.debug("Failure of the relay", e);
                } finally {
                    queue.release(lane, next.after());
                }
                backOff.pause();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void sweepUntilInterrupted() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Duration pause;
                try {
                    pause = pauseAfter(sweepOnce());
                } catch (RuntimeException | Error e) {
                    pause = PAUSE_AFTER_FAILURE;
                    log.warn("Can't sweep the inbox; trying again in {}: {}", pause, DatabaseFailures.summary(e));
                }
                queue.awaitReadyBelow(REFILL_BELOW, settings.sweepInterval());
                TimeUnit.MILLISECONDS.sleep(pause.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sweeping on at once is worth it only while messages move: a full page may be of keys that can't go on. */
    private boolean hasProgress() {
        long now = changes.get();
        boolean progress = now != changesAtLastSweep;
        changesAtLastSweep = now;
        return progress;
    }

    private Duration pauseAfter(Sweep.Pass pass) {
        if (!hasProgress() || !pass.more()) {
            return settings.sweepInterval();
        }
        return pass.offered() >= REFILL_BELOW ? BUSY_PAUSE : SLOW_PAUSE;
    }

    private long housekeepingNanos() {
        return settings.sweepInterval().multipliedBy(HOUSEKEEPING_EVERY).toNanos();
    }

    /** One pass. Without relaying there is only the housekeeping. */
    private Sweep.Pass sweepOnce() {
        boolean whole = lastHousekeeping == 0 || System.nanoTime() - lastHousekeeping > housekeepingNanos();
        Sweep.Pass pass = new Sweep.Pass(false, 0);
        if (settings.enabled()) {
            pass = sweep.due(channels.all().stream().map(RegisteredChannel::id).toList(), whole);
        }
        if (whole) {
            lastHousekeeping = System.nanoTime();
            housekeeping.run();
        }
        if (settings.enabled()) {
            forgotten.step(whole);
        }
        return pass;
    }
}
