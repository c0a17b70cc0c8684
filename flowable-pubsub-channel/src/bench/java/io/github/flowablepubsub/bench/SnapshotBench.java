package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.events.EventPublisher;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.relay.FailureClassifier;
import io.github.flowablepubsub.relay.Relay;
import io.github.flowablepubsub.relay.RelaySettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The inbox at a steady rate while somebody holds a snapshot, so that dead rows can't be removed. */
final class SnapshotBench {

    private static final double MAX_LOSS = 0.10;
    private static final int TICKS_PER_SECOND = 10;

    private SnapshotBench() {}

    /**
     * A run.
     *
     * @param rate messages moved per second while messages came in
     * @param left messages that were left when the last one came in
     * @param dead rows in the inbox at the end
     * @param drain messages per second of a backlog that was worked through at the end
     */
    private record Run(double rate, long left, long dead, double drain) {}

    static Report run(Postgres server) throws Exception {
        int seconds = Settings.number("seconds", 180);
        int perSecond = Settings.number("rate", 800);
        int rounds = Settings.number("rounds", 2);
        int threads = Settings.number("threads", 4);
        List<Run> without = new ArrayList<>();
        List<Run> with = new ArrayList<>();
        once(server, false, Math.min(10, seconds), perSecond, threads); // warms up
        for (int round = 0; round < rounds; round++) {
            without.add(once(server, false, seconds, perSecond, threads));
            with.add(once(server, true, seconds, perSecond, threads));
        }
        Report report = new Report(
                perSecond + " messages/s offered for " + seconds + " s, " + threads + " threads, nothing delivered",
                "side",
                "moved/s",
                "of without",
                "left at the end",
                "dead rows",
                "backlog worked through, rows/s",
                "of without",
                "target: at most 10 % lost");
        row(report, "no snapshot", without, without);
        row(report, "snapshot open all the time", with, without);
        return report.note(
                "The snapshot is a REPEATABLE READ transaction that has read the inbox and stays open. At the end"
                        + " a backlog of " + seconds * perSecond / 20
                        + " rows is stored and worked through at full speed, the"
                        + " snapshot still open. Sides alternate on empty databases; medians of " + rounds
                        + " rounds.");
    }

    private static void row(Report report, String name, List<Run> runs, List<Run> without) {
        double rate = Stats.median(runs.stream().map(Run::rate).toList());
        double ratio = rate / Stats.median(without.stream().map(Run::rate).toList());
        double drain = Stats.median(runs.stream().map(Run::drain).toList());
        double drainRatio =
                drain / Stats.median(without.stream().map(Run::drain).toList());
        report.row(
                name,
                Stats.text("%.0f", rate),
                Stats.text("%.2f", ratio),
                runs.stream().map(Run::left).toList(),
                runs.stream().map(Run::dead).toList(),
                Stats.text("%.0f", drain),
                Stats.text("%.2f", drainRatio),
                Report.verdict(ratio >= 1 - MAX_LOSS));
    }

    private static Run once(Postgres server, boolean snapshot, int seconds, int perSecond, int threads)
            throws Exception {
        Db db = server.create();
        AtomicLong moved = new AtomicLong();
        try (Node node = Node.quiet(db.pool(threads + 4));
                Connection reader = db.source().getConnection()) {
            node.deploy(Models.CHANNEL);
            if (snapshot) {
                hold(reader);
            }
            Relay relay = new Relay(
                    new RelaySettings(true, threads, RelaySettings.DEFAULTS.sweepInterval()),
                    node.transactions(),
                    node.channels(),
                    new Nothing(true),
                    (row, change) -> {
                        if (change.state() == MessageState.DONE) {
                            moved.incrementAndGet();
                        }
                    },
                    EventPublisher.none(),
                    FailureClassifier.standard(),
                    node.mirrors(),
                    () -> {});
            relay.start();
            long start = System.nanoTime();
            long offered = offer(node.store(), relay, seconds, perSecond);
            double rate = moved.get() / ((System.nanoTime() - start) / 1e9);
            long left = offered - moved.get();
            double drain = drain(node.store(), relay, offered, seconds * perSecond / 20, moved);
            relay.stop(Duration.ofSeconds(10));
            long dead = db.number("select coalesce(max(n_dead_tup), 0) from pg_stat_user_tables where relname ="
                    + " 'flw_pubsub_inbox'");
            System.out.println(Stats.text(
                    "  snapshot %s: %.0f/s, %d left, backlog %.0f/s, %d dead rows", snapshot, rate, left, drain, dead));
            return new Run(rate, left, dead, drain);
        } finally {
            server.drop(db);
        }
    }

    private static void hold(Connection reader) throws SQLException {
        reader.setAutoCommit(false);
        reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = reader.createStatement()) {
            statement.execute("select count(*) from FLW_PUBSUB_INBOX");
        }
    }

    /** Stores so many per second and hands their lanes over, as a consumer does; returns how many. */
    private static long offer(MessageStore store, Relay relay, int seconds, int perSecond) throws InterruptedException {
        int batch = perSecond / TICKS_PER_SECOND;
        long start = System.nanoTime();
        for (int tick = 0; tick < seconds * TICKS_PER_SECOND; tick++) {
            long due = start + tick * 1_000_000_000L / TICKS_PER_SECOND;
            TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
            List<String> orders = new ArrayList<>();
            for (int i = 0; i < batch; i++) {
                orders.add("S" + tick / 10 + "-" + i);
            }
            storeAndOffer(store, relay, orders);
        }
        return (long) seconds * TICKS_PER_SECOND * batch;
    }

    private static double drain(MessageStore store, Relay relay, long offered, int rows, AtomicLong moved)
            throws InterruptedException {
        await(moved, offered);
        List<String> orders = Messages.mixed(rows / 10, 10);
        Messages.store(store, orders); // sweeps may begin with them before they are handed over
        long before = moved.get();
        long start = System.nanoTime();
        handOver(relay, orders);
        await(moved, offered + orders.size());
        return (moved.get() - before) / ((System.nanoTime() - start) / 1e9);
    }

    private static void await(AtomicLong moved, long count) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(15);
        while (moved.get() < count) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(count - moved.get() + " messages are left after 15 minutes");
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static void storeAndOffer(MessageStore store, Relay relay, List<String> orders) {
        Messages.store(store, orders);
        handOver(relay, orders);
    }

    private static void handOver(Relay relay, List<String> orders) {
        LinkedHashSet<Lane> lanes = new LinkedHashSet<>();
        orders.forEach(order -> lanes.add(Lane.of(Messages.CHANNEL, order)));
        relay.offer(lanes);
    }
}
