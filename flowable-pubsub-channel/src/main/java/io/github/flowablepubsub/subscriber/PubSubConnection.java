package io.github.flowablepubsub.subscriber;

import com.google.api.gax.batching.FlowControlSettings;
import com.google.api.gax.core.CredentialsProvider;
import com.google.api.gax.core.InstantiatingExecutorProvider;
import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.cloud.pubsub.v1.MessageReceiverWithAckResponse;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.cloud.pubsub.v1.SubscriberShutdownSettings;
import com.google.cloud.pubsub.v1.SubscriberShutdownSettings.ShutdownMode;
import com.google.cloud.pubsub.v1.SubscriptionAdminClient;
import com.google.cloud.pubsub.v1.SubscriptionAdminSettings;
import com.google.pubsub.v1.Subscription;
import io.github.flowablepubsub.channel.ConsumerSettings;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How this app reaches Pub/Sub.
 *
 * @param projectId project of subscriptions that are given by their short name; null when all are full names
 * @param emulatorHost {@code host:port} of an emulator, reached in plain text and without credentials; null for Google
 * @param credentials null for the application default credentials
 */
public record PubSubConnection(
        @Nullable String projectId, @Nullable String emulatorHost, @Nullable CredentialsProvider credentials) {

    /** Pub/Sub messages have up to 10 MB, a response carries several. */
    private static final int MAX_INBOUND_BYTES = 25 * 1024 * 1024;

    /** Of {@code GOOGLE_CLOUD_PROJECT} and {@code PUBSUB_EMULATOR_HOST}, as Google's own tools read them. */
    public static PubSubConnection fromEnvironment() {
        return new PubSubConnection(System.getenv("GOOGLE_CLOUD_PROJECT"), System.getenv("PUBSUB_EMULATOR_HOST"), null);
    }

    /**
     * Full name of a subscription: a short name gets this connection's project. Without one it stays as it is.
     */
    public String fullName(String subscription) {
        return subscription.startsWith("projects/") || projectId == null
                ? subscription
                : "projects/" + projectId + "/subscriptions/" + subscription;
    }

    /** A subscriber of the client library that is not started yet. It closes its connection when it ends. */
    Subscriber subscriber(
            String subscription, ConsumerSettings settings, MessageReceiverWithAckResponse receiver, Duration stop) {
        String fullName = fullName(subscription);
        if (!fullName.startsWith("projects/")) {
            throw new IllegalStateException("Subscription " + subscription + " is a short name and no project is known."
                    + " Set flowable.pubsub.project-id (or GOOGLE_CLOUD_PROJECT), or write projects/P/subscriptions/"
                    + subscription + " in the channel.");
        }
        Subscriber.Builder builder = Subscriber.newBuilder(fullName, receiver)
                .setParallelPullCount(settings.parallelPullCount())
                .setFlowControlSettings(FlowControlSettings.newBuilder()
                        .setMaxOutstandingElementCount(settings.maxOutstandingMessages())
                        .setMaxOutstandingRequestBytes(settings.maxOutstandingBytes())
                        .build())
                // One thread, which only queues: more would mix up the order of the stream.
                .setExecutorProvider(InstantiatingExecutorProvider.newBuilder()
                        .setExecutorThreadCount(1)
                        .build())
                .setMaxAckExtensionPeriodDuration(settings.maxAckExtension())
                .setSubscriberShutdownSettings(SubscriberShutdownSettings.newBuilder()
                        .setMode(ShutdownMode.WAIT_FOR_PROCESSING)
                        .setTimeout(stop)
                        .build());
        if (emulatorHost != null && !emulatorHost.isBlank()) {
            builder.setCredentialsProvider(NoCredentialsProvider.create()).setChannelProvider(plainText(emulatorHost));
        } else if (credentials != null) {
            builder.setCredentialsProvider(credentials);
        }
        return builder.build();
    }

    /**
     * The settings of a subscription, asked once and for so long.
     *
     * @param fullName with its project
     * @throws IOException when the client can't be made, as without credentials
     * @throws RuntimeException when the service does not answer, or refuses
     */
    Subscription settings(String fullName, Duration timeout) throws IOException {
        SubscriptionAdminSettings.Builder settings = SubscriptionAdminSettings.newBuilder();
        if (emulatorHost != null && !emulatorHost.isBlank()) {
            settings.setCredentialsProvider(NoCredentialsProvider.create())
                    .setTransportChannelProvider(plainText(emulatorHost));
        } else if (credentials != null) {
            settings.setCredentialsProvider(credentials);
        }
        settings.getSubscriptionSettings().setSimpleTimeoutNoRetriesDuration(timeout);
        try (SubscriptionAdminClient client = SubscriptionAdminClient.create(settings.build())) {
            return client.getSubscription(fullName);
        }
    }

    private static InstantiatingGrpcChannelProvider plainText(String host) {
        return SubscriptionAdminSettings.defaultGrpcTransportProviderBuilder()
                .setEndpoint(host)
                .setMaxInboundMessageSize(MAX_INBOUND_BYTES)
                .setChannelConfigurator(builder -> builder.usePlaintext())
                .build();
    }
}
