package io.github.flowablepubsub.inbox;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What to mend before a parked message is tried again, by its reason: for people who may not know this plugin. */
public final class Advice {

    private Advice() {}

    /**
     * A sentence, or some. Whether it is then tried again or discarded, and how, is for the caller to add.
     *
     * @param name as stored; plain SQL may have written anything
     */
    public static String of(@Nullable String name) {
        return Stream.of(Reason.values())
                .filter(known -> known.name().equals(name))
                .map(Advice::of)
                .findFirst()
                .orElseGet(() -> "Its reason is unknown to this version"
                        + (name == null ? "" : " (" + Keys.printable(name) + ")")
                        + ". Find out who parked it, and why.");
    }

    private static String of(Reason reason) {
        return switch (reason) {
            case AMBIGUOUS ->
                "More tokens or instances wait for this message than may have it. Remove all but one of those that are"
                        + " named: a token left by a repair, a second instance of the same case.";
            case NO_MATCH ->
                "Nobody waited for this message in time. See whether its instance ended, never started, or has"
                        + " another key, and bring it to where it waits for the message; tried again before that, the message"
                        + " waits once more.";
            case SUBSCRIPTION_GONE ->
                "Whoever waited for this message had gone on when it was delivered. See where the process"
                        + " is now, and whether it still needs the message.";
            case UNREADABLE ->
                "The message can't be read. Mend the publisher, the channel or the event definition; what the"
                        + " publisher sends again comes as a new message.";
            case NO_EVENT_DEFINITION -> "Nothing is deployed for this event. Deploy its event definition.";
            case NO_CORRELATION_VALUE ->
                "The message does not say which process it is for. Mend the publisher and have it send"
                        + " the message again, as a new one; this one can be discarded.";
            case DUPLICATE_CONFLICT ->
                "An earlier message has the same business key and another content. Compare the two. Tried again,"
                        + " this one is delivered as well.";
            case PROCESS_FAILED ->
                "The process took the message and failed, again and again; all was rolled back. Mend the"
                        + " process or what it calls.";
            case PARKED_BY_OPERATOR -> "A person took it out of the way. Ask whether its time has come.";
            default -> "It is parked as " + reason + ". See what is known of it.";
        };
    }
}
