package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.InboxMessage.Seen;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.mirror.Mirrors;
import io.github.flowablepubsub.relay.RepairResult.Done;
import io.github.flowablepubsub.relay.RepairResult.NotAsSeen;
import io.github.flowablepubsub.relay.RepairResult.Refused;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators do to single messages. Each is a transaction of its own: the row as it was seen, its job, and what it held
 * back are changed together or not at all. A row that is open or waits is changed under the lock of its lane only, so never
 * while it is in work. After the commit it is logged, told to listeners, and the relay is woken. Thread safe.
 */
public final class Repair {

    /** How long a single change waits for messages of the same key that are in work. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Repair.class);

    private static final int MAX_ACTOR = 255;
    private static final int MAX_WHY = 1000;

    private final ChannelRegistry channels;
    private final Mirrors mirrors;
    private final EventPublisher events;
    private final Consumer<Lane> relay;
    private final RepairTries tries;
    private final ChosenDelivery delivery;

    /**
     * @param transactions on the engine's database
     * @param channels that this node knows
     * @param correlator into the engine
     * @param mirrors jobs of parked rows
     * @param events hears what was done
     * @param failures tells what kind of failure a delivery came to
     * @param relay hears of lanes that can go on; must neither block nor throw
     */
    public Repair(
            InboxTransactions transactions,
            ChannelRegistry channels,
            Correlator correlator,
            Mirrors mirrors,
            EventPublisher events,
            FailureClassifier failures,
            Consumer<Lane> relay) {
        this.channels = channels;
        this.mirrors = mirrors;
        this.events = events;
        this.relay = relay;
        this.tries = new RepairTries(transactions, new FailureJudge(failures));
        this.delivery = new ChosenDelivery(channels, correlator, mirrors);
    }

    /** Tries it again, as if it were new: parked, waiting for a subscription, or backing off. */
    public RepairResult retry(Seen seen, String actor, Duration patience) {
        return change(RepairAction.RETRY, seen, actor, "", patience);
    }

    /** Discards it: open, waiting or parked. */
    public RepairResult discard(Seen seen, String actor, String why, Duration patience) {
        return change(RepairAction.DISCARD, seen, actor, required("reason", why), patience);
    }

    /** Takes it out of the way: open or waiting. */
    public RepairResult park(Seen seen, String actor, String why) {
        return change(RepairAction.PARK, seen, actor, required("reason", why), PATIENCE);
    }

    /** Delivers a parked one to this receiver alone, by the id of its execution or instance. */
    public RepairResult deliver(Seen seen, String receiver, String actor) {
        String by = actor(actor);
        String to = required("receiver", receiver);
        long start = System.nanoTime();
        return tries.run(seen, PATIENCE, true, (session, row) -> delivery.run(session, row, to, by), row -> {
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            log.info(
                    "Message delivered to {}, which {} has chosen ({}, was {} {})",
                    Keys.printable(to),
                    Keys.printable(by),
                    row.describe(),
                    row.state(),
                    Keys.printable(row.reason()));
            Duration delay = Duration.between(row.publishedAt(), row.now()).plus(took);
            events.measure(
                    measures -> measures.correlated(row.channel(), took, delay.isNegative() ? Duration.ZERO : delay));
            events.publish(new InboxEvent.Delivered(InboxEvent.Message.of(row), null));
            relay.accept(row.lane());
        });
    }

    private RepairResult change(RepairAction action, Seen seen, String actor, String why, Duration patience) {
        String by = actor(actor);
        boolean inLane = seen.state() != MessageState.PARKED;
        return tries.run(seen, patience, inLane, (session, row) -> write(session, row, action, by, why), row -> {
            log.info(
                    "Message {} by {} ({}, was {} {}){}",
                    action.to() == MessageState.OPEN ? "is tried again, repaired" : action.to(),
                    Keys.printable(by),
                    row.describe(),
                    row.state(),
                    Keys.printable(row.reason()),
                    why.isEmpty() ? "" : ": " + Keys.printable(why));
            events.publish(event(action, InboxEvent.Message.of(row), by));
            relay.accept(row.lane());
        });
    }

    private RepairResult write(InboxSession session, InboxMessage row, RepairAction action, String by, String why) {
        boolean finished = row.state().successors().isEmpty();
        String refusal = finished ? "It is " + row.state() + ", which is final" : action.refusal(row);
        if (refusal != null) {
            return new Refused(row.id(), refusal);
        }
        row.state().requireSuccessor(action.to(), row.id());
        if (action.write(session, row, by, why) != 1) {
            return new NotAsSeen(row.id(), null);
        }
        session.due().removeMatchKeys(row.id());
        mirrors.forget(session, row.id());
        RegisteredChannel channel = channels.find(row.channel()).orElse(null);
        if (channel != null && action == RepairAction.PARK) {
            mirrors.parked(session, row.id(), channel.config().policy(row.eventKey()));
        }
        if (channel != null && row.state() != MessageState.PARKED && action != RepairAction.RETRY) {
            letGo(session, row.lane(), channel);
        }
        return new Done(row.id(), action.to());
    }

    /** Under the lane's lock: opens what a row held back that does so no longer. Else the relay does, when it is woken. */
    static void letGo(InboxSession session, Lane lane, RegisteredChannel channel) {
        @Nullable Next unused = Hold.read(session, lane, channel).instead(null);
    }

    private static InboxEvent event(RepairAction action, InboxEvent.Message message, String by) {
        return switch (action) {
            case RETRY -> new InboxEvent.Repaired(message, by);
            case DISCARD -> new InboxEvent.Discarded(message, null, by);
            case PARK -> new InboxEvent.Parked(message, Reason.PARKED_BY_OPERATOR, by);
        };
    }

    private static String actor(String actor) {
        return Keys.text(required("actor", actor), MAX_ACTOR);
    }

    /**
     * What an operator has to say.
     *
     * @throws IllegalArgumentException naming what is missing
     */
    private static String required(String what, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(
                    "The " + what + " is missing: what operators do to messages says who did it"
                            + " and why. Give a text of 1 to " + MAX_WHY + " characters");
        }
        return Keys.text(value.strip(), MAX_WHY);
    }
}
