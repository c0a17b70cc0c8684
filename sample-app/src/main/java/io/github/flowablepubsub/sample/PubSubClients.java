package io.github.flowablepubsub.sample;

import com.google.api.gax.core.CredentialsProvider;
import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.rpc.TransportChannelProvider;
import com.google.cloud.pubsub.v1.Publisher;
import com.google.cloud.pubsub.v1.SubscriptionAdminSettings;
import com.google.cloud.pubsub.v1.TopicAdminSettings;
import com.google.pubsub.v1.TopicName;
import io.github.flowablepubsub.starter.PubSubProperties;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Google's own clients, for the same endpoint and with the same credentials as the channel's. */
@Component
class PubSubClients {

    private final String project;
    private final @Nullable String emulatorHost;
    private final @Nullable CredentialsProvider credentials;

    PubSubClients(PubSubProperties properties, ObjectProvider<CredentialsProvider> credentials) {
        this.project = Objects.requireNonNull(properties.projectId(), "set by PubSubEndpoint");
        this.emulatorHost = properties.emulatorHost();
        this.credentials = emulatorHost == null
                ? credentials.getIfAvailable()
                : (CredentialsProvider) NoCredentialsProvider.create();
    }

    String project() {
        return project;
    }

    Publisher publisher(String topic) throws IOException {
        Publisher.Builder builder = Publisher.newBuilder(TopicName.of(project, topic));
        if (credentials != null) {
            builder.setCredentialsProvider(credentials);
        }
        return (emulatorHost == null ? builder : builder.setChannelProvider(plainText(emulatorHost))).build();
    }

    TopicAdminSettings topicAdmin() throws IOException {
        TopicAdminSettings.Builder builder = TopicAdminSettings.newBuilder();
        if (credentials != null) {
            builder.setCredentialsProvider(credentials);
        }
        if (emulatorHost != null) {
            builder.setTransportChannelProvider(plainText(emulatorHost));
        }
        return builder.build();
    }

    SubscriptionAdminSettings subscriptionAdmin() throws IOException {
        SubscriptionAdminSettings.Builder builder = SubscriptionAdminSettings.newBuilder();
        if (credentials != null) {
            builder.setCredentialsProvider(credentials);
        }
        if (emulatorHost != null) {
            builder.setTransportChannelProvider(plainText(emulatorHost));
        }
        return builder.build();
    }

    private static TransportChannelProvider plainText(String host) {
        return TopicAdminSettings.defaultGrpcTransportProviderBuilder()
                .setEndpoint(host)
                .setChannelConfigurator(channel -> channel.usePlaintext())
                .build();
    }
}
