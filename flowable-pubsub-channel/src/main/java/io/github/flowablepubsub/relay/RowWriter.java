package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.BufferPolicy;
import io.github.flowablepubsub.channel.ChannelPolicy;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.channel.TimeToLive;
import io.github.flowablepubsub.inbox.Attributes;
import io.github.flowablepubsub.inbox.Awaited;
import io.github.flowablepubsub.inbox.DueMapper;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.mirror.Mirrors;
import io.github.flowablepubsub.outcome.Decision;
import io.github.flowablepubsub.outcome.Outcome;
import io.github.flowablepubsub.outcome.RowFacts;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what was decided about a row, under its lane's lock and in the transaction of the correlation. */
final class RowWriter {

    private static final Logger log = LoggerFactory.getLogger(RowWriter.class);

    private RowWriter() {}

    /**
     * Decides and writes.
     *
     * @param hold what the row held back when it was read
     * @param known what is known of its key, asked only for a message that nobody took
     * @param taken the row is {@code DONE} already, see {@link ReadAhead}: there is nothing to write if that is what it is
     * @param mirrors make and remove the row's job in the same transaction
     * @throws RowChangedException when the row is not as it was read
     */
    static RowChange write(
            InboxSession session,
            InboxRow row,
            Outcome outcome,
            RegisteredChannel channel,
            Supplier<String> known,
            Hold hold,
            boolean taken,
            Mirrors mirrors) {
        ChannelPolicy policy = channel.config().policy(row.eventKey());
        RowChange change = Mirrors.plan(row, decide(row, outcome, channel, known), policy);
        logNote(row, change, policy.buffer());
        write(session, row, outcome, change, hold, taken);
        mirrors.follow(session, row, change);
        return change;
    }

    /** What becomes of the row. */
    static RowChange decide(InboxRow row, Outcome outcome, RegisteredChannel channel, Supplier<String> known) {
        ChannelPolicy policy = channel.config().policy(row.eventKey());
        RowFacts facts = new RowFacts(
                row.attempts(),
                row.expiresAt(),
                row.waiting(),
                row.failedSince(),
                row.now(),
                ThreadLocalRandom.current().nextDouble(),
                timeToLive(row, policy.buffer()),
                known);
        return Decision.decide(outcome, facts, policy);
    }

    /** Writes what was decided, see the other one. */
    static RowChange write(
            InboxSession session, InboxRow row, Outcome outcome, RowChange change, Hold hold, boolean taken) {
        MessageState.OPEN.requireSuccessor(change.state(), row.id());
        if (outcome instanceof Outcome.NoMatch noMatch && change.state() == MessageState.WAITING) {
            remember(session, row, noMatch.awaited());
        } else if (outcome instanceof Outcome.UnknownEvent unknown && change.state() == MessageState.WAITING) {
            String event = unknown.eventKey();
            remember(
                    session,
                    row,
                    new Awaited("event " + event, event, Set.of(Awaited.ANY, DueMapper.ANY_CONFIGURATION)));
        } else if (outcome instanceof Outcome.Suspended suspended) {
            remember(session, row, suspended.awaited());
        } else if (row.hasWaited()) {
            session.due().removeMatchKeys(row.id());
        }
        hold.release(row, change);
        if (taken && outcome instanceof Outcome.Correlated) {
            return change;
        }
        // Last, so that the row is locked no longer than needed.
        int changed = taken
                ? session.lanes().changeTaken(row.id(), row.attempts(), change)
                : session.lanes().change(row.id(), row.attempts(), change);
        if (changed != 1) {
            throw new RowChangedException(row);
        }
        return change;
    }

    /** So that a subscription, new or activated, finds the row. */
    private static void remember(InboxSession session, InboxRow row, Awaited awaited) {
        session.due().removeMatchKeys(row.id());
        session.due().addMatchKeys(row.id(), Keys.column(awaited.key()), awaited.configurations());
    }

    private static TimeToLive timeToLive(InboxRow row, BufferPolicy buffer) {
        if (buffer.timeToLiveAttribute() == null) {
            return buffer.of(Map.of());
        }
        try {
            return buffer.of(Attributes.fromJson(row.attributes()));
        } catch (RuntimeException e) { // mended by hand: it must not keep the row from being parked
            return new TimeToLive(buffer.timeToLive(), "its attributes can't be read");
        }
    }

    /** A message's own that does not count is in the row for as long as it waits; the log has it once. */
    private static void logNote(InboxRow row, RowChange change, BufferPolicy buffer) {
        if (change.state() != MessageState.WAITING || change.expiresAt() == null || row.expiresAt() != null) {
            return;
        }
        TimeToLive timeToLive = timeToLive(row, buffer);
        if (timeToLive.note() != null) {
            log.warn(
                    "Message waits for the channel's time to live of {} ({}): {}",
                    timeToLive.duration(),
                    row.describe(),
                    Keys.printable(timeToLive.note()));
        }
    }

    /** When to look at the lane again after this change. */
    static Next next(InboxRow row, RowChange change, Hold hold) {
        if (change.state() == MessageState.OPEN && change.nextAttempt() != null) {
            return Next.in(Duration.between(row.now(), change.nextAttempt()));
        }
        return Next.again(row.more() || hold.goesOn(row, change));
    }
}
