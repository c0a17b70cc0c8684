package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.Cardinality;
import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.events.InboxEvent.DoubleSubscription;
import io.github.flowablepubsub.events.InboxEvent.Receiver;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.TwinMapper.Twin;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns when a second subscription with the same event and correlation key was committed, which makes the next message
 * ambiguous, perhaps in months. Of two that commit at the same time the second one's look sees both. On one thread only.
 */
final class DoubleSubscriptions {

    private static final Logger log = LoggerFactory.getLogger(DoubleSubscriptions.class);

    /** Looked at for one key; with more than that the later ones of them are not told. */
    private static final int MAX_TWINS = 20;

    /** Keys of which it is remembered what was told; the two of a pair come within moments. */
    private static final int REMEMBERED = 1_000;

    private record Group(String eventKey, String configuration, String definition) {}

    private final InboxTransactions transactions;
    private final ChannelRegistry channels;
    private final EventPublisher events;
    private final Map<Group, Set<String>> told = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Group, Set<String>> eldest) {
            return size() > REMEMBERED;
        }
    };

    DoubleSubscriptions(InboxTransactions transactions, ChannelRegistry channels, EventPublisher events) {
        this.transactions = transactions;
        this.channels = channels;
        this.events = events;
    }

    /**
     * A subscription with this correlation was committed.
     *
     * @throws RuntimeException when the database does not answer: to be told again
     */
    void look(String eventKey, String configuration) {
        try {
            Set<Cardinality> cardinalities = channels.all().stream()
                    .filter(channel -> channel.mayBring(eventKey))
                    .map(channel -> channel.config().policy(eventKey).cardinality())
                    .filter(cardinality -> cardinality != Cardinality.ALL)
                    .collect(Collectors.toSet());
            if (!cardinalities.isEmpty()) {
                List<Twin> twins =
                        transactions.call(session -> session.twins().find(eventKey, configuration, MAX_TWINS));
                boolean one = cardinalities.contains(Cardinality.ONE);
                twins.stream()
                        .filter(twin -> twin.eventKey().equals(eventKey)) // columns may fold case
                        .collect(Collectors.groupingBy(twin -> group(twin, one)))
                        .forEach(this::tell);
            }
        } catch (RuntimeException e) {
            if (DatabaseFailures.isDatabaseAway(e)) {
                throw e;
            }
            log.warn(
                    "Can't look whether another subscription has the same event {} and correlation; a second one would not"
                            + " be told: {}",
                    Keys.printable(eventKey),
                    DatabaseFailures.summary(e));
        }
    }

    private static Group group(Twin twin, boolean one) {
        return new Group(
                twin.eventKey(),
                twin.configuration(),
                (one ? "" : twin.definition()) + "@" + blankIfNull(twin.tenantId()));
    }

    private void tell(Group group, Collection<Twin> twins) {
        Set<String> ids = twins.stream().map(Twin::id).collect(Collectors.toCollection(HashSet::new));
        if (twins.size() < 2 || told.getOrDefault(group, Set.of()).containsAll(ids)) {
            return;
        }
        told.remove(group); // it is the youngest again
        told.put(group, ids);
        DoubleSubscription event = new DoubleSubscription(
                group.eventKey(),
                group.configuration(),
                twins.stream().map(DoubleSubscriptions::receiver).toList());
        log.warn(
                "{} subscriptions have the same event {} and correlation (configuration {}): {}. Channels allow one receiver{}:"
                        + " the next message for them will be parked as AMBIGUOUS, or nacked with afterCorrelation, and none"
                        + " of them gets it. Remove all but one (double token, second instance of one key) before it comes",
                twins.size() == MAX_TWINS ? "At least " + MAX_TWINS : twins.size(),
                Keys.printable(group.eventKey()),
                group.configuration(),
                event.receivers().stream().map(DoubleSubscriptions::text).collect(Collectors.joining("; ")),
                group.definition().startsWith("@") ? "" : " of a definition");
        events.publish(event);
    }

    private static Receiver receiver(Twin twin) {
        return new Receiver(
                String.valueOf(twin.definition()),
                blankIfNull(twin.tenantId()),
                twin.instance(),
                twin.execution(),
                twin.activity(),
                twin.businessKey(),
                twin.since() == null ? null : twin.since().toInstant());
    }

    private static String text(Receiver receiver) {
        String where = receiver.instance() == null
                ? "start"
                : "instance " + receiver.instance() + " execution " + receiver.execution()
                        + (receiver.businessKey() == null
                                ? ""
                                : " business key " + Keys.printable(receiver.businessKey()));
        return receiver.definition() + " " + where + " activity " + receiver.activity() + " since " + receiver.since();
    }

    private static String blankIfNull(@Nullable String text) {
        return text == null ? "" : text;
    }
}
