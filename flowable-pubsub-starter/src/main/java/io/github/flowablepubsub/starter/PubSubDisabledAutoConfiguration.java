package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import org.flowable.app.spring.SpringAppEngineConfiguration;
import org.flowable.engine.ProcessEngine;
import org.flowable.spring.SpringProcessEngineConfiguration;
import org.flowable.spring.boot.EngineConfigurationConfigurer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@code flowable.pubsub.enabled=false}: without it the service loader would add the plugin with default settings. */
@AutoConfiguration(
        beforeName = {
            "org.flowable.spring.boot.ProcessEngineAutoConfiguration",
            "org.flowable.spring.boot.app.AppEngineAutoConfiguration"
        })
@ConditionalOnClass({ProcessEngine.class, SpringProcessEngineConfiguration.class})
@ConditionalOnProperty(prefix = "flowable.pubsub", name = "enabled", havingValue = "false")
public class PubSubDisabledAutoConfiguration {

    @Bean
    EngineConfigurationConfigurer<SpringProcessEngineConfiguration> pubSubProcessEngineConfigurer() {
        return engine -> engine.addConfigurator(PubSubEngineConfigurator.disabled());
    }

    /** The app engine, where it is there, asks the service loader as well. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SpringAppEngineConfiguration.class)
    static class AppEngine {

        @Bean
        EngineConfigurationConfigurer<SpringAppEngineConfiguration> pubSubAppEngineConfigurer() {
            return engine -> engine.addConfigurator(PubSubEngineConfigurator.disabled());
        }
    }
}
