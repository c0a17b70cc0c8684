package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.flowable.eventregistry.api.EventRegistry;
import org.flowable.eventregistry.api.InboundEventChannelAdapter;
import org.flowable.eventregistry.model.InboundChannelModel;
import org.jspecify.annotations.Nullable;

/** An engine without the plugin whose event registry gets each event from its caller, as Flowable's own channels do it. */
final class Stock implements AutoCloseable {

    /** What Flowable hands to a channel's adapter. */
    public static final class Adapter implements InboundEventChannelAdapter {
        private @Nullable InboundChannelModel channel;
        private @Nullable EventRegistry registry;

        @Override
        public void setInboundChannelModel(InboundChannelModel inboundChannelModel) {
            channel = inboundChannelModel;
        }

        @Override
        public void setEventRegistry(EventRegistry eventRegistry) {
            registry = eventRegistry;
        }

        void received(String event) {
            Objects.requireNonNull(registry).eventReceived(Objects.requireNonNull(channel), event);
        }
    }

    final Node node;
    private final Adapter adapter = new Adapter();

    Stock(DataSource pool) {
        node = Node.start(pool, PubSubEngineConfigurator.disabled(), Map.of("adapter", adapter));
        node.deploy();
        node.events()
                .createDeployment()
                .addChannelDefinition("stock.channel", Models.STOCK_CHANNEL)
                .deploy();
    }

    /** Correlates and commits before it returns. */
    void received(String event) {
        adapter.received(event);
    }

    @Override
    public void close() throws IOException {
        node.close();
    }
}
