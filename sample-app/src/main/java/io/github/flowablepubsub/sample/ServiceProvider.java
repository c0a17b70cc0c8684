package io.github.flowablepubsub.sample;

import com.google.api.core.ApiFuture;
import com.google.cloud.pubsub.v1.Publisher;
import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The simulated service provider ("Dienstleister"): publishes that an order is completed, to a real topic with Google's
 * client. It answers at once when an order is handed over, often before the process waits for it, unless the story wants
 * to decide when.
 */
@Component
class ServiceProvider implements DisposableBean {

    private static final int TIMEOUT_SECONDS = 10;

    private final Publisher publisher;
    private final Set<String> answeredByTheStory = ConcurrentHashMap.newKeySet();
    private final Map<String, ApiFuture<String>> answers = new ConcurrentHashMap<>();

    /**
     * @param topicAndSubscription only to be created before
     */
    ServiceProvider(
            PubSubClients clients,
            SampleProperties properties,
            @SuppressWarnings("unused") TopicAndSubscription topicAndSubscription)
            throws IOException {
        this.publisher = clients.publisher(properties.topic());
    }

    /** Called by the process. Does not wait for Pub/Sub. */
    void handOver(String auftragId, int positionen) {
        if (!answeredByTheStory.contains(auftragId)) {
            answers.put(auftragId, publish(completion(auftragId, positionen)));
        }
    }

    /** From now on only {@link #complete} answers this order. */
    void keepQuietAbout(String auftragId) {
        answeredByTheStory.add(auftragId);
    }

    /** Publishes the completion of an order and returns its message id. */
    String complete(String auftragId, int positionen) {
        return await(publish(completion(auftragId, positionen)));
    }

    /** Publishes any text and returns its message id. */
    String send(String text) {
        return await(publish(text));
    }

    /** Message id of the answer to an order, once it was handed over. */
    Optional<String> answerTo(String auftragId) {
        return Optional.ofNullable(answers.get(auftragId)).map(ServiceProvider::await);
    }

    private ApiFuture<String> publish(String text) {
        return publisher.publish(PubsubMessage.newBuilder()
                .setData(ByteString.copyFromUtf8(text))
                .putAttributes("absender", "dienstleister")
                .build());
    }

    private static String completion(String auftragId, int positionen) {
        return "{\"auftragId\": \"%s\", \"erledigtePositionen\": %d}".formatted(auftragId, positionen);
    }

    private static String await(ApiFuture<String> messageId) {
        try {
            return messageId.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("The service provider can't publish", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void destroy() throws InterruptedException {
        publisher.shutdown();
        var unused = publisher.awaitTermination(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}
