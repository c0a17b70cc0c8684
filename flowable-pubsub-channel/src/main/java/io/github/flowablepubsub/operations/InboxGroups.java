package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.inbox.InboxGroup;
import io.github.flowablepubsub.inbox.MessageState;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Unfinished messages by channel, state and reason.
 *
 * @param groups the largest first
 * @param complete false when a state has more than {@value #LIMIT} messages, of which only so many were counted
 */
public record InboxGroups(List<InboxGroup> groups, boolean complete) {

    /** Of each state no more messages are counted. */
    public static final int LIMIT = 100_000;

    /** Takes a copy. */
    public InboxGroups {
        groups = List.copyOf(groups);
    }

    static InboxGroups of(List<InboxGroup> found) {
        boolean complete = found.stream()
                .collect(Collectors.groupingBy(InboxGroup::state, Collectors.summingLong(InboxGroup::messages)))
                .values()
                .stream()
                .allMatch(count -> count < LIMIT);
        return new InboxGroups(
                found.stream()
                        .sorted((a, b) -> Long.compare(b.messages(), a.messages()))
                        .toList(),
                complete);
    }

    /** Messages in this state. */
    public long in(MessageState state) {
        return groups.stream()
                .filter(group -> group.state() == state)
                .mapToLong(InboxGroup::messages)
                .sum();
    }
}
