package io.github.flowablepubsub.server;

import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Topic;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** One topic. Its lock makes the order of publication the same for all its subscriptions. */
final class LiveTopic {

    private final Topic config;
    private final Supplier<Timestamp> clock;
    private final Set<LiveSubscription> subscriptions = new LinkedHashSet<>();

    LiveTopic(Topic config, Supplier<Timestamp> clock) {
        this.config = config;
        this.clock = clock;
    }

    Topic config() {
        return config;
    }

    synchronized void attach(LiveSubscription subscription) {
        subscriptions.add(subscription);
    }

    synchronized void detach(LiveSubscription subscription) {
        subscriptions.remove(subscription);
    }

    synchronized List<String> subscriptionNames() {
        return subscriptions.stream()
                .map(subscription -> subscription.config().getName())
                .toList();
    }

    synchronized void delete() {
        subscriptions.forEach(LiveSubscription::topicDeleted);
        subscriptions.clear();
    }

    /** Hands the messages to all subscriptions; returns their ids in order. */
    List<String> publish(List<PubsubMessage> messages) {
        Limits.requirePublishable(messages);
        return accept(messages);
    }

    /** As {@link #publish} for messages of this server's own, which may be beyond the limits. */
    synchronized List<String> accept(List<PubsubMessage> messages) {
        // One time for the request, as the service has it: it does not order messages by itself.
        Timestamp time = clock.get();
        List<PubsubMessage> published = new ArrayList<>(messages.size());
        for (PubsubMessage message : messages) {
            published.add(message.toBuilder()
                    .setMessageId(MessageIds.next())
                    .setPublishTime(time)
                    .build());
        }
        subscriptions.forEach(subscription -> subscription.enqueue(published));
        return published.stream().map(PubsubMessage::getMessageId).toList();
    }
}
