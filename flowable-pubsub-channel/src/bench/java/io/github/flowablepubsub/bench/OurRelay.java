package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.relay.FailureClassifier;
import io.github.flowablepubsub.relay.Relay;
import io.github.flowablepubsub.relay.RelaySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Our relay with a correlator that does nothing.
 *
 * @param asDelivered whether messages count as delivered, see {@link Nothing}
 * @param handedOver whether each node is told of the lanes, as after storing; else it finds all of them in the table
 */
record OurRelay(boolean handedOver, boolean asDelivered) implements Side {

    @Override
    public String name() {
        return "ours, lanes " + (handedOver ? "handed over" : "found by sweeps")
                + (asDelivered ? ", each as delivered" : ", all filtered");
    }

    @Override
    public Run run(Db db, int nodes, int threads, List<String> keys) throws Exception {
        return run(db, nodes, threads, keys, UnaryOperator.identity(), () -> {});
    }

    /** Where the time of one node goes, measured in its calls of the driver. */
    static String profile(Db db, int threads, List<String> keys) throws Exception {
        Counting counting = new Counting();
        Run run = new OurRelay(true, true).run(db, 1, threads, keys, counting::wrap, counting::reset);
        return Stats.text(
                "Where our time goes (%d threads, %.0f rows/s, timed in the calls of the driver):%s",
                threads, keys.size() / run.seconds(), counting.profile(keys.size()));
    }

    private Run run(
            Db db, int nodes, int threads, List<String> keys, UnaryOperator<DataSource> wrapper, Runnable beforeStart)
            throws Exception {
        List<Node> engines = new ArrayList<>();
        List<Relay> relays = new ArrayList<>();
        Countdown countdown = new Countdown(keys.size());
        try {
            for (int i = 0; i < nodes; i++) {
                engines.add(Node.quiet(wrapper.apply(db.pool(threads + 3))));
                if (i == 0) {
                    engines.get(0).deploy(Models.CHANNEL);
                    Messages.store(engines.get(0).store(), keys);
                }
                relays.add(relay(engines.get(i), threads, countdown));
            }
            db.sql("vacuum analyze");
            Cost.reset(db);
            beforeStart.run();
            long start = System.nanoTime();
            relays.forEach(Relay::start);
            if (handedOver) {
                Set<Lane> lanes = new LinkedHashSet<>();
                keys.forEach(key -> lanes.add(Lane.of(Messages.CHANNEL, key)));
                relays.forEach(relay -> relay.offer(lanes));
            }
            double seconds = countdown.await(start);
            Cost cost = Cost.of(db);
            relays.forEach(relay -> relay.stop(Duration.ofSeconds(10)));
            long done = db.number("select count(*) from FLW_PUBSUB_INBOX where STATE_ in ('DONE', 'DISCARDED')");
            if (done != keys.size()) {
                throw new IllegalStateException(done + " of " + keys.size() + " rows are finished");
            }
            // Two nodes that know the same lanes also begin many only to find a lane locked.
            if (nodes == 1 && !asDelivered && cost.transactions() > 0.5 * keys.size()) {
                throw new IllegalStateException(
                        "Filtered messages share no transactions: " + cost.transactions() + " for " + keys.size());
            }
            return new Run(seconds, cost);
        } finally {
            for (Node engine : engines) {
                engine.close();
            }
        }
    }

    private Relay relay(Node node, int threads, Countdown countdown) {
        return new Relay(
                new RelaySettings(true, threads, RelaySettings.DEFAULTS.sweepInterval()),
                node.transactions(),
                node.channels(),
                new Nothing(asDelivered),
                (row, change) -> {
                    if (change.state() == (asDelivered ? MessageState.DONE : MessageState.DISCARDED)) {
                        countdown.one();
                    }
                },
                EventPublisher.none(),
                FailureClassifier.standard(),
                node.mirrors(),
                () -> {});
    }
}
