package io.github.flowablepubsub.subscriber;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.DirectMessage;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.inbox.NewMessage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code policy.ack: afterCorrelation}: hands messages over to be correlated, and acks each when its correlation is committed.
 * What is in hand is bounded by the client's flow control. Thread safe.
 */
final class DirectIntake implements Intake {

    private static final Logger log = LoggerFactory.getLogger(DirectIntake.class);

    /** Another node may make a lane at the same moment. */
    private static final int MAX_TRIES = 3;

    private final ChannelId channel;
    private final KeyReading keys;
    private final MessageStore store;
    private final DirectMessage.Target target;
    private final ChannelCounters counters;
    private final AtomicInteger inHand = new AtomicInteger();
    private volatile boolean stopping;
    private volatile Runnable databaseAway = () -> {};

    DirectIntake(
            ChannelId channel,
            KeyReading keys,
            MessageStore store,
            DirectMessage.Target target,
            ChannelCounters counters) {
        this.store = store;
        this.channel = channel;
        this.keys = keys;
        this.target = target;
        this.counters = counters;
    }

    @Override
    public void start(Runnable onDatabaseAway) {
        databaseAway = onDatabaseAway;
    }

    @Override
    public List<Received> take(RegisteredChannel current, List<Received> batch) {
        List<KeyReading.Item> items = keys.read(current, batch);
        if (!prepareLanes(items)) {
            return batch;
        }
        for (KeyReading.Item item : items) {
            inHand.incrementAndGet();
            DirectMessage message = new InHand(item.received(), item.message());
            if (item.received().isReplaced()) {
                message.rolledBack(); // its predecessors were given back
            } else {
                target.accept(message);
            }
        }
        if (batch.stream().anyMatch(Received::isReplaced)) {
            giveBack(); // of some that were handed over just now, too
        }
        return batch.subList(items.size(), batch.size());
    }

    /** False when the database is away. */
    private boolean prepareLanes(List<KeyReading.Item> items) {
        List<NewMessage> messages = items.stream().map(KeyReading.Item::message).toList();
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            try {
                store.prepareLanes(channel, messages);
                return true;
            } catch (RuntimeException e) {
                if (DatabaseFailures.isDatabaseAway(e) && !DatabaseFailures.isRace(e)) {
                    log.warn(
                            "Can't take {} messages of channel {}: {}",
                            items.size(),
                            channel,
                            DatabaseFailures.summary(e));
                    return false;
                }
                log.debug("Can't make the lanes of {} messages of channel {}", items.size(), channel, e);
            }
        }
        return true; // each message makes its own
    }

    @Override
    public void giveBack() {
        target.giveBack(channel);
    }

    @Override
    public void stop(long timeoutMillis) throws InterruptedException {
        stopping = true;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (inHand.get() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        giveBack();
    }

    private final class InHand implements DirectMessage {

        private final Received received;
        private final NewMessage message;

        InHand(Received received, NewMessage message) {
            this.received = received;
            this.message = message;
        }

        @Override
        public NewMessage message() {
            return message;
        }

        @Override
        public boolean isLeaving() {
            return stopping || received.isReplaced();
        }

        @Override
        public void committed(boolean duplicate) {
            received.ack();
            counters.stored(duplicate ? 0 : 1, duplicate ? 1 : 0);
            inHand.decrementAndGet();
        }

        @Override
        public void rolledBack() {
            received.nack();
            counters.nacked(1);
            inHand.decrementAndGet();
        }

        @Override
        public void databaseAway() {
            rolledBack();
            databaseAway.run();
        }
    }
}
