package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.events.Tracing;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Tracing, where an app has a registry of observations: the names are those of Spring Boot 4, then of 3. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
public class PubSubTracingAutoConfiguration {

    /** Replace it to trace in another way. */
    @Bean
    @ConditionalOnMissingBean(Tracing.class)
    Tracing pubSubTracing(ObservationRegistry registry) {
        return new ObservationTracing(registry);
    }
}
