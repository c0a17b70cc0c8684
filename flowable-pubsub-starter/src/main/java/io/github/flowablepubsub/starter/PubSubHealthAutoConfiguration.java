package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health contributor {@code flowablePubSub}, for whichever generation of the API is there. */
@AutoConfiguration(after = PubSubAutoConfiguration.class)
@ConditionalOnBean({PubSubEngineConfigurator.class, PubSubProperties.class})
public class PubSubHealthAutoConfiguration {

    /** Spring Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    static class Boot4 {

        @Bean
        @ConditionalOnMissingBean(name = "flowablePubSubHealthIndicator")
        org.springframework.boot.health.contributor.HealthIndicator flowablePubSubHealthIndicator(
                PubSubEngineConfigurator configurator, PubSubProperties properties) {
            return () -> {
                PubSubHealth.Report report = new PubSubHealth(configurator.runtime(), properties.health()).report();
                return org.springframework.boot.health.contributor.Health.status(report.status())
                        .withDetails(report.details())
                        .build();
            };
        }
    }

    /** Spring Boot 3. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    static class Boot3 {

        @Bean
        @ConditionalOnMissingBean(name = "flowablePubSubHealthIndicator")
        org.springframework.boot.actuate.health.HealthIndicator flowablePubSubHealthIndicator(
                PubSubEngineConfigurator configurator, PubSubProperties properties) {
            return () -> {
                PubSubHealth.Report report = new PubSubHealth(configurator.runtime(), properties.health()).report();
                return org.springframework.boot.actuate.health.Health.status(report.status())
                        .withDetails(report.details())
                        .build();
            };
        }
    }
}
