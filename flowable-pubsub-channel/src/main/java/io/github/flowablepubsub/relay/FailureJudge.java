package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.correlation.StartLockedException;
import io.github.flowablepubsub.correlation.SubscriptionGoneException;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.FailureKind;
import org.flowable.common.engine.api.FlowableObjectNotFoundException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What kind a failure is: the plugin's own signals first, then the app's classifier, then the table. Thread safe. */
final class FailureJudge {

    private static final Logger log = LoggerFactory.getLogger(FailureJudge.class);

    private final FailureClassifier classifier;

    FailureJudge(FailureClassifier classifier) {
        this.classifier = classifier;
    }

    FailureKind kind(Throwable failure) {
        if (failure instanceof RowChangedException) {
            return FailureKind.RACE;
        }
        if (failure instanceof StartLockedException) {
            return FailureKind.INFRASTRUCTURE;
        }
        FailureKind kind = asked(failure);
        return kind == null ? DatabaseFailures.kind(failure) : kind;
    }

    /** A classifier that fails must not stop the message (R7). */
    private @Nullable FailureKind asked(Throwable failure) {
        try {
            return classifier.classify(failure);
        } catch (RuntimeException | Error e) {
            log.warn(
                    "The failure classifier {} failed; the standard rules judge {}. Mend the classifier.",
                    classifier.getClass().getName(),
                    failure.getClass().getName(),
                    e);
            return null;
        }
    }

    /** Whether another look may find that the receiver has moved, or that it goes well: worth a try at once. */
    boolean isRace(Throwable failure) {
        return failure instanceof SubscriptionGoneException
                || failure instanceof FlowableObjectNotFoundException
                || kind(failure) == FailureKind.RACE;
    }
}
