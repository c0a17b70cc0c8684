package io.github.flowablepubsub.inbox;

import org.flowable.common.engine.api.FlowableException;

/** A hook of the app failed. Rolls back; judged and logged by who called it. */
public final class HookFailedException extends FlowableException {

    private static final long serialVersionUID = 1L;

    HookFailedException(String message, Throwable cause) {
        super(message, cause);
        setLogged(false);
    }

    /** Whether a hook is at the bottom of a failure. */
    public static boolean isCauseOf(Throwable failure) {
        for (Throwable link : CauseChain.of(failure)) {
            if (link instanceof HookFailedException) {
                return true;
            }
        }
        return false;
    }
}
