package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.Incoming;
import io.github.flowablepubsub.outcome.Outcome;
import java.util.List;

/**
 * Correlates one message within the running engine command. Everything that it does is committed or rolled back with that
 * command.
 */
public interface Correlator {

    /** Told when receivers were found, so that a failure after it is known to come from delivery. */
    @FunctionalInterface
    interface Progress {
        /** The look-up is over, delivery begins. */
        void matched();
    }

    /**
     * Looks up and delivers.
     *
     * @return what happened; nothing was changed unless it is {@link Outcome.Correlated}
     * @throws RuntimeException when delivery failed: let it out of the command, half of its effects are in it
     */
    Outcome correlate(RegisteredChannel channel, Incoming message, Progress progress);

    /**
     * What is known of the key of a message that nobody took: a sentence for each thing found, empty when there is nothing.
     * Only looks, at what costs little.
     */
    List<String> known(RegisteredChannel channel, Incoming message);

    /**
     * Delivers to one receiver that a person has chosen, whatever the channel's cardinality and whoever else waits.
     *
     * @param receiver id of its execution or process instance; in cases of its plan item instance or case instance
     * @throws NotReceivingException when it does not wait for this message; nothing was changed then
     * @throws RuntimeException when delivery failed: let it out of the command, half of its effects are in it
     */
    void deliverTo(RegisteredChannel channel, Incoming message, String receiver);

    /** Whether receivers are there now: only looks, delivers nothing. */
    Readiness look(RegisteredChannel channel, Incoming message);
}
