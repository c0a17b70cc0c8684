package io.github.flowablepubsub.server;

import com.google.protobuf.FieldMask;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import java.time.InstantSource;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** All topics and subscriptions by full name. Creation and deletion exclude each other; look-ups never wait. */
final class Registry implements DeadLetterTopics {

    private final InstantSource clock;
    private final ConcurrentSkipListMap<String, LiveTopic> topics = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<String, LiveSubscription> subscriptions = new ConcurrentSkipListMap<>();

    /** @param clock tells the publish times, and when the retention of a message is over */
    Registry(InstantSource clock) {
        this.clock = clock;
    }

    synchronized Topic createTopic(Topic config) {
        ResourceNames.requireTopic(config.getName());
        SupportedFields.require(config);
        if (topics.putIfAbsent(config.getName(), new LiveTopic(config, this::now)) != null) {
            throw Errors.exists(config.getName());
        }
        return config;
    }

    LiveTopic topic(String name) {
        LiveTopic topic = topics.get(name);
        if (topic == null) {
            throw Errors.notFound(name).asRuntimeException();
        }
        return topic;
    }

    NavigableMap<String, Topic> topics(String project) {
        String prefix = ResourceNames.prefix(project, "topics");
        TreeMap<String, Topic> found = new TreeMap<>();
        topics.tailMap(prefix).forEach((name, topic) -> {
            if (name.startsWith(prefix)) {
                found.put(name, topic.config());
            }
        });
        return found;
    }

    synchronized void deleteTopic(String name) {
        topic(name).delete();
        topics.remove(name);
    }

    @Override
    public boolean forward(String topic, PubsubMessage message) {
        LiveTopic found = topics.get(topic);
        if (found == null) {
            return false;
        }
        found.accept(List.of(message));
        return true;
    }

    List<String> publish(String topic, List<PubsubMessage> messages) {
        return topic(topic).publish(messages);
    }

    synchronized Subscription createSubscription(Subscription request) {
        String name = request.getName();
        ResourceNames.requireSubscription(name);
        ResourceNames.requireTopic(request.getTopic());
        SupportedFields.require(request);
        if (subscriptions.containsKey(name)) {
            throw Errors.exists(name);
        }
        LiveTopic topic = topic(request.getTopic());
        Subscription config = SubscriptionConfig.complete(request);
        requireDeadLetterTopic(config);
        LiveSubscription subscription = new LiveSubscription(config, this);
        // Known by name before the first message can reach it.
        subscriptions.put(name, subscription);
        topic.attach(subscription);
        return subscription.config();
    }

    synchronized Subscription updateSubscription(Subscription request, FieldMask mask) {
        LiveSubscription subscription = subscription(request.getName());
        Subscription config = SubscriptionConfig.update(subscription.config(), request, mask);
        requireDeadLetterTopic(config);
        subscription.reconfigure(config);
        return config;
    }

    LiveSubscription subscription(String name) {
        LiveSubscription subscription = subscriptions.get(name);
        if (subscription == null) {
            throw Errors.notFound(name).asRuntimeException();
        }
        return subscription;
    }

    NavigableMap<String, Subscription> subscriptions(String project) {
        String prefix = ResourceNames.prefix(project, "subscriptions");
        TreeMap<String, Subscription> found = new TreeMap<>();
        subscriptions.tailMap(prefix).forEach((name, subscription) -> {
            if (name.startsWith(prefix)) {
                found.put(name, subscription.config());
            }
        });
        return found;
    }

    synchronized void deleteSubscription(String name) {
        LiveSubscription subscription = subscription(name);
        subscriptions.remove(name);
        LiveTopic topic = topics.get(subscription.config().getTopic());
        if (topic != null) {
            topic.detach(subscription);
        }
        subscription.delete();
    }

    void seek(String subscription, Timestamp time) {
        subscription(subscription).seek(time, now());
    }

    /** Gives back the messages whose ack deadline is over, and offers those whose back-off is. */
    void sweep() {
        long nanoTime = System.nanoTime();
        Timestamp now = now();
        subscriptions.values().forEach(subscription -> {
            subscription.sweep(nanoTime);
            subscription.forget(now);
        });
    }

    /** In milliseconds, as the service has it. */
    private Timestamp now() {
        return Timestamps.fromMillis(clock.millis());
    }

    private void requireDeadLetterTopic(Subscription config) {
        if (config.hasDeadLetterPolicy()) {
            topic(config.getDeadLetterPolicy().getDeadLetterTopic());
        }
    }
}
