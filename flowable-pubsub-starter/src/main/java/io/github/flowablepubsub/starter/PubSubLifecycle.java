package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import org.flowable.engine.ProcessEngine;
import org.springframework.context.SmartLifecycle;

/** Starts last and stops first: consumers run only while the engine and everything that processes use is there. */
final class PubSubLifecycle implements SmartLifecycle {

    private final PubSubEngineConfigurator configurator;

    /**
     * @param configurator holds the plugin
     * @param engine only to be created before
     */
    PubSubLifecycle(PubSubEngineConfigurator configurator, @SuppressWarnings("unused") ProcessEngine engine) {
        this.configurator = configurator;
    }

    @Override
    public void start() {
        configurator.runtime().start();
    }

    @Override
    public void stop() {
        configurator.runtime().stop();
    }

    @Override
    public boolean isRunning() {
        return configurator.runtime().isRunning();
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
