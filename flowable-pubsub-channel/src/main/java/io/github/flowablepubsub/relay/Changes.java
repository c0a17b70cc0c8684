package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what was committed: logs what an operator must see, publishes, measures, and tells the listener. Never the payload. */
final class Changes {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private final RelayListener next;
    private final EventPublisher events;

    Changes(RelayListener next, EventPublisher events) {
        this.next = next;
        this.events = events;
    }

    /** What parsers and processes say can quote the body: only the row has it. */
    private static String detail(RowChange change) {
        return change.reason() == Reason.UNREADABLE || change.reason() == Reason.PROCESS_FAILED
                ? "see LAST_ERROR_ of the row"
                : Keys.printable(change.error());
    }

    /**
     * A row was changed.
     *
     * @param took from the beginning of the work on its lane to the commit
     */
    void changed(InboxRow row, RowChange change, Duration took) {
        log(row, change);
        publish(row, change, took);
        try {
            next.changed(row, change);
        } catch (RuntimeException e) {
            log.warn("A listener failed on a message that is {} ({})", change.state(), row.describe(), e);
        }
    }

    /** A message without a row was nacked. */
    void rejected(ChannelId channel, Reason reason) {
        events.measure(measures -> measures.rejected(channel, reason));
    }

    /** A message without a row was acked as a duplicate, though its body was another one. */
    void conflict(ChannelId channel) {
        events.measure(measures -> measures.conflicts(channel, 1));
    }

    private void publish(InboxRow row, RowChange change, Duration took) {
        InboxEvent.Message message = InboxEvent.Message.of(row);
        switch (change.state()) {
            case DONE -> {
                Duration delay = Duration.between(row.publishedAt(), row.now()).plus(took);
                events.measure(measures ->
                        measures.correlated(message.channel(), took, delay.isNegative() ? Duration.ZERO : delay));
                events.publish(new InboxEvent.Delivered(message, change.reason()));
            }
            case PARKED -> events.publish(new InboxEvent.Parked(message, Objects.requireNonNull(change.reason())));
            case DISCARDED -> events.publish(new InboxEvent.Discarded(message, change.reason(), null));
            case OPEN -> {
                if (isFailure(change)) {
                    events.publish(new InboxEvent.DeliveryFailed(
                            message,
                            Objects.requireNonNull(change.reason()),
                            row.attempts() + 1,
                            change.nextAttempt()));
                }
            }
            case WAITING -> {
                if (change.alarm()) {
                    events.publish(new InboxEvent.Alarmed(
                            message,
                            Objects.requireNonNull(change.reason()),
                            Objects.requireNonNull(change.waiting()).since(),
                            change.expiresAt()));
                }
            }
        }
    }

    private static boolean isFailure(RowChange change) {
        return change.reason() == Reason.PROCESS_FAILED || change.reason() == Reason.INFRASTRUCTURE_FAILED;
    }

    private static void logAlarm(InboxRow row, RowChange change) {
        boolean suspended = change.reason() == Reason.SUSPENDED;
        log.warn(
                "Message waits since {}, and goes on until {}, as {} ({}, event {}, key {}, attempt {}): {}. {}, and it is"
                        + " delivered; {}set the row's STATE_ to DISCARDED to drop it.",
                Objects.requireNonNull(change.waiting()).since(),
                suspended ? "its receiver is activated" : change.expiresAt(),
                change.reason(),
                row.describe(),
                Keys.printable(row.eventKey()),
                Keys.printable(row.correlationKey()),
                row.attempts() + 1,
                detail(change),
                suspended ? "Activate the receiver" : "See why nothing waits for it; start or mend what should",
                change.jobId() == null ? "or " : "move its timer job to look again now; delete that job or ");
    }

    private static void log(InboxRow row, RowChange change) {
        if (change.state() == MessageState.PARKED) {
            log.warn(
                    "Message parked as {} ({}, event {}, key {}, attempt {}): {}. Mend the cause, then {}set the row's"
                            + " STATE_ to OPEN with ATTEMPTS_ 0.",
                    change.reason(),
                    row.describe(),
                    Keys.printable(row.eventKey()),
                    Keys.printable(row.correlationKey()),
                    row.attempts() + 1,
                    detail(change),
                    change.jobId() == null ? "" : "move its dead-letter job, or ");
        } else if (change.alarm()) {
            logAlarm(row, change);
        } else if (isFailure(change)) {
            log.warn(
                    "Message not delivered, {} ({}, attempt {}), next attempt at {}: {}",
                    change.reason(),
                    row.describe(),
                    row.attempts() + 1,
                    change.nextAttempt(),
                    detail(change));
        } else {
            log.debug("Message {} {} ({})", change.state(), change.reason(), row.describe());
        }
    }
}
