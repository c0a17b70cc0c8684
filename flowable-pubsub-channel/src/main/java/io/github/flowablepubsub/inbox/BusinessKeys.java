package io.github.flowablepubsub.inbox;

import io.github.flowablepubsub.inbox.DedupMapper.Claim;
import io.github.flowablepubsub.inbox.DedupMapper.Holder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tells messages apart by their business keys within the transaction that stores them. A key is a row in
 * {@code FLW_PUBSUB_DEDUP}, whose primary key lets only one of two writers have it. Keys are taken in their own order and
 * before anything else is written: writers that have the same ones in any order queue up and can't deadlock.
 */
final class BusinessKeys {

    /**
     * The messages of a batch.
     *
     * @param fresh what is to be stored, in its order; conflicts among them have a key of their own
     * @param duplicateIds for each message that is there already: the id of the one it repeats
     * @param ignored conflicts that are not stored
     */
    record Told(List<NewMessage> fresh, List<String> duplicateIds, List<NewMessage> ignored) {}

    private final InboxSession session;
    private final ChannelId channel;
    private final DedupRule rule;
    private final Map<String, Holder> holders = new HashMap<>();
    private final List<Holder> expired = new ArrayList<>();
    private final Map<String, String> claims = new TreeMap<>();

    BusinessKeys(InboxSession session, ChannelId channel, DedupRule rule) {
        this.session = session;
        this.channel = channel;
        this.rule = rule;
    }

    /** Tells them apart and takes the keys of those that are new. */
    Told tell(List<NewMessage> messages) {
        read(messages.stream()
                .map(NewMessage::dedupKey)
                .filter(Objects::nonNull)
                .toList());
        readConflicts(messages);
        Told told = new Told(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        messages.forEach(message -> tell(message, told));
        take();
        return told;
    }

    private void tell(NewMessage message, Told told) {
        String key = message.dedupKey();
        Holder first = key == null ? null : holders.get(key);
        if (key == null || first == null) {
            told.fresh().add(message);
            claim(message);
        } else if (message.bodyHash().equals(first.bodyHash())) {
            told.duplicateIds().add(first.messageId());
        } else if (!rule.parkConflicts()) {
            told.duplicateIds().add(first.messageId());
            told.ignored().add(message.conflicting(key, conflict(message, first)));
        } else {
            String conflictKey = conflictKey(message);
            Holder same = holders.get(conflictKey);
            if (same != null) {
                told.duplicateIds().add(same.messageId());
            } else {
                NewMessage conflicting = message.conflicting(conflictKey, conflict(message, first));
                told.fresh().add(conflicting);
                claim(conflicting);
            }
        }
    }

    private void claim(NewMessage message) {
        String key = message.dedupKey();
        if (key != null) {
            holders.put(key, new Holder(key, message.messageId(), null, message.bodyHash(), false));
            claims.put(key, message.messageId());
        }
    }

    /** A conflict is parked once, however often its publisher sends it. */
    private static String conflictKey(NewMessage message) {
        return Keys.column(message.dedupKey() + "#" + message.bodyHash());
    }

    private static String conflict(NewMessage message, Holder first) {
        String row = first.rowId() == null ? "" : " (row " + first.rowId() + ")";
        return "Message " + message.messageId() + " has the same business key as message " + first.messageId() + row
                + ", which came first, but another body";
    }

    /** Who holds the keys of conflicts is asked only if there are any. */
    private void readConflicts(List<NewMessage> messages) {
        Map<String, String> firstHash = new HashMap<>();
        holders.forEach((key, holder) -> firstHash.put(key, String.valueOf(holder.bodyHash())));
        Set<String> conflicts = new TreeSet<>();
        for (NewMessage message : messages) {
            String key = message.dedupKey();
            String first = key == null ? null : firstHash.putIfAbsent(key, message.bodyHash());
            if (first != null && !first.equals(message.bodyHash())) {
                conflicts.add(conflictKey(message));
            }
        }
        if (rule.parkConflicts()) {
            read(conflicts);
        }
    }

    private void read(Collection<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        for (Holder holder : session.dedup().holders(channel, new TreeSet<>(keys), rule.windowMicros())) {
            if (holder.free()) {
                expired.add(holder);
            } else {
                holders.put(holder.dedupKey(), holder);
            }
        }
    }

    private void take() {
        List<Holder> over = expired.stream()
                .filter(holder -> claims.containsKey(holder.dedupKey()))
                .toList();
        if (!over.isEmpty()) {
            session.dedup()
                    .release(
                            channel,
                            over.stream().map(Holder::dedupKey).toList(),
                            over.stream().map(Holder::messageId).toList());
        }
        List<Claim> ordered = claims.entrySet().stream()
                .map(claim -> new Claim(claim.getKey(), claim.getValue()))
                .toList();
        int rows = session.dialect().rowsPerInsert();
        for (int from = 0; from < ordered.size(); from += rows) {
            session.dedup().take(channel, ordered.subList(from, Math.min(from + rows, ordered.size())));
        }
    }
}
