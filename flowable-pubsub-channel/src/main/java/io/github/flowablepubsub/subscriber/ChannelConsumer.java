package io.github.flowablepubsub.subscriber;

import com.google.api.core.ApiService;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.common.util.concurrent.MoreExecutors;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.events.InboxEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
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

    private static final Duration HEALTHY_AFTER = Duration.ofMinutes(2);

    /** Between two looks at the backlog, and at the silence. */
    private static final Duration WATCH_INTERVAL = Duration.ofSeconds(2);

    private final RegisteredChannel channel;
    private final PubSubConnection connection;
    private final InboxWriter writer;
    private final ChannelCounters counters;
    private final ConsumerManager.Shared shared;
    private final @Nullable BacklogGate gate;
    private final SilenceWatch silence;
    private @Nullable Future<?> watch;

    private record Condition(ConsumerStatus.State state, Instant since, @Nullable String error) {}

    /** Written under the lock, read without: a status never waits for a connection. */
    private volatile Condition condition = new Condition(ConsumerStatus.State.RUNNING, Instant.now(), null);

    private final RestartBackOff backOff = new RestartBackOff();
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
        this.shared = shared;
        this.silence = new SilenceWatch(channel.id(), shared.maxSilence(), counters);
    }

    RegisteredChannel channel() {
        return channel;
    }

    void start() {
        writer.start(this::databaseAway);
        connect(0);
        long millis = WATCH_INTERVAL.toMillis();
        watch = shared.scheduler().scheduleWithFixedDelay(this::watch, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** A database that fails leaves the consumer as it is: when it can't store, it is told so. */
    private void watch() {
        try {
            int mine = ticket;
            boolean running = is(ConsumerStatus.State.RUNNING);
            if (running && gate != null && gate.isClosed()) {
                pause(mine, gate);
            } else if (running && silence.isTooLong()) {
                renew(mine);
            } else if (is(ConsumerStatus.State.PAUSED) && gate != null && !gate.isClosed()) {
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
        stopAsync(current);
    }

    private static void stopAsync(@Nullable Subscriber current) {
        if (current != null) {
            var unused = current.stopAsync();
        }
    }

    /** In place of one that has been silent for too long, though it may have had nothing to say. */
    private synchronized void renew(int mine) {
        if (mine == ticket && is(ConsumerStatus.State.RUNNING)) {
            silence.renewed();
            connectNow(++ticket);
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
            shared.databaseProbe().run(); // without the lock: it may take as long as the pool's timeout
            if (gate != null && gate.isClosed()) {
                pause(mine, gate);
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
            stopAsync(subscriber);
            int mine = ++generation;
            writer.accept();
            Subscriber fresh = connection.subscriber(
                    channel.config().subscription(),
                    channel.config().consumer(),
                    (message, reply) ->
                            receive(mine, new Received(message, reply, () -> mine != generation, silence::answered)),
                    shared.stopTimeout());
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
            silence.connected();
            var unused = fresh.startAsync();
        } catch (RuntimeException e) {
            restart(subscriber, e);
        }
    }

    private void receive(int from, Received received) {
        silence.received(received.message().getPublishTime());
        if (from == generation) {
            writer.add(received);
        } else {
            received.nack();
        }
    }

    private synchronized void connected(Subscriber current) {
        if (current == subscriber && is(ConsumerStatus.State.RESTARTING)) {
            // The client reports "running" before the service has answered: believe it after a while.
            var unused = shared.scheduler().schedule(() -> recovered(current), 3, TimeUnit.SECONDS);
        }
    }

    private synchronized void recovered(Subscriber current) {
        if (current == subscriber && is(ConsumerStatus.State.RESTARTING) && current.isRunning()) {
            log.info("The consumer of channel {} runs again", channel.id());
            condition = new Condition(ConsumerStatus.State.RUNNING, Instant.now(), null);
            shared.events().publish(new InboxEvent.ConsumerRecovered(channel.id(), subscription()));
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
        condition =
                new Condition(ConsumerStatus.State.RESTARTING, running ? now : condition.since(), failure.toString());
        long delay = backOff.next(wasHealthy).toMillis();
        log.error(
                "The consumer of channel {} on subscription {} failed (time {} in a row); it is started again in {} ms."
                        + " Does the subscription exist, may this app consume it, does the database answer? {}",
                channel.id(),
                subscription(),
                backOff.failures(),
                delay,
                failure.toString());
        shared.events()
                .publish(new InboxEvent.ConsumerFailed(
                        channel.id(),
                        subscription(),
                        failure.toString(),
                        backOff.failures(),
                        Duration.ofMillis(delay)));
        try {
            var unused = shared.scheduler().schedule(() -> connect(mine), delay, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("This node stops", e);
        }
    }

    /** Stops pulling, stores and acks what came in, nacks the rest; bounded by twice the stop timeout. */
    void stop() {
        Subscriber current;
        synchronized (this) {
            condition = new Condition(ConsumerStatus.State.STOPPED, Instant.now(), null);
            if (watch != null) {
                watch.cancel(false);
            }
            current = subscriber;
            stopAsync(current);
        }
        writer.stop(shared.stopTimeout().toMillis());
        if (current != null) {
            try {
                current.awaitTerminated(shared.stopTimeout().toMillis(), TimeUnit.MILLISECONDS);
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
        return counters.status(subscription(), now.state(), now.since(), now.error());
    }
}
