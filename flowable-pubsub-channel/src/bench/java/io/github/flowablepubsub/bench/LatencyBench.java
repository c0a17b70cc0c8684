package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.server.PubSubServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** From a message's publishing to the commit that moved its instance, at a modest rate. */
final class LatencyBench {

    private static final Duration POLL = Duration.ofSeconds(2);
    private static final int RELAY_THREADS = 4;

    private LatencyBench() {}

    /** A topic with what works behind it. */
    private record Side(
            String name, String topic, Consumer<String> startOrder, Map<String, Long> moved, List<Double> millis) {
        Side(String name, String topic, Consumer<String> startOrder, Map<String, Long> moved) {
            this(name, topic, startOrder, moved, new ArrayList<>());
        }

        void round(PubSubServer pubsub, String round, int messages, int perSecond) throws InterruptedException {
            List<String> orders = IntStream.range(0, messages)
                    .mapToObj(i -> topic + round + "-" + i)
                    .toList();
            orders.forEach(startOrder);
            List<Long> published = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < messages; i++) {
                long due = start + i * 1_000_000_000L / perSecond;
                TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
                published.add(System.nanoTime());
                pubsub.publish(topic, Models.completion(orders.get(i)), Map.of());
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            for (int i = 0; i < messages; i++) {
                Long at = moved.get(orders.get(i));
                while (at == null) {
                    if (System.nanoTime() > deadline) {
                        throw new IllegalStateException(name + " did not move " + orders.get(i));
                    }
                    TimeUnit.MILLISECONDS.sleep(5);
                    at = moved.get(orders.get(i));
                }
                millis.add((at - published.get(i)) / 1e6);
            }
        }
    }

    static Report run(Postgres server) throws Exception {
        int rounds = Settings.number("rounds", 3);
        int seconds = Settings.number("seconds", 20);
        int perSecond = Settings.number("rate", 20);
        List<AutoCloseable> open = new ArrayList<>();
        List<Side> sides = new ArrayList<>();
        try (PubSubServer pubsub = PubSubServer.start()) {
            try {
                sides.add(ours(server, pubsub, open));
                sides.add(stock(server, pubsub, open));
                sides.add(polled(server, pubsub, open));
                for (int round = 0; round <= rounds; round++) { // the first one warms up
                    for (Side side : sides) {
                        side.round(pubsub, "r" + round, perSecond * (round == 0 ? 5 : seconds), perSecond);
                        if (round == 0) {
                            side.millis().clear();
                        }
                    }
                }
            } finally {
                for (int i = open.size() - 1; i >= 0; i--) {
                    open.get(i).close();
                }
            }
        }
        return report(sides, perSecond);
    }

    private static Report report(List<Side> sides, int perSecond) {
        Report report = new Report(
                "from publishing to the instance moved, at " + perSecond + " messages/s",
                "side",
                "p50 ms",
                "p99 ms",
                "p50, ours to it",
                "messages",
                "target");
        double ours = Stats.median(sides.get(0).millis());
        for (Side side : sides) {
            double p50 = Stats.median(side.millis());
            String verdict =
                    switch (sides.indexOf(side)) {
                        case 1 -> "ours at most 1.5 times: " + Report.verdict(ours / p50 <= 1.5);
                        case 2 -> "ours 20 times better: " + Report.verdict(p50 / ours >= 20);
                        default -> "";
                    };
            report.row(
                    side.name(),
                    Stats.text("%.1f", p50),
                    Stats.text("%.1f", Stats.percentile(side.millis(), 99)),
                    Stats.text("%.3f", ours / p50),
                    side.millis().size(),
                    verdict);
        }
        return report.note(
                "Instances wait before. Through the client library over gRPC, publishing in this process. Sides"
                        + " alternate; the first round only warms up.");
    }

    private static void topic(PubSubServer pubsub, String topic) {
        pubsub.createTopic(topic);
        pubsub.createSubscription(topic + "-sub", topic);
    }

    private static PubSubEngineConfigurator plugin(
            PubSubServer pubsub, RelaySettings relay, boolean subscriber, Map<String, Long> moved) {
        return new PubSubEngineConfigurator(Node.settings(pubsub.endpoint(), relay, subscriber, (row, change) -> {
            if (change.state() == MessageState.DONE) {
                moved.put(row.orderKey(), System.nanoTime());
            }
        }));
    }

    private static Side ours(Postgres server, PubSubServer pubsub, List<AutoCloseable> open) throws Exception {
        topic(pubsub, "ours");
        Map<String, Long> moved = new ConcurrentHashMap<>();
        Node node = Node.start(server.create().pool(12), plugin(pubsub, RelaySettings.DEFAULTS, true, moved));
        open.add(node);
        node.deploy("ours");
        node.plugin.runtime().start();
        return new Side("ours", "ours", node::startOrder, moved);
    }

    private static Side stock(Postgres server, PubSubServer pubsub, List<AutoCloseable> open) throws Exception {
        topic(pubsub, "stock");
        Map<String, Long> moved = new ConcurrentHashMap<>();
        Stock stock = new Stock(server.create().pool(12));
        open.add(stock);
        open.add(Client.start(pubsub.endpoint(), "stock-sub", (message, reply) -> {
            String body = message.getData().toStringUtf8();
            stock.received(body);
            moved.put(body.split("\"", -1)[3], System.nanoTime());
            reply.ack();
        }));
        return new Side("stock eventReceived in the callback", "stock", stock.node::startOrder, moved);
    }

    /** One node stores, another one polls the table. */
    private static Side polled(Postgres server, PubSubServer pubsub, List<AutoCloseable> open) throws Exception {
        topic(pubsub, "polled");
        Map<String, Long> moved = new ConcurrentHashMap<>();
        Db db = server.create();
        Node store = Node.start(db.pool(6), plugin(pubsub, new RelaySettings(false, 1, POLL), true, moved));
        open.add(store);
        store.deploy("polled");
        Node relay =
                Node.start(db.pool(12), plugin(pubsub, new RelaySettings(true, RELAY_THREADS, POLL), false, moved));
        open.add(relay);
        store.plugin.runtime().start();
        relay.plugin.runtime().start();
        return new Side("a relay that polls every 2 s", "polled", store::startOrder, moved);
    }
}
