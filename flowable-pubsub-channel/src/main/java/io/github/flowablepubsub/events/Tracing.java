package io.github.flowablepubsub.events;

import io.github.flowablepubsub.inbox.ChannelId;
import java.util.Map;
import java.util.function.Supplier;

/** Puts the correlation of a message into the trace of its publisher. */
@FunctionalInterface
public interface Tracing {

    /** Traces nothing. */
    Tracing NONE = new Tracing() {
        @Override
        public <T> T correlate(ChannelId channel, String messageId, Map<String, String> attributes, Supplier<T> work) {
            return work.get();
        }
    };

    /**
     * A message is looked up and delivered: by the work, which has to run once, on this thread and within the transaction. What
     * is current meanwhile is so for the steps of the process that the message moves. The commit comes later.
     *
     * @param attributes Pub/Sub's, among them what the publisher's tracing has put there
     * @return what the work returns; its exceptions come out
     */
    <T> T correlate(ChannelId channel, String messageId, Map<String, String> attributes, Supplier<T> work);
}
