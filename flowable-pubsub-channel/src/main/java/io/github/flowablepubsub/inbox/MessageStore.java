package io.github.flowablepubsub.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores messages, each once. Thread safe. */
public final class MessageStore {

    private static final Logger log = LoggerFactory.getLogger(MessageStore.class);

    private final InboxTransactions transactions;
    private final StoreHook hook;
    private final Parked parked;

    /** On the engine's transactions, without a hook. */
    public MessageStore(InboxTransactions transactions) {
        this(transactions, StoreHook.NONE, (session, message, row) -> {});
    }

    /**
     * On the engine's transactions.
     *
     * @param hook the app's own work in those that store messages
     * @param parked hears of rows that are stored as {@code PARKED}, in the transaction that stores them
     */
    public MessageStore(InboxTransactions transactions, StoreHook hook, Parked parked) {
        this.transactions = transactions;
        this.hook = hook;
        this.parked = parked;
    }

    /** Hears of rows that are stored as {@code PARKED}, in the transaction that stores them. */
    @FunctionalInterface
    public interface Parked {
        /** A message was stored so. */
        void parked(InboxSession session, NewMessage message, long row);
    }

    /**
     * What became of a batch.
     *
     * @param stored the messages that are new
     * @param duplicateIds for each message that was there already, or came twice in the batch, the id that it is stored under:
     *     its own, or that of another message with the same business key
     * @param ignored messages whose business key has come with another body, and that are not stored for it
     */
    public record Stored(List<NewMessage> stored, List<String> duplicateIds, List<NewMessage> ignored) {}

    /** The same for messages without business keys. */
    public Stored store(ChannelId channel, List<NewMessage> messages) {
        return store(channel, messages, new DedupRule(true, Duration.ZERO));
    }

    /**
     * Stores the new ones among these messages of one channel, in their order, and their lanes, in one transaction that is
     * committed when this returns (rule R1). Those with a business key that another message has are no new ones.
     *
     * @param rule for messages with a business key
     * @throws HookFailedException when the app's hook failed, and nothing was stored
     * @throws RuntimeException when nothing was stored: the database failed, one message can't be stored, or another node
     *     stored one of them at the same moment. Trying again tells the last case apart.
     */
    public Stored store(ChannelId channel, List<NewMessage> messages, DedupRule rule) {
        return transactions.call(session -> {
            // Read first: inserting a duplicate of a row that is being correlated would wait for that transaction.
            Map<String, String> known = known(session, channel, messages);
            Map<String, NewMessage> fresh = new LinkedHashMap<>();
            List<String> duplicates = new ArrayList<>();
            for (NewMessage message : messages) {
                NewMessage own = withOwnId(message, known);
                if (known.containsKey(own.messageId())) {
                    duplicates.add(own.messageId());
                } else {
                    known.put(own.messageId(), own.bodyHash());
                    fresh.put(own.messageId(), own);
                }
            }
            List<NewMessage> stored = List.copyOf(fresh.values());
            List<NewMessage> ignored = List.of();
            boolean keyed = stored.stream().anyMatch(message -> message.dedupKey() != null);
            if (keyed) {
                BusinessKeys.Told told = new BusinessKeys(session, channel, rule).tell(stored);
                stored = told.fresh();
                ignored = told.ignored();
                duplicates.addAll(told.duplicateIds());
            }
            if (!stored.isEmpty()) {
                createLanes(session, channel, stored);
                insert(session, stored, keyed);
                tellParked(session, channel, stored);
                session.stored(hook, stored);
            }
            return new Stored(stored, duplicates, ignored);
        });
    }

    private void tellParked(InboxSession session, ChannelId channel, List<NewMessage> stored) {
        for (NewMessage message : stored) {
            if (message.conflict() != null) {
                session.store()
                        .lockUnlocked(channel, List.of(message.messageId()))
                        .forEach(row -> parked.parked(session, message, row));
            }
        }
    }

    /**
     * A message that is stored in the transaction that correlates it.
     *
     * @param message with the id that its row has, or will have
     * @param known its row is there already
     */
    public record Looked(NewMessage message, boolean known) {}

    /** Looks whether a message has a row already. Within a running transaction. */
    public static Looked look(InboxSession session, NewMessage message) {
        Map<String, String> known = known(session, message.lane().channel(), List.of(message));
        NewMessage own = withOwnId(message, known);
        return new Looked(own, known.containsKey(own.messageId()));
    }

    /**
     * Inserts one message that has no row yet, as {@code OPEN}, in a running transaction and under its lane's lock.
     *
     * @throws HookFailedException when the app's hook failed
     * @throws RuntimeException with a violated unique key when another transaction has stored it meanwhile
     */
    public void insert(InboxSession session, NewMessage message) {
        List<NewMessage> one = List.of(message);
        insert(session, one, message.dedupKey() != null);
        session.stored(hook, one);
    }

    /**
     * A message whose business key is taken.
     *
     * @param messageId of the message that has it
     * @param conflict how it contradicts that one; null when it is the same
     */
    public record Repeated(String messageId, @Nullable String conflict) {}

    /**
     * Takes the business key of a message that has no row yet, in a running transaction and under its lane's lock.
     *
     * @return null when it is new, or has no business key
     * @throws RuntimeException with a violated unique key when another transaction has taken it meanwhile
     */
    public static @Nullable Repeated claim(InboxSession session, NewMessage message, DedupRule rule) {
        if (message.dedupKey() == null) {
            return null;
        }
        BusinessKeys.Told told = new BusinessKeys(session, message.lane().channel(), rule).tell(List.of(message));
        if (told.fresh().isEmpty()) {
            String conflict =
                    told.ignored().isEmpty() ? null : told.ignored().get(0).conflict();
            return new Repeated(told.duplicateIds().get(0), conflict);
        }
        String conflict = told.fresh().get(0).conflict();
        return conflict == null ? null : new Repeated(message.messageId(), conflict);
    }

    private static void insert(InboxSession session, List<NewMessage> messages, boolean keyed) {
        int rows = session.dialect().rowsPerInsert();
        for (int from = 0; from < messages.size(); from += rows) {
            List<NewMessage> part = messages.subList(from, Math.min(from + rows, messages.size()));
            int unused =
                    keyed ? session.store().insertKeyed(part) : session.store().insert(part);
        }
    }

    /** Body hashes of those that are there already, also of those that have an id of their own. */
    private static Map<String, String> known(InboxSession session, ChannelId channel, List<NewMessage> messages) {
        Map<String, String> first = new LinkedHashMap<>();
        messages.forEach(message -> first.putIfAbsent(message.messageId(), message.bodyHash()));
        Map<String, String> known = new HashMap<>();
        session.store().known(channel, first.keySet()).forEach(row -> known.put(row.messageId(), row.bodyHash()));
        first.putAll(known);
        Set<String> others = messages.stream()
                .filter(message -> !message.bodyHash().equals(first.get(message.messageId())))
                .map(MessageStore::otherId)
                .collect(Collectors.toSet());
        if (!others.isEmpty()) {
            session.store().known(channel, others).forEach(row -> known.put(row.messageId(), row.bodyHash()));
        }
        return known;
    }

    /**
     * Pub/Sub's ids are unique within a topic. The same id with another body is another message, from a topic that the
     * channel was pointed to later or an emulator that counts anew; it gets an id of its own and is never taken for a
     * redelivery.
     */
    private static NewMessage withOwnId(NewMessage message, Map<String, String> known) {
        String hash = known.get(message.messageId());
        if (hash == null || hash.equals(message.bodyHash())) {
            return message;
        }
        log.warn(
                "Channel {} has stored another message with id {}; this one is stored as {}",
                message.lane().channel(),
                message.messageId(),
                otherId(message));
        return message.withMessageId(otherId(message));
    }

    private static String otherId(NewMessage message) {
        return message.messageId() + "#" + message.bodyHash().substring(0, 16);
    }

    /**
     * Makes the lanes of these messages that are missing, but for messages that are alone in theirs, and commits: who makes a lane
     * in the transaction that works on it has others wait for that.
     *
     * @throws RuntimeException when the database failed, or another node made one of them at the same moment
     */
    public void prepareLanes(ChannelId channel, List<NewMessage> messages) {
        List<NewMessage> shared =
                messages.stream().filter(message -> !message.isAlone()).toList();
        if (!shared.isEmpty()) {
            transactions.call(session -> {
                createLanes(session, channel, shared);
                return shared;
            });
        }
    }

    private static void createLanes(InboxSession session, ChannelId channel, List<NewMessage> messages) {
        Collection<String> missing = new TreeSet<>();
        messages.forEach(message -> missing.add(message.orderKey()));
        session.lanes().existing(channel, missing).forEach(missing::remove);
        List<String> ordered = List.copyOf(missing);
        int rows = session.dialect().rowsPerInsert();
        for (int from = 0; from < ordered.size(); from += rows) {
            session.lanes().create(channel, ordered.subList(from, Math.min(from + rows, ordered.size())));
        }
    }

    /**
     * Looks whether the database answers.
     *
     * @throws RuntimeException when not
     */
    public void probe() {
        transactions.call(session -> session.lanes().existing(new ChannelId("", ""), List.of("")));
    }

    /**
     * How many rows of a channel are open or wait; more than the limit are not counted exactly, so that counting costs no more
     * than that.
     *
     * @throws RuntimeException when the database failed
     */
    public long unfinished(ChannelId channel, int limit) {
        return transactions.call(session -> session.state().unfinished(List.of(channel), limit)).stream()
                .mapToLong(StateMapper.Count::rows)
                .sum();
    }

    /**
     * Counts redeliveries on their rows. A row that is being correlated right now is passed by: the count is for people,
     * and nothing waits for it.
     */
    public void countDuplicates(ChannelId channel, Collection<String> messageIds) {
        transactions.call(session -> {
            List<Long> rows = session.store().lockUnlocked(channel, messageIds);
            return rows.isEmpty() ? 0 : session.store().countDuplicates(rows);
        });
    }
}
