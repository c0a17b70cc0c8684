package io.github.flowablepubsub.inbox;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a row is in its state; stored in {@code REASON_}. */
public enum Reason {
    /** No subscription matches, until its time to live ends. */
    NO_MATCH,
    /** A receiver, or the process definition of a start, is suspended; woken by its activation. */
    SUSPENDED,
    /**
     * Waits behind an older message of the same order key that waits (of the same event, with strict order of any), or that is
     * parked where later messages wait; not looked up while it is held back.
     */
    HELD_BACK,
    /** More receivers than the cardinality allows. */
    AMBIGUOUS,
    /** The subscription that was found vanished before delivery, and no other is there. */
    SUBSCRIPTION_GONE,
    /** Body or event key can't be read. */
    UNREADABLE,
    /** The registry knows no event definition of this key (yet). */
    NO_EVENT_DEFINITION,
    /** A correlation parameter is absent, null or blank, and what is left matches nothing. */
    NO_CORRELATION_VALUE,
    /** The same business key as an earlier message, but another body. */
    DUPLICATE_CONFLICT,
    /** Flowable's unique start: an instance with this correlation exists already. */
    UNIQUE_INSTANCE_EXISTS,
    /** The channel's event filter dropped it. */
    FILTERED,
    /** The process's own code threw; everything was rolled back. */
    PROCESS_FAILED,
    /** Database, connection, lock or optimistic locking; retried without limit. */
    INFRASTRUCTURE_FAILED,
    /** An operator took it out of the way. */
    PARKED_BY_OPERATOR;

    /** What is told with them is the plugin's own, or the database's, and takes the place of what was told before. */
    private static final Set<Reason> OWN_WORDS = EnumSet.of(
            NO_MATCH,
            SUSPENDED,
            AMBIGUOUS,
            SUBSCRIPTION_GONE,
            NO_EVENT_DEFINITION,
            NO_CORRELATION_VALUE,
            DUPLICATE_CONFLICT,
            INFRASTRUCTURE_FAILED,
            PARKED_BY_OPERATOR);

    /**
     * Whether what is told of a message with this reason ({@code LAST_ERROR_}) may quote its body: parsers and processes do, and what
     * they said stays when the row goes on without an error of its own.
     *
     * @param reason as stored; null for a row without
     */
    public static boolean errorMayQuote(@Nullable String reason) {
        return OWN_WORDS.stream().noneMatch(own -> own.name().equals(reason));
    }
}
