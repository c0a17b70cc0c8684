package io.github.flowablepubsub.inbox;

import org.flowable.common.engine.api.FlowableException;

/** Carries a failure out of the engine's command without the engine logging it; the cause is what counts. */
final class StatementFailedException extends FlowableException {

    private static final long serialVersionUID = 1L;

    StatementFailedException(RuntimeException cause) {
        super(String.valueOf(cause.getMessage()), cause);
        setLogged(false);
    }
}
