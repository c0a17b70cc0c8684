package io.github.flowablepubsub.correlation;

import org.flowable.common.engine.api.FlowableException;

/** The receiver moved on between look-up and delivery. Rolls back; the message is looked up again. */
public final class SubscriptionGoneException extends FlowableException {

    private static final long serialVersionUID = 1L;

    /** With what is gone. */
    public SubscriptionGoneException(String message) {
        super(message);
        setLogged(false); // expected under concurrency, and handled
    }
}
