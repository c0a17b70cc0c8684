package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.correlation.Readiness;
import io.github.flowablepubsub.inbox.Incoming;
import io.github.flowablepubsub.outcome.Outcome;
import java.util.List;

/**
 * Does nothing with a message: what is left is the cost of the inbox itself.
 *
 * @param asDelivered says that a receiver was found and moved, so that each message is the last of its transaction; else that
 *     the channel's filter drops the message, which moves nothing: such messages share transactions
 */
record Nothing(boolean asDelivered) implements Correlator {

    @Override
    public Outcome correlate(RegisteredChannel channel, Incoming message, Progress progress) {
        if (!asDelivered) {
            return new Outcome.Filtered();
        }
        progress.matched();
        return new Outcome.Correlated();
    }

    @Override
    public void deliverTo(RegisteredChannel channel, Incoming message, String receiver) {
        throw new UnsupportedOperationException("There is nobody to choose");
    }

    @Override
    public List<String> known(RegisteredChannel channel, Incoming message) {
        return List.of();
    }

    @Override
    public Readiness look(RegisteredChannel channel, Incoming message) {
        return Readiness.READY;
    }
}
