package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.server.PubSubServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** How often a node that has nothing to do asks the database. */
final class IdleBench {

    private static final int TARGET = 30;

    private IdleBench() {}

    /** A running node, and what it has sent. */
    private record Idle(int channels, Counting counting, Node node) {}

    static Report run(Postgres server) throws Exception {
        int seconds = Settings.number("seconds", 300);
        Report report = new Report(
                "statements per minute of an idle node, default settings, job executor off, over " + seconds + " s",
                "channels",
                "statements/min",
                "of one channel",
                "commits and rollbacks/min",
                "target: at most " + TARGET);
        List<Idle> nodes = new ArrayList<>();
        try (PubSubServer pubsub = PubSubServer.start()) {
            nodes.add(start(server, pubsub, 1));
            nodes.add(start(server, pubsub, 5));
            TimeUnit.SECONDS.sleep(10); // what is done once after the start
            nodes.forEach(idle -> idle.counting().reset());
            TimeUnit.SECONDS.sleep(seconds);
            List<Map<String, Long>> counts =
                    nodes.stream().map(idle -> idle.counting().counts()).toList();
            double one = perMinute(statements(counts.get(0)), seconds);
            for (int i = 0; i < nodes.size(); i++) {
                double statements = perMinute(statements(counts.get(i)), seconds);
                double ends = perMinute(counts.get(i), seconds) - statements;
                report.row(
                        nodes.get(i).channels(),
                        Stats.text("%.1f", statements),
                        Stats.text("%.2f", statements / one),
                        Stats.text("%.1f", ends),
                        Report.verdict(statements <= TARGET));
            }
            for (int i = 0; i < nodes.size(); i++) {
                report.note(nodes.get(i).channels() + " channel(s), each statement per minute:"
                        + describe(statements(counts.get(i)), seconds));
            }
        } finally {
            for (Idle idle : nodes) {
                idle.node().close();
            }
        }
        return report;
    }

    private static Idle start(Postgres server, PubSubServer pubsub, int channels) throws Exception {
        Counting counting = new Counting();
        Db db = server.create();
        PubSubEngineConfigurator plugin = new PubSubEngineConfigurator(
                Node.settings(pubsub.endpoint(), RelaySettings.DEFAULTS, true, (row, change) -> {}));
        Node node = Node.start(counting.wrap(db.pool(10)), plugin);
        String[] keys = new String[channels];
        for (int i = 0; i < channels; i++) {
            keys[i] = "idle" + channels + "-" + i;
            pubsub.createTopic(keys[i]);
            pubsub.createSubscription(keys[i] + "-sub", keys[i]);
        }
        node.deploy(keys);
        plugin.runtime().start();
        return new Idle(channels, counting, node);
    }

    private static Map<String, Long> statements(Map<String, Long> counts) {
        Map<String, Long> statements = new TreeMap<>(counts);
        statements.remove(Counting.COMMIT);
        statements.remove("rollback");
        return statements;
    }

    private static double perMinute(Map<String, Long> counts, int seconds) {
        return counts.values().stream().mapToLong(count -> count).sum() * 60.0 / seconds;
    }

    private static String describe(Map<String, Long> statements, int seconds) {
        StringBuilder text = new StringBuilder();
        statements.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(entry -> text.append(Stats.text(
                        "%n    %.1f  %s", entry.getValue() * 60.0 / seconds, Counting.shortened(entry.getKey()))));
        return text.toString();
    }
}
