package io.github.flowablepubsub.relay;

import org.flowable.common.engine.api.FlowableException;

/** Rolls everything back that was done for a message without a row, as it can't be delivered. */
final class RolledBackException extends FlowableException {

    private static final long serialVersionUID = 1L;

    private final transient DirectResult result;

    RolledBackException(DirectResult result) {
        super("The message can't be delivered now");
        this.result = result;
        setLogged(false);
    }

    DirectResult result() {
        return result;
    }
}
