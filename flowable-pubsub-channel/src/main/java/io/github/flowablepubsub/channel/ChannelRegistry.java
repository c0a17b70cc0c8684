package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.ChannelId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.flowable.common.engine.api.FlowableIllegalArgumentException;
import org.flowable.eventregistry.api.ChannelDefinition;
import org.flowable.eventregistry.api.EventRepositoryService;
import org.flowable.eventregistry.model.ChannelModel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger log = LoggerFactory.getLogger(ChannelRegistry.class);

    private final ChannelParser parser;
    private final UnaryOperator<String> fullName;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Map<ChannelId, RegisteredChannel> channels = new ConcurrentHashMap<>();
    /** Subscriptions of channels that are being deployed right now. */
    private final Map<ChannelId, String> claims = new ConcurrentHashMap<>();

    private volatile Set<String> correlationVariables = Set.of();

    /** Once everything that was deployed at the start is known. */
    private volatile boolean following;

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

    /** Whether a channel delivers plain BPMN messages by a process variable of this name; costs next to nothing. */
    public boolean correlatesBy(String variable) {
        return correlationVariables.contains(variable);
    }

    /** Process variables by which channels deliver plain BPMN messages. */
    public Set<String> correlationVariables() {
        return correlationVariables;
    }

    /**
     * Reads the latest deployed definitions and brings this node in line with them. A channel that can't be resolved keeps
     * what it had, and hinders no other one.
     *
     * @throws RuntimeException the first failure, after everything else was done
     */
    public synchronized void reconcile(RememberedDefinitions definitions) {
        EventRepositoryService repository = definitions.repository();
        Map<ChannelId, ChannelDefinition> deployed = deployed(repository);
        for (ChannelId known : List.copyOf(channels.keySet())) {
            if (!deployed.containsKey(known)) {
                channels.remove(known);
                listeners.forEach(listener -> listener.channelGone(known));
            }
        }
        RuntimeException failure = null;
        for (Map.Entry<ChannelId, ChannelDefinition> entry : deployed.entrySet()) {
            try {
                register(
                        entry.getKey(),
                        repository.getChannelModelById(entry.getValue().getId()),
                        deployed.keySet(),
                        definitions);
            } catch (RuntimeException e) {
                log.error("Channel {} can't be registered: {}", entry.getKey(), e.toString());
                failure = failure == null ? e : failure;
            }
        }
        correlationVariables = channels.values().stream()
                .map(channel -> channel.config().correlation())
                .filter(Objects::nonNull)
                .map(MessageCorrelation::variable)
                .collect(Collectors.toUnmodifiableSet());
        claims.clear(); // superseded versions leave some; what is still being deployed is judged at its own round
        following = true;
        if (failure != null) {
            throw failure;
        }
    }

    private void register(
            ChannelId id, ChannelModel found, Set<ChannelId> deployed, RememberedDefinitions definitions) {
        if (!(found instanceof PubSubInboundChannelModel model) || model.getInboundEventProcessingPipeline() == null) {
            throw new IllegalStateException("Channel " + id + " has no inbound pipeline; redeploy it");
        }
        RegisteredChannel channel = new RegisteredChannel(id, parser.parse(model), model);
        String subscription = fullName.apply(channel.config().subscription());
        channels.forEach((other, theirs) -> {
            if (!other.equals(id) && deployed.contains(other) && subscription.equals(fullName(theirs))) {
                throw shared(id, other, subscription);
            }
        });
        CheckedKeyDetector.install(channel.pipeline(), model.getEventKeyAttribute());
        definitions.install(channel.pipeline());
        RegisteredChannel before = channels.put(id, channel);
        if (before == null || before.model() != model) {
            listeners.forEach(listener -> listener.channelAvailable(channel));
        }
    }

    private String fullName(RegisteredChannel channel) {
        return fullName.apply(channel.config().subscription());
    }

    private static Map<ChannelId, ChannelDefinition> deployed(EventRepositoryService repository) {
        Map<ChannelId, ChannelDefinition> deployed = new HashMap<>();
        for (ChannelDefinition definition :
                repository.createChannelDefinitionQuery().latestVersion().list()) {
            if (PubSubChannelModelProcessor.TYPE.equals(definition.getImplementation())) {
                deployed.put(id(definition.getKey(), definition.getTenantId()), definition);
            }
        }
        return deployed;
    }

    /**
     * Refuses a second channel on a subscription: they would steal each other's messages.
     *
     * @throws FlowableIllegalArgumentException naming both channels
     */
    ChannelId requireOwnSubscription(
            PubSubInboundChannelModel model, @Nullable String tenantId, EventRepositoryService repository) {
        ChannelId id = id(model.getKey(), tenantId);
        String subscription = fullName.apply(parser.parse(model).subscription());
        if (!following) {
            claims.put(id, subscription);
            return id; // at boot Flowable registers superseded versions, too: judged when all are known
        }
        Map<ChannelId, String> taken = new HashMap<>();
        channels.forEach((other, channel) -> taken.put(other, fullName(channel)));
        taken.keySet().retainAll(deployed(repository).keySet()); // this node may not know yet what was undeployed
        taken.putAll(claims); // what is being deployed counts, not what it replaces
        taken.forEach((other, theirs) -> {
            if (!other.equals(id) && theirs.equals(subscription)) {
                throw shared(id, other, subscription);
            }
        });
        claims.put(id, subscription);
        return id;
    }

    private static FlowableIllegalArgumentException shared(ChannelId id, ChannelId other, String subscription) {
        return new FlowableIllegalArgumentException(
                "Channel " + id + " can't be deployed: its subscription " + subscription
                        + " is the one of channel " + other + ", and each would get only a part of the messages."
                        + " Create a subscription of its own on the topic, or use the other channel.");
    }

    /** The deployment of this channel was rolled back. */
    void releaseClaim(ChannelId id) {
        claims.remove(id);
    }

    static ChannelId id(String key, @Nullable String tenantId) {
        return new ChannelId(key, tenantId == null ? "" : tenantId);
    }
}
