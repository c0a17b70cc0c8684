package io.github.flowablepubsub.events;

import java.util.List;

/**
 * Who hears what the plugin does on this node.
 *
 * @param listeners of events, in this order; the engine's own dispatcher comes before them
 * @param measures of numbers
 * @param tracing takes part in the correlation of messages
 */
public record Observers(List<InboxListener> listeners, Measures measures, Tracing tracing) {

    /** Nobody but the engine's dispatcher. */
    public static final Observers NONE = new Observers(List.of(), Measures.NONE);

    /** Copies the list. */
    public Observers {
        listeners = List.copyOf(listeners);
    }

    /** Without tracing. */
    public Observers(List<InboxListener> listeners, Measures measures) {
        this(listeners, measures, Tracing.NONE);
    }

    /** One listener. */
    public static Observers listener(InboxListener listener) {
        return new Observers(List.of(listener), Measures.NONE);
    }
}
