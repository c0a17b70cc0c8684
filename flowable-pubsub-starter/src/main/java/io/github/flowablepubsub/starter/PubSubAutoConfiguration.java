package io.github.flowablepubsub.starter;

import com.google.api.gax.core.CredentialsProvider;
import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import io.github.flowablepubsub.engine.PubSubSettings;
import io.github.flowablepubsub.events.InboxListener;
import io.github.flowablepubsub.events.Measures;
import io.github.flowablepubsub.events.Observers;
import io.github.flowablepubsub.events.Tracing;
import io.github.flowablepubsub.inbox.ArchiveHook;
import io.github.flowablepubsub.inbox.FailureKind;
import io.github.flowablepubsub.inbox.Hooks;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.inbox.StoreHook;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.relay.FailureClassifier;
import io.github.flowablepubsub.relay.RelayListener;
import io.github.flowablepubsub.subscriber.PubSubConnection;
import java.util.List;
import java.util.stream.Stream;
import org.flowable.app.spring.SpringAppEngineConfiguration;
import org.flowable.engine.ProcessEngine;
import org.flowable.spring.SpringProcessEngineConfiguration;
import org.flowable.spring.boot.EngineConfigurationConfigurer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Adds the channel type {@code pubsub} to the app's process engine. Uses Spring Cloud GCP's credentials and properties
 * where they are.
 */
@AutoConfiguration(
        beforeName = {
            "org.flowable.spring.boot.ProcessEngineAutoConfiguration",
            "org.flowable.spring.boot.app.AppEngineAutoConfiguration",
            "org.flowable.spring.boot.eventregistry.EventRegistryAutoConfiguration"
        },
        afterName = "com.google.cloud.spring.autoconfigure.core.GcpContextAutoConfiguration")
@ConditionalOnClass({ProcessEngine.class, SpringProcessEngineConfiguration.class})
@ConditionalOnProperty(prefix = "flowable.pubsub", name = "enabled", havingValue = "true", matchIfMissing = true)
@EnableConfigurationProperties(PubSubProperties.class)
public class PubSubAutoConfiguration {

    /** The plugin; replace it to set what properties can't. */
    @Bean
    @ConditionalOnMissingBean
    PubSubEngineConfigurator pubSubEngineConfigurator(
            PubSubProperties properties,
            Environment environment,
            ObjectProvider<CredentialsProvider> credentials,
            ObjectProvider<RelayListener> listeners,
            ObjectProvider<FailureClassifier> classifiers,
            ObjectProvider<StoreHook> storeHooks,
            ObjectProvider<ArchiveHook> archiveHooks,
            ObjectProvider<InboxListener> inboxListeners,
            ObjectProvider<Measures> measures,
            ObjectProvider<Tracing> tracing,
            ApplicationEventPublisher applicationEvents) {
        PubSubConnection connection = new PubSubConnection(
                firstSet(
                        properties.projectId(),
                        environment.getProperty("spring.cloud.gcp.pubsub.project-id"),
                        environment.getProperty("spring.cloud.gcp.project-id"),
                        environment.getProperty("GOOGLE_CLOUD_PROJECT")),
                firstSet(
                        properties.emulatorHost(),
                        environment.getProperty("spring.cloud.gcp.pubsub.emulator-host"),
                        environment.getProperty("PUBSUB_EMULATOR_HOST")),
                credentials.getIfUnique());
        return new PubSubEngineConfigurator(new PubSubSettings(
                connection,
                properties.relay().toSettings(),
                properties.retention().toSettings(),
                properties.admin().toSettings(),
                properties.subscriber().enabled(),
                properties.stopTimeout(),
                properties.subscriber().databasePatience(),
                properties.subscriber().maxSilence(),
                environment::resolveRequiredPlaceholders,
                ChannelDefaultsReader.toDefaults(properties.policy(), properties.consumer()),
                false,
                all(listeners.orderedStream().toList()),
                first(classifiers.orderedStream().toList()),
                Hooks.of(
                        storeHooks.orderedStream().toList(),
                        archiveHooks.orderedStream().toList()),
                new Observers(
                        Stream.concat(inboxListeners.orderedStream(), Stream.of(applicationEvents::publishEvent))
                                .toList(),
                        measures.getIfUnique(() -> Measures.NONE),
                        tracing.getIfUnique(() -> Tracing.NONE))));
    }

    /** Hooks the plugin into the process engine. */
    @Bean
    EngineConfigurationConfigurer<SpringProcessEngineConfiguration> pubSubProcessEngineConfigurer(
            PubSubEngineConfigurator configurator) {
        return engine -> engine.addConfigurator(configurator);
    }

    /** Hooks the plugin into the app engine, which owns schema and event registry where it is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SpringAppEngineConfiguration.class)
    static class AppEngine {

        @Bean
        EngineConfigurationConfigurer<SpringAppEngineConfiguration> pubSubAppEngineConfigurer(
                PubSubEngineConfigurator configurator) {
            return engine -> engine.addConfigurator(configurator);
        }
    }

    /** What operators do with messages. */
    @Bean
    @ConditionalOnMissingBean
    PubSubInboxService pubSubInboxService(PubSubEngineConfigurator configurator, ProcessEngine engine) {
        return configurator.runtime().inbox();
    }

    /** Starts and stops with the application context. */
    @Bean
    PubSubLifecycle pubSubLifecycle(PubSubEngineConfigurator configurator, ProcessEngine engine) {
        return new PubSubLifecycle(configurator, engine);
    }

    private static @Nullable String firstSet(@Nullable String... values) {
        for (String value : values) {
            if (value != null && !value.isBlank()) {
                return value;
            }
        }
        return null;
    }

    /** The first that has an opinion. */
    private static FailureClassifier first(List<FailureClassifier> classifiers) {
        return failure -> {
            for (FailureClassifier classifier : classifiers) {
                FailureKind kind = classifier.classify(failure);
                if (kind != null) {
                    return kind;
                }
            }
            return null;
        };
    }

    private static RelayListener all(List<RelayListener> listeners) {
        return (InboxRow row, RowChange change) -> listeners.forEach(listener -> listener.changed(row, change));
    }
}
