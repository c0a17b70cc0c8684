package io.github.flowablepubsub.correlation;

import org.flowable.common.engine.api.FlowableException;

/** Whom a person has chosen does not wait for the message, or not alone: nothing is delivered, everything is rolled back. */
public final class NotReceivingException extends FlowableException {

    private static final long serialVersionUID = 1L;

    NotReceivingException(String why) {
        super(why);
        setLogged(false);
    }
}
