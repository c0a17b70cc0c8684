package io.github.flowablepubsub.events;

/** Hears of events. */
@FunctionalInterface
public interface InboxListener {

    /**
     * Something has happened. Runs after the commit, outside of any transaction, on a thread of its own that all listeners of the
     * engine share, in the order in which this node's threads told of it: one that blocks keeps back other listeners, and no
     * message. With more than 10,000 events behind it, and when the process dies, events are lost: what must not be missed is in
     * the table. An exception is logged and changes nothing.
     */
    void on(InboxEvent event);
}
