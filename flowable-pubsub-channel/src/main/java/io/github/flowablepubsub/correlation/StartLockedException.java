package io.github.flowablepubsub.correlation;

import org.flowable.common.engine.api.FlowableException;

/** Another thread or node holds the engine's lock for this unique start. The engine would drop the event; we retry. */
public final class StartLockedException extends FlowableException {

    private static final long serialVersionUID = 1L;

    /** With what is locked. */
    public StartLockedException(String message) {
        super(message);
        setLogged(false);
    }
}
