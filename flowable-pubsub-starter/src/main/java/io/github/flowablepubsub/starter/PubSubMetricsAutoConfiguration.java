package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.events.Measures;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Metrics, where Micrometer and a registry are there: the names are those of Spring Boot 4, then of 3. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public class PubSubMetricsAutoConfiguration {

    /** Replace it to measure in another way. */
    @Bean
    @ConditionalOnMissingBean(Measures.class)
    Measures pubSubMeasures(MeterRegistry registry) {
        return new MicrometerMeasures(registry);
    }

    /** How table and relay are, where the plugin is there. */
    @Bean
    @ConditionalOnProperty(prefix = "flowable.pubsub", name = "enabled", havingValue = "true", matchIfMissing = true)
    TableGauges pubSubTableGauges(MeterRegistry registry, ObjectProvider<PubSubEngineConfigurator> plugin) {
        return new TableGauges(registry, plugin);
    }
}
