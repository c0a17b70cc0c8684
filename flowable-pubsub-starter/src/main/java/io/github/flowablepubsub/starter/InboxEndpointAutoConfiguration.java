package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.operations.PubSubInboxService;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Actuator endpoint {@code pubsubinbox}, where the actuator is there. Not exposed unless the app says so. */
@AutoConfiguration(after = PubSubAutoConfiguration.class)
@ConditionalOnClass(Endpoint.class)
@ConditionalOnBean(PubSubInboxService.class)
public class InboxEndpointAutoConfiguration {

    /** Replace it to show other things. */
    @Bean
    @ConditionalOnMissingBean
    InboxEndpoint pubSubInboxEndpoint(PubSubInboxService service, PubSubProperties properties) {
        return new InboxEndpoint(service, properties.admin().showPayload());
    }
}
