package io.github.flowablepubsub.subscriber;

import com.google.api.core.ApiService;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.common.util.concurrent.MoreExecutors;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.events.InboxEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer of one channel: a subscriber of the client library, which for a missing subscription or a revoked
 * permission fails for good and is then replaced with back-off, and the writer, which outlives it (rule R10).
 */
final class ChannelConsumer {

    private static final Logger log = LoggerFactory.getLogger(ChannelConsumer.class);

    private static final Duration FIRST_RESTART = Duration.ofSeconds(1);
    private static final Duration MAX_RESTART = Duration.ofMinutes(1);
    private static final Duration HEALTHY_AFTER = Duration.ofMinutes(2);

    /** Between two looks at the backlog. */
    private static final Duration GATE_INTERVAL = Duration.ofSeconds(2);

    private final RegisteredChannel channel;
    private final PubSubConnection connection;
    private final InboxWriter writer;
    private final ChannelCounters counters;
    private final ScheduledExecutorService scheduler;
    private final Runnable databaseProbe;
    private final Duration stopTimeout;
    private final EventPublisher events;
    private final @Nullable BacklogGate gate;
    private @Nullable Future<?> gateWatch;

    private record Condition(ConsumerStatus.State state, Instant since, @Nullable String error) {}

    /** Written under the lock, read without: a status never waits for a connection. */
    private volatile Condition condition = new Condition(ConsumerStatus.State.RUNNING, Instant.now(), null);

    private int failures;
    private volatile @Nullable Subscriber subscriber;

    /** Counts restarts: of several that were scheduled only the last one connects. */
    private volatile int ticket;

    /** Counts subscribers: what an old one still brings is given back, its predecessors were, too. */
    private volatile int generation;

    ChannelConsumer(
            RegisteredChannel channel,
            PubSubConnection connection,
            InboxWriter writer,
            ChannelCounters counters,
            @Nullable BacklogGate gate,
            ConsumerManager.Shared shared) {
        this.gate = gate;
        this.channel = channel;
        this.connection = connection;
        this.writer = writer;
        this.counters = counters;
        this.scheduler = shared.scheduler();
        this.databaseProbe = shared.databaseProbe();
        this.stopTimeout = shared.stopTimeout();
        this.events = shared.events();
    }

    RegisteredChannel channel() {
        return channel;
    }

    void start() {
        writer.start(this::databaseAway);
        connect(0);
        if (gate != null) {
            long millis = GATE_INTERVAL.toMillis();
            gateWatch = scheduler.scheduleWithFixedDelay(() -> watch(gate), millis, millis, TimeUnit.MILLISECONDS);
        }
    }

    /** A database that fails leaves the consumer as it is: when it can't store, it is told so. */
    private void watch(BacklogGate backlog) {
        try {
            int mine = ticket;
            if (is(ConsumerStatus.State.RUNNING) && backlog.isClosed()) {
                pause(mine, backlog);
            } else if (is(ConsumerStatus.State.PAUSED) && !backlog.isClosed()) {
                resume();
            }
        } catch (RuntimeException | Error e) {
            log.debug("Can't count the unfinished messages of channel {}", channel.id(), e);
        }
    }

    /** Stops pulling; what is in hand is stored and acked. */
    private synchronized void pause(int mine, BacklogGate backlog) {
        if (mine != ticket || is(ConsumerStatus.State.STOPPED)) {
            return;
        }
        ticket++;
        String why = "more than " + backlog.limit() + " unfinished messages (consumer.pauseAtBacklog)";
        condition = new Condition(ConsumerStatus.State.PAUSED, Instant.now(), why);
        log.warn(
                "The consumer of channel {} pauses: {}. Pub/Sub keeps what comes, until fewer than half are left",
                channel.id(),
                why);
        Subscriber current = subscriber;
        subscriber = null;
        if (current != null) {
            var unused = current.stopAsync();
        }
    }

    private void resume() {
        int mine;
        synchronized (this) {
            if (!is(ConsumerStatus.State.PAUSED)) {
                return;
            }
            mine = ++ticket;
            condition = new Condition(ConsumerStatus.State.RUNNING, Instant.now(), null);
        }
        log.info("The consumer of channel {} goes on", channel.id());
        connect(mine);
    }

    private void connect(int mine) {
        if (mine != ticket || is(ConsumerStatus.State.STOPPED)) {
            return;
        }
        try {
            databaseProbe.run(); // without the lock: it may take as long as the pool's timeout
            BacklogGate backlog = gate;
            if (backlog != null && backlog.isClosed()) {
                pause(mine, backlog);
                return;
            }
        } catch (RuntimeException e) {
            restart(subscriber, e);
            return;
        }
        connectNow(mine);
    }

    private synchronized void connectNow(int myTicket) {
        if (myTicket != ticket || is(ConsumerStatus.State.STOPPED)) {
            return;
        }
        try {
            Subscriber old = subscriber;
            if (old != null) {
                var unused = old.stopAsync();
            }
            int mine = ++generation;
            writer.accept();
            Subscriber fresh = connection.subscriber(
                    channel.config().subscription(),
                    channel.config().consumer(),
                    (message, reply) -> receive(mine, new Received(message, reply, () -> mine != generation)),
                    stopTimeout);
            fresh.addListener(
                    new ApiService.Listener() {
                        @Override
                        public void running() {
                            connected(fresh);
                        }

                        @Override
                        public void failed(ApiService.State from, Throwable failure) {
                            restart(fresh, failure);
                        }
                    },
                    MoreExecutors.directExecutor());
            subscriber = fresh;
            var unused = fresh.startAsync();
        } catch (RuntimeException e) {
            restart(subscriber, e);
        }
    }

    private void receive(int from, Received received) {
        if (from == generation) {
            writer.add(received);
        } else {
            received.nack();
        }
    }

    private synchronized void connected(Subscriber current) {
        if (current == subscriber && is(ConsumerStatus.State.RESTARTING)) {
            // The client reports "running" before the service has answered: believe it after a while.
            var unused = scheduler.schedule(() -> recovered(current), 3, TimeUnit.SECONDS);
        }
    }

    private synchronized void recovered(Subscriber current) {
        if (current == subscriber && is(ConsumerStatus.State.RESTARTING) && current.isRunning()) {
            log.info("The consumer of channel {} runs again", channel.id());
            condition = new Condition(ConsumerStatus.State.RUNNING, Instant.now(), null);
            events.publish(new InboxEvent.ConsumerRecovered(channel.id(), subscription()));
        }
    }

    /** Replaces the subscriber, so that it gives back what it has in hand, and connects when the database answers. */
    private synchronized void databaseAway() {
        Subscriber current = subscriber;
        if (current != null) {
            generation++;
            restart(current, new IllegalStateException("The database takes no messages"));
            subscriber = null;
            var unused = current.stopAsync();
        }
    }

    private synchronized void restart(@Nullable Subscriber failed, Throwable failure) {
        if (failed != subscriber || is(ConsumerStatus.State.STOPPED)) {
            return;
        }
        int mine = ++ticket;
        Instant now = Instant.now();
        boolean running = is(ConsumerStatus.State.RUNNING);
        boolean wasHealthy = running && condition.since().plus(HEALTHY_AFTER).isBefore(now);
        failures = wasHealthy ? 1 : Math.min(failures + 1, 20);
        condition =
                new Condition(ConsumerStatus.State.RESTARTING, running ? now : condition.since(), failure.toString());
        long delay = Math.min(FIRST_RESTART.toMillis() << Math.min(failures - 1, 10), MAX_RESTART.toMillis());
        log.error(
                "The consumer of channel {} on subscription {} failed (time {} in a row); it is started again in {} ms."
                        + " Does the subscription exist, may this app consume it, does the database answer? {}",
                channel.id(),
                subscription(),
                failures,
                delay,
                failure.toString());
        events.publish(new InboxEvent.ConsumerFailed(
                channel.id(), subscription(), failure.toString(), failures, Duration.ofMillis(delay)));
        try {
            var unused = scheduler.schedule(() -> connect(mine), delay, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("This node stops", e);
        }
    }

    /** Stops pulling, stores and acks what came in, nacks the rest; bounded by twice the stop timeout. */
    void stop() {
        Subscriber current;
        synchronized (this) {
            condition = new Condition(ConsumerStatus.State.STOPPED, Instant.now(), null);
            if (gateWatch != null) {
                gateWatch.cancel(false);
            }
            current = subscriber;
            if (current != null) {
                var unused = current.stopAsync();
            }
        }
        writer.stop(stopTimeout.toMillis());
        if (current != null) {
            try {
                current.awaitTerminated(stopTimeout.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException | IllegalStateException e) {
                log.warn("The subscriber of channel {} did not end cleanly: {}", channel.id(), e.toString());
            }
        }
    }

    private boolean is(ConsumerStatus.State state) {
        return condition.state() == state;
    }

    private String subscription() {
        return connection.fullName(channel.config().subscription());
    }

    ConsumerStatus status() {
        Condition now = condition;
        return new ConsumerStatus(
                channel.id(),
                subscription(),
                now.state(),
                now.since(),
                now.error(),
                counters.lastMessage(),
                counters.stored(),
                counters.duplicates(),
                counters.nacked());
    }
}
