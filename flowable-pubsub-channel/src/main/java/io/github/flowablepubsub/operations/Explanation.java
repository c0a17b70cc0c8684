package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.channel.ChannelPolicy;
import io.github.flowablepubsub.channel.Order;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.Advice;
import io.github.flowablepubsub.inbox.HeldMapper.Mark;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why a message is where it is, in words. Only puts together what was read.
 *
 * @param message the message
 * @param channel its channel, null when this node does not know it
 * @param before what stands before it in its lane
 */
record Explanation(InboxMessage message, @Nullable RegisteredChannel channel, List<Mark> before) {

    /** The row that holds this one back, null when none does. */
    @Nullable
    Mark blocker() {
        boolean inQueue = message.state() == MessageState.OPEN || message.heldBack();
        return (inQueue ? before.stream() : Stream.<Mark>empty())
                .filter(this::holds)
                .min((a, b) -> a.before(b) ? -1 : 1)
                .orElse(null);
    }

    private boolean holds(Mark mark) {
        ChannelPolicy policy = channel == null ? null : channel.config().policy();
        boolean strict = policy != null && policy.order().by() == Order.By.STRICT;
        boolean parkedHolds = policy != null && policy.parking().laterMessagesWait();
        return switch (mark.state()) {
            case OPEN -> true;
            case WAITING -> strict || Objects.equals(mark.eventKey(), message.eventKey());
            default -> parkedHolds;
        };
    }

    /**
     * The sentences.
     *
     * @param blocking the row of {@link #blocker()}
     */
    List<String> sentences(@Nullable InboxMessage blocking) {
        List<String> sentences = new ArrayList<>();
        sentences.add("Message " + message.messageId() + " of channel " + message.channel() + " (row " + message.id()
                + ") was published at " + message.publishedAt() + ", received at " + message.receivedAt()
                + ", and is about event " + quoted(message.eventKey()) + " with key " + quoted(message.correlationKey())
                + ".");
        sentences.add("It is " + message.state() + (message.reason() == null ? "" : " as " + printed(message.reason()))
                + " after " + (message.attempts() == 1 ? "1 look-up." : message.attempts() + " look-ups."));
        switch (message.state()) {
            case OPEN -> open(blocking, sentences);
            case WAITING -> waiting(blocking, sentences);
            case PARKED -> parked(sentences);
            default -> finished(sentences);
        }
        if (message.finishedBy() != null && message.finishedAt() == null) {
            sentences.add(printed(message.finishedBy()) + " had a hand in it.");
        }
        error(sentences);
        if (channel == null) {
            sentences.add("This node knows no channel " + message.channel() + ": deploy it, or let a node that has it"
                    + " do the work.");
        }
        return sentences;
    }

    private void open(@Nullable InboxMessage blocking, List<String> sentences) {
        if (blocking != null) {
            sentences.add(behind(blocking) + " It goes first.");
            return;
        }
        OffsetDateTime next = message.nextAttempt();
        if (next != null && next.isAfter(message.now())) {
            sentences.add("It backs off: the next attempt is at " + next + "; failing since "
                    + Objects.requireNonNullElse(message.failedSince(), message.receivedAt())
                    + ". Mend the cause; retry it to have it tried at once.");
        } else {
            sentences.add(
                    "It is due since " + (next == null ? message.receivedAt() : next)
                            + ". A relay takes it next; if it stays, see whether any node relays (health, flowable.pubsub.relay.enabled).");
        }
    }

    private void waiting(@Nullable InboxMessage blocking, List<String> sentences) {
        if (message.heldBack()) {
            sentences.add(
                    blocking == null
                            ? "Nothing holds it back any more; a relay opens it within twelve sweep intervals."
                            : behind(blocking) + " It is opened when that one is finished: see to that one first.");
        } else if (is(Reason.SUSPENDED)) {
            sentences.add(
                    "Its receiver is suspended; activate it, and the message is delivered with that commit. It has no"
                            + " time to live.");
        } else {
            sentences.add("It waits for a subscription of event " + quoted(message.eventKey()) + " with key "
                    + quoted(message.correlationKey()) + ", and is delivered when one commits.");
            if (message.expiresAt() != null) {
                sentences.add("Its time to live ends at " + message.expiresAt() + "; after that it is parked, or"
                        + " discarded, as policy.parking says.");
            }
        }
        alarm(sentences);
    }

    private void alarm(List<String> sentences) {
        OffsetDateTime since = message.waitingSince();
        if (since == null) {
            return;
        }
        String waits = "It waits since " + since;
        if (message.alarmedAt() != null) {
            String job = message.jobId() == null
                    ? " It has no timer job."
                    : " Its timer job is " + message.jobId()
                            + ": moving it looks at the message now, deleting it discards.";
            sentences.add(
                    waits + ", and raised the alarm at " + message.alarmedAt() + " (policy.buffer.alarmAfter)." + job);
        } else if (channel != null) {
            Duration after =
                    channel.config().policy(message.eventKey()).buffer().alarmAfter();
            sentences.add(waits
                    + (after.isZero()
                            ? "; it raises no alarm (policy.buffer.alarmAfter)."
                            : "; the first look in vain after " + since.plus(after)
                                    + " raises the alarm (policy.buffer.alarmAfter)."));
        } else {
            sentences.add(waits + ".");
        }
    }

    private void parked(List<String> sentences) {
        sentences.add("It needs a human, and stays until one acts. " + Advice.of(message.reason())
                + " Then retry it" + (is(Reason.AMBIGUOUS) ? ", deliver it to the execution that it is meant for," : "")
                + " or discard it.");
        if (channel != null && channel.config().policy().parking().laterMessagesWait()) {
            sentences.add("Later messages of its key wait for it (policy.parking.laterMessages).");
        }
        sentences.add(
                message.jobId() == null
                        ? "It has no dead-letter job."
                        : "Its dead-letter job is " + message.jobId() + ": moving it retries, deleting it discards.");
    }

    private void finished(List<String> sentences) {
        String by = message.finishedBy() == null ? "" : " " + printed(message.finishedBy()) + " had a hand in it.";
        sentences.add("It was " + (message.state() == MessageState.DONE ? "delivered" : "discarded") + " at "
                + message.finishedAt() + "." + by + " There is nothing to do."
                + (message.cleared() ? " Its body was cleared." : ""));
    }

    private void error(List<String> sentences) {
        String error = message.error();
        if (error != null && message.state() != MessageState.DONE) {
            sentences.add(
                    Reason.errorMayQuote(message.reason())
                            ? "What happened may quote the message: see LAST_ERROR_ of row " + message.id() + "."
                            : "What happened last: " + Keys.printable(error) + ".");
        }
    }

    private static String behind(InboxMessage blocking) {
        return "It is behind row " + blocking.id() + " (message " + blocking.messageId() + ", event "
                + quoted(blocking.eventKey()) + ") of the same key, which is older and is " + blocking.state()
                + (blocking.reason() == null ? "" : " as " + printed(blocking.reason())) + ".";
    }

    private boolean is(Reason reason) {
        return reason.name().equals(message.reason());
    }

    private static String quoted(@Nullable String value) {
        return value == null ? "unknown" : printed(value);
    }

    private static String printed(String value) {
        return Keys.printable(value);
    }
}
