package io.github.flowablepubsub.channel;

import java.util.List;
import org.flowable.eventregistry.api.runtime.EventInstance;

/** What came out of reading a message through the channel's inbound pipeline. */
public sealed interface Reading {

    /** The events in it, at least one. */
    record Events(List<EventInstance> events) implements Reading {}

    /** The channel's filter dropped it. */
    record Filtered() implements Reading {}

    /** The registry has no definition of this event (yet). */
    record UnknownEvent(String eventKey) implements Reading {}

    /** Body or event key can't be read. */
    record Unreadable(String error) implements Reading {}
}
