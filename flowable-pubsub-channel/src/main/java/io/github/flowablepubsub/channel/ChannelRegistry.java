package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.ChannelId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.flowable.common.engine.api.FlowableIllegalArgumentException;
import org.flowable.eventregistry.api.ChannelDefinition;
import org.flowable.eventregistry.api.EventRepositoryService;
import org.jspecify.annotations.Nullable;

/**
 * The channels that this node knows (rule R10). It follows what is deployed, not what Flowable registers and
 * unregisters: after each deployment, undeployment and once in a while it reads the latest definitions and tells its
 * listeners the difference. Thread safe.
 */
public final class ChannelRegistry {

    /** Is told which channels are there now; called by one thread at a time. */
    public interface Listener {
        /** A channel is new or changed, with its pipeline in place. */
        void channelAvailable(RegisteredChannel channel);

        /** A channel is gone: undeployed. */
        void channelGone(ChannelId channel);
    }

    private final ChannelParser parser;
    private final UnaryOperator<String> fullName;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Map<ChannelId, RegisteredChannel> channels = new ConcurrentHashMap<>();
    /** Subscriptions of channels that are being deployed right now. */
    private final Map<ChannelId, String> claims = new ConcurrentHashMap<>();

    /**
     * @param parser checks files
     * @param fullName full name of a subscription, so that a short and a full name of the same one are seen as equal
     */
    public ChannelRegistry(ChannelParser parser, UnaryOperator<String> fullName) {
        this.parser = parser;
        this.fullName = fullName;
    }

    /** Adds a listener; it hears of changes from now on. */
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /** The channel, when this node knows it. */
    public Optional<RegisteredChannel> find(ChannelId id) {
        return Optional.ofNullable(channels.get(id));
    }

    /** All channels that this node knows. */
    public Collection<RegisteredChannel> all() {
        return new ArrayList<>(channels.values());
    }

    /** Reads the latest deployed definitions and brings this node in line with them. */
    public synchronized void reconcile(EventRepositoryService repository) {
        Map<ChannelId, RegisteredChannel> deployed = deployed(repository);
        for (ChannelId known : List.copyOf(channels.keySet())) {
            if (!deployed.containsKey(known)) {
                channels.remove(known);
                listeners.forEach(listener -> listener.channelGone(known));
            }
        }
        deployed.forEach((id, channel) -> {
            RegisteredChannel before = channels.put(id, channel);
            if (before == null || before.model() != channel.model()) {
                listeners.forEach(listener -> listener.channelAvailable(channel));
            }
        });
        claims.clear();
    }

    private Map<ChannelId, RegisteredChannel> deployed(EventRepositoryService repository) {
        Map<ChannelId, RegisteredChannel> deployed = new HashMap<>();
        for (ChannelDefinition definition :
                repository.createChannelDefinitionQuery().latestVersion().list()) {
            if (PubSubChannelModelProcessor.TYPE.equals(definition.getImplementation())
                    && repository.getChannelModelById(definition.getId()) instanceof PubSubInboundChannelModel model
                    && model.getInboundEventProcessingPipeline() != null) {
                ChannelId id = id(model.getKey(), definition.getTenantId());
                RegisteredChannel channel = new RegisteredChannel(id, parser.parse(model), model);
                CheckedKeyDetector.install(channel.pipeline());
                deployed.put(id, channel);
            }
        }
        return deployed;
    }

    /**
     * Refuses a second channel on a subscription: they would steal each other's messages.
     *
     * @throws FlowableIllegalArgumentException naming both channels
     */
    ChannelId requireOwnSubscription(PubSubInboundChannelModel model, @Nullable String tenantId) {
        ChannelId id = id(model.getKey(), tenantId);
        String subscription = fullName.apply(parser.parse(model).subscription());
        Map<ChannelId, String> taken = new HashMap<>();
        channels.forEach((other, channel) ->
                taken.put(other, fullName.apply(channel.config().subscription())));
        taken.putAll(claims); // what is being deployed counts, not what it replaces
        taken.forEach((other, theirs) -> {
            if (!other.equals(id) && theirs.equals(subscription)) {
                throw new FlowableIllegalArgumentException("Channel " + id + " can't be deployed: its subscription "
                        + subscription + " is the one of channel " + other
                        + ", and each would get only a part of the messages."
                        + " Create a subscription of its own on the topic, or use the other channel.");
            }
        });
        claims.put(id, subscription);
        return id;
    }

    /** The deployment of this channel was rolled back. */
    void releaseClaim(ChannelId id) {
        claims.remove(id);
    }

    static ChannelId id(String key, @Nullable String tenantId) {
        return new ChannelId(key, tenantId == null ? "" : tenantId);
    }
}
