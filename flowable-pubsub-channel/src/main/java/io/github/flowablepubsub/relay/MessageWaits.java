package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.MessageMapper.Awaiting;
import io.github.flowablepubsub.inbox.MessageMapper.Start;
import io.github.flowablepubsub.inbox.MessageMapper.Variable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** From receivers of plain BPMN messages, as the engine's tables have them, to what the rows that wait for them are known by. */
final class MessageWaits {

    /** Message subscriptions that one step of the walk looks at. */
    static final int PAGE = 1000;

    /** Instances in one statement; it reads all their short variables. */
    private static final int INSTANCES = 20;

    /** Keys in one statement. */
    private static final int KEYS = 500;

    /** Before every id, also where an empty text is none. */
    private static final String BEGIN = " ";

    private final InboxTransactions transactions;
    private String after = BEGIN;
    private boolean begun;

    MessageWaits(InboxTransactions transactions) {
        this.transactions = transactions;
    }

    /** Of these process instances. */
    Set<Awaiting> ofInstances(Collection<String> instances) {
        List<String> all = List.copyOf(instances);
        Set<Awaiting> found = new LinkedHashSet<>();
        for (int from = 0; from < all.size(); from += INSTANCES) {
            List<String> some = all.subList(from, Math.min(from + INSTANCES, all.size()));
            found.addAll(awaited(transactions.call(session -> session.messages().variables(some))));
        }
        return found;
    }

    /** Of the start events of these process definitions. */
    Set<Awaiting> ofStarts(Collection<String> definitionIds) {
        return definitionIds.isEmpty()
                ? Set.of()
                : starts(transactions.call(session -> session.messages().startsOf(definitionIds)));
    }

    /**
     * Of the next page of all message subscriptions that could be delivered to; null when there is none, and the walk begins
     * anew. For the sweeping thread alone.
     *
     * @param variables names of those that count
     */
    @Nullable
    Set<Awaiting> nextPage(Collection<String> variables) {
        String from = after;
        String end = transactions.call(session -> session.messages().pageEnd(from, PAGE));
        begun = end != null;
        after = end == null ? BEGIN : end;
        if (end == null) {
            return null;
        }
        Set<Awaiting> found = new LinkedHashSet<>(
                awaited(transactions.call(session -> session.messages().variablesWithin(from, end, variables))));
        found.addAll(starts(transactions.call(session -> session.messages().startsWithin(from, end))));
        return found;
    }

    /** Whether the walk is somewhere between its begin and its end. */
    boolean hasBegun() {
        return begun;
    }

    private Set<Awaiting> starts(List<Start> starts) {
        return withRows(starts.stream().map(Start::awaiting).toList());
    }

    private Set<Awaiting> awaited(List<Variable> variables) {
        return withRows(variables.stream().map(Variable::awaiting).toList());
    }

    /** An instance has many variables, and few of them are what a row waits for. */
    private Set<Awaiting> withRows(List<Awaiting> candidates) {
        Map<String, Set<String>> byMessage = new LinkedHashMap<>();
        candidates.forEach(one -> byMessage
                .computeIfAbsent(one.messageName(), name -> new LinkedHashSet<>())
                .add(one.configuration()));
        Set<Awaiting> found = new LinkedHashSet<>();
        byMessage.forEach((name, configurations) -> {
            List<String> all = new ArrayList<>(configurations);
            for (int from = 0; from < all.size(); from += KEYS) {
                List<String> some = all.subList(from, Math.min(from + KEYS, all.size()));
                transactions
                        .call(session -> session.messages().awaited(name, some))
                        .forEach(configuration -> found.add(new Awaiting(name, configuration)));
            }
        });
        return found;
    }
}
