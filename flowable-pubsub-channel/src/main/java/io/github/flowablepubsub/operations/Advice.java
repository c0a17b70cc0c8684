package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.Reason;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What to do about a parked message. */
final class Advice {

    private Advice() {}

    /** A sentence, or some. */
    static String of(@Nullable String name) {
        Reason reason = Stream.of(Reason.values())
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElse(null);
        if (reason == null) {
            return "Its reason is unknown to this version"
                    + (name == null ? "" : " (" + Keys.printable(name) + ")")
                    + ": retry it to have it looked at, or discard it.";
        }
        return switch (reason) {
            case NO_MATCH ->
                "Nobody waited for it in time. See whether its instance ended, never started, or has another key;"
                        + " then retry it, or discard it.";
            case AMBIGUOUS ->
                "Several receivers of one definition waited. Remove all but one and retry it, or deliver it to"
                        + " the execution that it is meant for.";
            case SUBSCRIPTION_GONE ->
                "Its receiver vanished at delivery. See where the instance is; retry it if that waits" + " again.";
            case UNREADABLE ->
                "Body or event key can't be read. Mend the channel and retry it, or have the publisher send a"
                        + " good one and discard it.";
            case NO_EVENT_DEFINITION -> "The registry had no such event. Deploy it, then retry.";
            case NO_CORRELATION_VALUE ->
                "A correlation parameter has no value. The publisher must send it again; discard" + " this one.";
            case DUPLICATE_CONFLICT ->
                "An earlier message has the same business key but another body. Compare the two; retry"
                        + " to have this one delivered as well, or discard it.";
            case PROCESS_FAILED -> "The process's own code failed for too long. Mend the process, then retry.";
            case PARKED_BY_OPERATOR -> "A person took it out of the way; retry it when its time has come.";
            default -> "Retry it to have it looked at, or discard it.";
        };
    }
}
