package io.github.flowablepubsub.bench;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.cloud.pubsub.v1.SubscriptionAdminSettings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The Pub/Sub client library as an application uses it, with its default settings but for the messages it may have in hand. */
final class Client implements AutoCloseable {

    private final Subscriber subscriber;

    private Client(Subscriber subscriber) {
        this.subscriber = subscriber;
    }

    static Client start(String endpoint, String subscription, MessageReceiver receiver) {
        Subscriber subscriber = Subscriber.newBuilder("projects/sample/subscriptions/" + subscription, receiver)
                .setFlowControlSettings(Subscriber.Builder.getDefaultFlowControlSettings().toBuilder()
                        .setMaxOutstandingElementCount(Models.OUTSTANDING)
                        .build())
                .setCredentialsProvider(NoCredentialsProvider.create())
                .setChannelProvider(SubscriptionAdminSettings.defaultGrpcTransportProviderBuilder()
                        .setEndpoint(endpoint)
                        .setChannelConfigurator(builder -> builder.usePlaintext())
                        .build())
                .build();
        subscriber.startAsync().awaitRunning();
        return new Client(subscriber);
    }

    @Override
    public void close() {
        try {
            subscriber.stopAsync().awaitTerminated(30, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("The subscriber does not stop", e);
        }
    }
}
