package io.github.flowablepubsub.servertest;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** What the parts of the contract share: the service under test, and what is known to be wrong with it. */
interface Contract {

    /** Documented behaviour that a service under test is known not to have. */
    enum Gap {
        /** After a nack of an ordered message its successors are not delivered again. */
        SUCCESSORS_NOT_REDELIVERED,
        /** After a nack of an ordered message its successors are delivered before it. */
        NACKED_MESSAGE_NOT_FIRST,
        /** The first nack of a message is followed by its redelivery at once in spite of a retry policy. */
        FIRST_RETRY_NOT_DELAYED,
        /** With exactly-once delivery, acks on a stream are not confirmed on it. */
        STREAM_DOES_NOT_CONFIRM,
        /** What a seek to a later time has acked is gone even where acked messages are retained. */
        SEEK_DROPS_WHAT_IT_ACKS,
        /** The client's keep-alive on an idle stream is not answered. */
        KEEP_ALIVE_NOT_ANSWERED
    }

    /** {@code HOST:PORT} of the service. */
    String endpoint();

    /** What it is known not to do. */
    default Set<Gap> gaps() {
        return Set.of();
    }

    default void assumeWithout(Gap gap) {
        assumeFalse(gaps().contains(gap), () -> "known gap of this service: " + gap);
    }

    static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }
}
