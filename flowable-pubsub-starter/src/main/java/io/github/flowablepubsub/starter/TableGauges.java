package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.engine.PubSubRuntime;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.operations.TableState;
import io.github.flowablepubsub.operations.TableState.Rows;
import io.github.flowablepubsub.operations.TableState.Snapshot;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * How the inbox table stands, as gauges: asked for when somebody scrapes, see {@link TableState}. Each is there with zero for
 * every channel that is deployed, and for one that is not as long as it has parked rows.
 */
final class TableGauges implements ApplicationListener<ContextRefreshedEvent>, ApplicationContextAware {

    /** How long a scrape waits for the table, once, when nobody has asked for a while. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final List<MessageState> STATES =
            List.of(MessageState.OPEN, MessageState.WAITING, MessageState.PARKED);

    private final MeterRegistry registry;
    private final ObjectProvider<PubSubEngineConfigurator> plugin;
    private final Map<String, List<Meter>> channels = new HashMap<>();
    private @Nullable ApplicationContext own;
    private boolean bound;

    TableGauges(MeterRegistry registry, ObjectProvider<PubSubEngineConfigurator> plugin) {
        this.registry = registry;
        this.plugin = plugin;
    }

    @Override
    public void setApplicationContext(ApplicationContext context) {
        own = context;
    }

    /** The engine is built, and its channels are known. A child context tells of itself, too, and maybe before that. */
    @Override
    public synchronized void onApplicationEvent(ContextRefreshedEvent event) {
        PubSubEngineConfigurator configurator = event.getApplicationContext() == own ? plugin.getIfAvailable() : null;
        if (bound || configurator == null) {
            return;
        }
        bound = true;
        PubSubRuntime runtime = configurator.runtime();
        Gauge.builder("flowable.pubsub.relay.up", runtime, r -> r.isRelayRunning() ? 1 : 0)
                .description("1 while the relay's threads run on this node")
                .strongReference(true)
                .register(registry);
        TableState table = runtime.table();
        Gauge.builder("flowable.pubsub.inbox.away", table, TableGauges::away)
                .description("for how long the database has not told how the inbox table stands; 0 while it does")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
        for (MessageState state : STATES) {
            Gauge.builder(
                            "flowable.pubsub.inbox.oldest.age",
                            table,
                            t -> seconds(t.look(PATIENCE).oldest(state)))
                    .description(
                            state == MessageState.OPEN
                                    ? "for how long the open message has been due that is due for longest"
                                    : "how long ago the oldest " + state + " message was received")
                    .baseUnit("seconds")
                    .tags(tags("state", state.name()))
                    .strongReference(true)
                    .register(registry);
        }
        cover(table, table.channels().stream().map(ChannelId::key).collect(Collectors.toSet()));
        table.addListener(snapshot -> cover(table, channels(snapshot)));
    }

    private static Set<String> channels(Snapshot snapshot) {
        return snapshot.rows().keySet().stream().map(Rows::channel).collect(Collectors.toSet());
    }

    private synchronized void cover(TableState table, Set<String> wanted) {
        Set<String> gone = new HashSet<>(channels.keySet());
        gone.removeAll(wanted);
        for (String channel : gone) {
            List<Meter> meters = channels.remove(channel);
            if (meters != null) {
                meters.forEach(registry::remove);
            }
        }
        for (String channel : wanted) {
            channels.computeIfAbsent(channel, key -> STATES.stream()
                    .map(state -> messages(table, key, t -> t.look(PATIENCE).rows(key, state), state))
                    .toList());
        }
    }

    private Meter messages(TableState table, String channel, ToDoubleFunction<TableState> rows, MessageState state) {
        return Gauge.builder("flowable.pubsub.inbox.messages", table, rows)
                .description(
                        "messages in the inbox table, of each channel and state counted up to " + TableState.MAX_ROWS)
                .tags(tags("channel", channel, "state", state.name()))
                .strongReference(true)
                .register(registry);
    }

    private static double away(TableState table) {
        table.look();
        return seconds(table.away());
    }

    private static double seconds(Duration age) {
        return age.toMillis() / 1000d;
    }

    /** See {@link MicrometerMeasures}. */
    private static Iterable<Tag> tags(String... keysAndValues) {
        return Tags.of(keysAndValues);
    }
}
