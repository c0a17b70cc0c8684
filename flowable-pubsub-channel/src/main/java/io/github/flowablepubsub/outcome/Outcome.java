package io.github.flowablepubsub.outcome;

import io.github.flowablepubsub.inbox.Awaited;
import io.github.flowablepubsub.inbox.Reason;
import org.jspecify.annotations.Nullable;

/** What happened when a message was correlated. */
public sealed interface Outcome {

    /** Every receiver that the cardinality allows was moved. */
    record Correlated() implements Outcome {}

    /** A unique start, and an instance with this correlation exists already. */
    record UniqueInstanceExists() implements Outcome {}

    /** The channel's filter dropped it. */
    record Filtered() implements Outcome {}

    /**
     * No subscription matches.
     *
     * @param awaited what one that matches would be known by
     */
    record NoMatch(Awaited awaited) implements Outcome {}

    /**
     * A receiver, or the process definition of a start, is suspended; nobody gets it before all can.
     *
     * @param awaited as in {@link NoMatch}
     * @param detail who is suspended
     */
    record Suspended(Awaited awaited, String detail) implements Outcome {}

    /** Its time to live is over; not looked up again. */
    record Expired(Reason reason, @Nullable String eventKey) implements Outcome {}

    /** The registry has no definition of this event (yet). */
    record UnknownEvent(String eventKey) implements Outcome {}

    /** More receivers than the cardinality allows; the detail names them. */
    record Ambiguous(String detail) implements Outcome {}

    /** A subscription had matched, was gone at delivery, and nothing else matches. */
    record SubscriptionGone(String detail) implements Outcome {}

    /** Body or event key can't be read. */
    record Unreadable(String error) implements Outcome {}

    /** A correlation parameter has no value, and what is left matches nothing. */
    record NoCorrelationValue(String detail) implements Outcome {}

    /** The process's own code threw; everything was rolled back. */
    record ProcessFailed(String error) implements Outcome {}

    /** Database, connection, lock or optimistic locking; everything was rolled back. */
    record InfrastructureFailed(String error) implements Outcome {}
}
