package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.correlation.Readiness;
import io.github.flowablepubsub.events.Tracing;
import io.github.flowablepubsub.inbox.Incoming;
import io.github.flowablepubsub.outcome.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A correlator whose work is part of the publisher's trace. */
public record TracedCorrelator(Correlator correlator, Tracing tracing) implements Correlator {

    @Override
    public Outcome correlate(RegisteredChannel channel, Incoming message, Progress progress) {
        return tracing.correlate(
                channel.id(),
                message.messageId(),
                message.attributes(),
                () -> correlator.correlate(channel, message, progress));
    }

    @Override
    public List<String> known(RegisteredChannel channel, Incoming message) {
        return correlator.known(channel, message);
    }

    @Override
    public void deliverTo(RegisteredChannel channel, Incoming message, String receiver) {
        @Nullable
        Void unused = tracing.<@Nullable Void>correlate(channel.id(), message.messageId(), message.attributes(), () -> {
            correlator.deliverTo(channel, message, receiver);
            return null;
        });
    }

    @Override
    public Readiness look(RegisteredChannel channel, Incoming message) {
        return correlator.look(channel, message);
    }
}
