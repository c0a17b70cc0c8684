package io.github.flowablepubsub.sample;

import com.google.api.gax.rpc.AlreadyExistsException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.cloud.pubsub.v1.SubscriptionAdminClient;
import com.google.cloud.pubsub.v1.TopicAdminClient;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.SubscriptionName;
import com.google.pubsub.v1.TopicName;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Creates topic and subscription when they are missing and this app may. A bean is made before any consumer starts. */
@Component
class TopicAndSubscription {

    private static final Logger log = LoggerFactory.getLogger(TopicAndSubscription.class);

    private static final int ACK_DEADLINE_SECONDS = 60;

    TopicAndSubscription(PubSubClients clients, SampleProperties properties) throws IOException {
        TopicName topic = TopicName.of(clients.project(), properties.topic());
        Subscription subscription = Subscription.newBuilder()
                .setName(SubscriptionName.of(clients.project(), properties.subscription())
                        .toString())
                .setTopic(topic.toString())
                .setAckDeadlineSeconds(ACK_DEADLINE_SECONDS)
                .build();
        try (TopicAdminClient topics = TopicAdminClient.create(clients.topicAdmin());
                SubscriptionAdminClient subscriptions = SubscriptionAdminClient.create(clients.subscriptionAdmin())) {
            create(topic.toString(), () -> topics.createTopic(topic));
            create(subscription.getName(), () -> subscriptions.createSubscription(subscription));
        }
    }

    private static void create(String name, Runnable create) {
        try {
            create.run();
        } catch (AlreadyExistsException e) {
            log.debug("{} is there", name);
        } catch (PermissionDeniedException e) {
            log.warn("This app may not create {}; it goes on, hoping that it is there", name);
        }
    }
}
