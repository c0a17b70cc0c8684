package io.github.flowablepubsub.inbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores messages, each once. Thread safe. */
public final class MessageStore {

    private static final Logger log = LoggerFactory.getLogger(MessageStore.class);

    private final InboxTransactions transactions;

    /** On the engine's transactions. */
    public MessageStore(InboxTransactions transactions) {
        this.transactions = transactions;
    }

    /**
     * What became of a batch.
     *
     * @param stored the messages that are new
     * @param duplicateIds ids of those that were there already, or came twice in the batch
     */
    public record Stored(List<NewMessage> stored, List<String> duplicateIds) {}

    /**
     * Stores the new ones among these messages of one channel, in their order, and their lanes, in one transaction that is
     * committed when this returns (rule R1).
     *
     * @throws RuntimeException when nothing was stored: the database failed, one message can't be stored, or another node
     *     stored one of them at the same moment. Trying again tells the last case apart.
     */
    public Stored store(ChannelId channel, List<NewMessage> messages) {
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
            if (!stored.isEmpty()) {
                createLanes(session, channel, stored);
                insert(session, stored);
            }
            return new Stored(stored, duplicates);
        });
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
     * @throws RuntimeException with a violated unique key when another transaction has stored it meanwhile
     */
    public static void insert(InboxSession session, NewMessage message) {
        session.store().insert(List.of(message));
    }

    private static void insert(InboxSession session, List<NewMessage> messages) {
        int rows = session.dialect().rowsPerInsert();
        for (int from = 0; from < messages.size(); from += rows) {
            session.store().insert(messages.subList(from, Math.min(from + rows, messages.size())));
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
        return transactions.call(session -> session.store().unfinished(channel, limit));
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
