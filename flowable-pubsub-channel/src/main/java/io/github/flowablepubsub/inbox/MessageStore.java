package io.github.flowablepubsub.inbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Stores messages, each once. Thread safe. */
public final class MessageStore {

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
        Map<String, NewMessage> byId = new LinkedHashMap<>();
        messages.forEach(message -> byId.putIfAbsent(message.messageId(), message));
        return transactions.call(session -> {
            // Read first: inserting a duplicate of a row that is being correlated would wait for that transaction.
            Set<String> known = new HashSet<>(session.store().knownMessageIds(channel, byId.keySet()));
            List<NewMessage> fresh = byId.values().stream()
                    .filter(message -> !known.contains(message.messageId()))
                    .toList();
            if (!fresh.isEmpty()) {
                createLanes(session, channel, fresh);
                session.store().insert(fresh);
            }
            List<String> duplicates =
                    new ArrayList<>(messages.stream().map(NewMessage::messageId).toList());
            fresh.forEach(message -> duplicates.remove(message.messageId()));
            return new Stored(fresh, duplicates);
        });
    }

    private static void createLanes(InboxSession session, ChannelId channel, List<NewMessage> messages) {
        Collection<String> missing = new TreeSet<>();
        messages.forEach(message -> missing.add(message.orderKey()));
        session.lanes().existing(channel, missing).forEach(missing::remove);
        if (!missing.isEmpty()) {
            session.lanes().create(channel, missing);
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
