package io.github.flowablepubsub.server;

import io.grpc.Status;

/** An open call that waits for messages of a subscription. Its methods are called without the subscription's lock. */
interface Receiver {

    /** Whom the messages are leased to. */
    Lessee lessee();

    /** There may be messages, or room for them: look for some soon. */
    void wake();

    /** End the call with this status. */
    void terminate(Status status);

    /** Whether it is a streaming pull. */
    boolean isStream();
}
