package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.outcome.Outcome;
import java.util.Map;

/**
 * Does nothing with a message: what is left is the cost of the inbox itself.
 *
 * @param asDelivered says that it has moved a receiver, so that each message is committed by itself; else that it has moved
 *     nothing, which is done, too
 */
record Nothing(boolean asDelivered) implements Correlator {

    @Override
    public Outcome correlate(
            RegisteredChannel channel, byte[] body, Map<String, String> attributes, Progress progress) {
        progress.matched();
        return asDelivered ? new Outcome.Correlated() : new Outcome.UniqueInstanceExists();
    }

    @Override
    public boolean hasReceiver(RegisteredChannel channel, byte[] body, Map<String, String> attributes) {
        return true;
    }
}
