package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.mirror.Mirrors;
import io.github.flowablepubsub.outcome.Outcome;
import io.github.flowablepubsub.relay.DirectResult.Busy;
import io.github.flowablepubsub.relay.DirectResult.Rejected;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Correlates a message that has no row yet: lane lock, row, correlation and {@code DONE} are one transaction, or nothing of it
 * is left (rules R2, R4). The same lock, look-up and decision as for stored messages. A pass without threads. Thread safe.
 */
final class DirectWork {

    private static final Logger log = LoggerFactory.getLogger(DirectWork.class);

    private static final Duration BEHIND_ANOTHER = Duration.ofMillis(50);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

    private final InboxTransactions transactions;
    private final ChannelRegistry channels;
    private final Correlator correlator;
    private final FailureRecord failures;
    private final MessageStore store;
    private final FailureJudge judge;

    DirectWork(
            InboxTransactions transactions,
            ChannelRegistry channels,
            Correlator correlator,
            FailureJudge judge,
            MessageStore store,
            Mirrors mirrors) {
        this.judge = judge;
        this.transactions = transactions;
        this.channels = channels;
        this.correlator = correlator;
        this.failures = new FailureRecord(transactions, correlator, judge, mirrors);
        this.store = store;
    }

    /** One message; never throws. */
    DirectResult run(NewMessage message) {
        RegisteredChannel channel = channels.find(message.lane().channel()).orElse(null);
        if (channel == null) {
            return new DirectResult.Unknown();
        }
        Attempt attempt = new Attempt(channel, Set.of());
        for (int tries = 1; ; tries++) {
            try {
                return transactions.call(session -> step(session, message, attempt));
            } catch (RolledBackException e) {
                return e.result();
            } catch (RuntimeException | Error failure) {
                boolean again = judge.isRace(failure) || isCollision(attempt, failure);
                if (!again || tries >= LaneWork.MAX_TRIES) {
                    return judge(attempt, failure);
                }
            }
        }
    }

    /** Another node made the lane's lock row, or stored the same message, at the same moment. */
    private static boolean isCollision(Attempt attempt, Throwable failure) {
        return attempt.row() == null && DatabaseFailures.isDuplicateKey(failure);
    }

    private DirectResult step(InboxSession session, NewMessage received, Attempt attempt) {
        attempt.begin();
        MessageStore.Looked looked = MessageStore.look(session, received);
        NewMessage message = looked.message();
        if (looked.known()) {
            return new DirectResult.Duplicate(message.messageId(), false);
        }
        if (!lock(session, message)) {
            return behind("another message of its key is in work", true);
        }
        Hold hold = Hold.read(session, message.lane(), attempt.channel());
        MessageStore.Repeated repeated = MessageStore.claim(
                session, message, attempt.channel().config().policy().dedupRule());
        if (repeated != null) {
            return repeated(message, repeated, attempt.channel());
        }
        store.insert(session, message);
        InboxRow row = session.lanes().oldestOpen(message.lane());
        if (row == null || !row.messageId().equals(message.messageId())) {
            boolean soon = row != null && row.due();
            throw new RolledBackException(behind("an older message of its key is open in the inbox", soon));
        }
        attempt.row(row);
        if (hold.instead(row) != null) {
            throw new RolledBackException(behind("an older message that holds it back waits in the inbox", false));
        }
        Outcome outcome = attempt.outcome(correlator.correlate(attempt.channel(), row.incoming(), attempt::matched));
        RowChange change = RowWriter.decide(row, outcome, attempt.channel(), KnownOfKey.NOT_ASKED);
        if (change.state() != MessageState.DONE && change.state() != MessageState.DISCARDED) {
            throw new RolledBackException(rejected(change, null));
        }
        RowWriter.write(session, row, outcome, change, hold, false);
        return new DirectResult.Done(row, change);
    }

    /** A conflict is rejected where it would be parked. */
    private static DirectResult repeated(
            NewMessage message, MessageStore.Repeated repeated, RegisteredChannel channel) {
        String conflict = repeated.conflict();
        if (conflict != null && channel.config().policy().deduplication().parkConflicts()) {
            throw new RolledBackException(new Rejected(Reason.DUPLICATE_CONFLICT, conflict, null));
        }
        if (conflict != null) {
            log.warn(
                    "Message acked and counted as duplicate, as policy.deduplication.onConflict is ignore (channel {},"
                            + " message {}): {}",
                    channel.id(),
                    message.messageId(),
                    conflict);
        }
        return new DirectResult.Duplicate(repeated.messageId(), conflict != null);
    }

    /**
     * Until the end of the transaction. The lane's row is there, but for rare cases: then it is locked by being uncommitted, and
     * whoever makes the same one waits, fails, and tries again. A message that is alone in its lane needs no lock: its id is
     * unique.
     */
    private static boolean lock(InboxSession session, NewMessage message) {
        Lane lane = message.lane();
        List<String> key = List.of(lane.orderKey());
        if (message.isAlone() || !session.lanes().lock(lane).isEmpty()) {
            return true;
        }
        return session.lanes().existing(lane.channel(), key).isEmpty()
                && session.lanes().create(lane.channel(), key) == 1;
    }

    private static DirectResult behind(String what, boolean soon) {
        Rejected rejected = new Rejected(Reason.HELD_BACK, what, null);
        return soon ? new Busy(rejected, BEHIND_ANOTHER) : rejected;
    }

    private static Rejected rejected(RowChange change, @Nullable Throwable failure) {
        return new Rejected(
                Objects.requireNonNull(change.reason()), Objects.requireNonNullElse(change.error(), ""), failure);
    }

    private DirectResult judge(Attempt attempt, Throwable failure) {
        InboxRow row = attempt.row();
        Outcome outcome;
        try {
            outcome = row == null ? judgeUnread(failure) : failures.judge(attempt, row, failure);
        } catch (RuntimeException | Error e) {
            outcome = new Outcome.InfrastructureFailed(DatabaseFailures.summary(e));
        }
        if (outcome instanceof Outcome.InfrastructureFailed infrastructure) {
            return infrastructure(infrastructure, failure);
        }
        return row == null
                ? new Rejected(Reason.UNREADABLE, ((Outcome.Unreadable) outcome).error(), failure)
                : rejected(RowWriter.decide(row, outcome, attempt.channel(), KnownOfKey.NOT_ASKED), failure);
    }

    private static Outcome judgeUnread(Throwable failure) {
        return DatabaseFailures.isDatabaseAway(failure) || DatabaseFailures.isDuplicateKey(failure)
                ? new Outcome.InfrastructureFailed(DatabaseFailures.summary(failure))
                : new Outcome.Unreadable("The inbox refused it: " + DatabaseFailures.summary(failure));
    }

    /** A lock or a conflict is soon over; a database that is away is everybody's problem. */
    private DirectResult infrastructure(Outcome.InfrastructureFailed outcome, Throwable failure) {
        try {
            store.probe();
        } catch (RuntimeException e) {
            return new DirectResult.Away(e);
        }
        return new Busy(new Rejected(Reason.INFRASTRUCTURE_FAILED, outcome.error(), failure), AFTER_FAILURE);
    }

    /** Counts a redelivery on its row, for people. */
    void countDuplicate(NewMessage message, String messageId) {
        store.countDuplicates(message.lane().channel(), List.of(messageId));
    }
}
