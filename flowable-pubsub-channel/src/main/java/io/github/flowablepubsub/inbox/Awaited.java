package io.github.flowablepubsub.inbox;

import java.util.Set;

/**
 * What a row waits for, so that a subscription that comes finds it.
 *
 * @param description in words, such as {@code event orderDone}
 * @param key the event's key, or the name of a BPMN message
 * @param configurations what a subscription that matches is known by: its configuration, {@link #ANY} for one that has none,
 *     or a key of {@link MessageMatch}
 */
public record Awaited(String description, String key, Set<String> configurations) {

    /** What a subscription without correlation is known by: it takes every message of the event. */
    public static final String ANY = "*";

    /** Takes a copy. */
    public Awaited {
        configurations = Set.copyOf(configurations);
    }
}
