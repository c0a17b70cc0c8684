package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.FailureKind;
import org.jspecify.annotations.Nullable;

/**
 * Tells what kind of failure a delivery came to. An app can have its own, by {@code PubSubSettings} or as a Spring bean, for
 * instance to retry without limit while a service is away that its processes call. Asked on relay threads, several at once,
 * after everything was rolled back and outside any transaction; it must not block.
 */
@FunctionalInterface
public interface FailureClassifier {

    /**
     * Judges. An exception out of it is logged, and {@link #standard()} decides.
     *
     * @param failure as it came out of the engine's command: look along its causes, Flowable wraps them
     * @return null to leave it to {@link #standard()}
     */
    @Nullable
    FailureKind classify(Throwable failure);

    /** The table in {@code docs/failures.md}. */
    static FailureClassifier standard() {
        return DatabaseFailures::kind;
    }
}
