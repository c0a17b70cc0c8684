package io.github.flowablepubsub.subscriber;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.DedupRule;
import io.github.flowablepubsub.inbox.HookFailedException;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.inbox.MessageStore.Stored;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.subscriber.KeyReading.Item;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores a batch and answers each of its messages: acked when it is committed or was there already, else nacked. One bad
 * message never harms its neighbours: a batch that fails is split until the bad one stands alone.
 */
final class BatchStore implements Intake {

    private static final Logger log = LoggerFactory.getLogger(BatchStore.class);

    /** Another node that stores the same redelivered message at the same moment makes a batch fail this often at most. */
    private static final int MAX_COLLISIONS = 3;

    private final MessageConverter converter;
    private final KeyReading keys;
    private final MessageStore store;
    private final Consumer<Collection<Lane>> handOver;
    private final ChannelCounters counters;

    BatchStore(
            MessageConverter converter,
            MessageStore store,
            Consumer<Collection<Lane>> handOver,
            ChannelCounters counters) {
        this.converter = converter;
        this.keys = new KeyReading(converter, store::probe);
        this.store = store;
        this.handOver = handOver;
        this.counters = counters;
    }

    /**
     * Stores a batch in its order.
     *
     * @return the messages that are not answered because the database is away, in their order; the rest is acked, or
     *     nacked where even the raw message was refused
     */
    @Override
    public List<Received> take(RegisteredChannel channel, List<Received> batch) {
        long start = System.nanoTime();
        List<Item> items = keys.read(channel, batch);
        List<Received> left = new ArrayList<>();
        if (!items.isEmpty()) {
            storeItems(channel, items, new HashSet<>()).forEach(item -> left.add(item.received()));
            if (left.isEmpty()) {
                counters.committed(Duration.ofNanos(System.nanoTime() - start));
            }
        }
        left.addAll(batch.subList(items.size(), batch.size()));
        return left;
    }

    private List<Item> storeItems(RegisteredChannel channel, List<Item> items, Set<String> refusedKeys) {
        List<Item> allowed = new ArrayList<>();
        List<Item> refused = new ArrayList<>();
        for (Item item : items) {
            (refusedKeys.contains(item.message().orderKey()) ? refused : allowed).add(item);
        }
        nack(refused);
        if (allowed.isEmpty()) {
            return allowed;
        }
        try {
            commit(channel, allowed);
            return List.of();
        } catch (RuntimeException | Error e) {
            if (DatabaseFailures.isDatabaseAway(e)) {
                log.warn(
                        "Can't store {} messages of channel {}: {}",
                        allowed.size(),
                        channel.id(),
                        DatabaseFailures.summary(e));
                log.debug("Failure of the store", e);
                return allowed;
            }
            if (allowed.size() == 1 && HookFailedException.isCauseOf(e)) {
                refusedByHook(channel, allowed.get(0), e, refusedKeys);
                return List.of();
            }
            if (allowed.size() == 1) {
                return storeRaw(channel, allowed.get(0), e, refusedKeys);
            }
            int half = allowed.size() / 2;
            List<Item> left = new ArrayList<>(storeItems(channel, allowed.subList(0, half), refusedKeys));
            List<Item> second = allowed.subList(half, allowed.size());
            left.addAll(left.isEmpty() ? storeItems(channel, second, refusedKeys) : second);
            return left;
        }
    }

    /** It can't be stored without what belongs to it, so it stays in Pub/Sub. */
    private void refusedByHook(RegisteredChannel channel, Item item, Throwable failure, Set<String> refusedKeys) {
        log.error(
                "The app's store hook refused message {} of channel {}; nacked, Pub/Sub delivers it again. Mend the hook, and"
                        + " give the subscription a retry policy, or it comes back at once: {}",
                item.message().messageId(),
                channel.id(),
                DatabaseFailures.summary(failure));
        log.debug("Failure of the store hook", failure);
        refusedKeys.add(item.message().orderKey());
        nack(List.of(item));
    }

    private List<Item> storeRaw(RegisteredChannel channel, Item item, Throwable refusal, Set<String> refusedKeys) {
        log.warn(
                "The inbox refused message {} of channel {} as it is; it is stored raw: {}",
                item.message().messageId(),
                channel.id(),
                DatabaseFailures.summary(refusal));
        try {
            NewMessage raw = converter.raw(channel, item.received().message());
            commit(channel, List.of(new Item(item.received(), raw)));
            return List.of();
        } catch (RuntimeException | Error e) {
            if (DatabaseFailures.isDatabaseAway(e)) {
                return List.of(item);
            }
            log.error(
                    "The inbox refused message {} of channel {} even raw; nacked, Pub/Sub delivers it again: {}",
                    item.message().messageId(),
                    channel.id(),
                    DatabaseFailures.summary(e));
            refusedKeys.add(item.message().orderKey());
            nack(List.of(item));
            return List.of();
        }
    }

    private void nack(List<Item> refused) {
        refused.forEach(item -> item.received().nack());
        counters.nacked(refused.size());
    }

    private void commit(RegisteredChannel channel, List<Item> items) {
        Stored result =
                storeOrCollide(channel, items.stream().map(Item::message).toList());
        // Committed: from here on nothing may keep the acks back.
        Set<Lane> lanes = new LinkedHashSet<>();
        result.stored().forEach(message -> lanes.add(message.lane()));
        handOver.accept(lanes);
        items.forEach(item -> item.received().ack());
        tellConflicts(channel, result);
        counters.stored(result.stored().size(), result.duplicateIds().size());
        if (!result.duplicateIds().isEmpty()) {
            countDuplicates(channel, result.duplicateIds());
        }
    }

    private Stored storeOrCollide(RegisteredChannel channel, List<NewMessage> messages) {
        DedupRule rule = channel.config().policy().dedupRule();
        for (int collisions = 1; ; collisions++) {
            try {
                return store.store(channel.id(), messages, rule);
            } catch (RuntimeException e) {
                boolean collision = DatabaseFailures.isDuplicateKey(e) || DatabaseFailures.isRace(e);
                if (!collision || collisions >= MAX_COLLISIONS) {
                    throw e;
                }
            }
        }
    }

    private void tellConflicts(RegisteredChannel channel, Stored result) {
        for (NewMessage message : result.stored()) {
            if (message.conflict() != null) {
                log.warn(
                        "Message parked as {} (channel {}, message {}): {}. Compare the two, then set the row's STATE_ to"
                                + " OPEN with ATTEMPTS_ 0 to have this one delivered as well, or to DISCARDED.",
                        message.reason(),
                        channel.id(),
                        message.messageId(),
                        message.conflict());
                counters.conflicts(1);
                counters.parked(message);
            }
        }
        counters.conflicts(result.ignored().size());
        for (NewMessage message : result.ignored()) {
            log.warn(
                    "Message not stored, acked and counted as duplicate, as policy.deduplication.onConflict is ignore"
                            + " (channel {}, message {}): {}",
                    channel.id(),
                    message.messageId(),
                    message.conflict());
        }
    }

    private void countDuplicates(RegisteredChannel channel, List<String> messageIds) {
        log.debug("{} duplicates of messages of channel {} acked: {}", messageIds.size(), channel.id(), messageIds);
        try {
            store.countDuplicates(channel.id(), messageIds);
        } catch (RuntimeException e) {
            log.debug("Can't count duplicates on their rows; they are in the metrics only", e);
        }
    }
}
