package io.github.flowablepubsub.channel;

import org.flowable.common.engine.api.scope.ScopeTypes;
import org.flowable.eventregistry.api.EventDefinitionQuery;
import org.flowable.eventregistry.api.EventRepositoryService;
import org.flowable.eventregistry.api.FlowableEventInfo;
import org.flowable.eventregistry.api.InboundEventTenantDetector;
import org.flowable.eventregistry.impl.EventRegistryEngineConfiguration;
import org.flowable.eventregistry.impl.FlowableEventInfoImpl;
import org.flowable.eventregistry.impl.pipeline.DefaultInboundEventProcessingPipeline;
import org.jspecify.annotations.Nullable;

/**
 * What a stock pipeline detects in a message before it looks for the event's definition.
 *
 * @param key key of the event
 * @param tenantId tenant of the event, null when there is none
 */
record DetectedEvent(String key, @Nullable String tenantId) {

    /** Null when there is no key, or it can't be detected, or the pipeline is an app's own. */
    static @Nullable DetectedEvent of(RegisteredChannel channel, PubSubInboundEvent event) {
        if (!(channel.pipeline() instanceof DefaultInboundEventProcessingPipeline<?>)) {
            return null;
        }
        try {
            return detect((DefaultInboundEventProcessingPipeline<?>) channel.pipeline(), channel, event);
        } catch (RuntimeException | StackOverflowError e) {
            return null; // it is this failure that made the message unreadable, and it is reported already
        }
    }

    private static <T> @Nullable DetectedEvent detect(
            DefaultInboundEventProcessingPipeline<T> pipeline, RegisteredChannel channel, PubSubInboundEvent event) {
        FlowableEventInfo<T> info =
                new FlowableEventInfoImpl<>(event, pipeline.deserialize(event.getBody()), channel.model());
        String key = pipeline.detectEventDefinitionKey(info);
        if (key == null || key.isBlank()) {
            return null;
        }
        InboundEventTenantDetector<T> tenants = pipeline.getInboundEventTenantDetector();
        String tenantId = tenants == null ? null : tenants.detectTenantId(info);
        return new DetectedEvent(key, tenantId == null || tenantId.isEmpty() ? null : tenantId);
    }

    /**
     * Whether the registry has no definition of it where Flowable looks: in its own tenant, and in the default tenant where
     * {@code fallbackToDefaultTenant} is set.
     */
    boolean isUnknown(EventRepositoryService repository, EventRegistryEngineConfiguration registry) {
        if (tenantId == null) {
            return count(repository, null) == 0;
        }
        if (count(repository, tenantId) > 0) {
            return false;
        }
        return !registry.isFallbackToDefaultTenant()
                || count(
                                repository,
                                registry.getDefaultTenantProvider()
                                        .getDefaultTenant(tenantId, ScopeTypes.EVENT_REGISTRY, key))
                        == 0;
    }

    /** Without a tenant, Flowable looks in all. */
    private long count(EventRepositoryService repository, @Nullable String tenant) {
        EventDefinitionQuery query = repository.createEventDefinitionQuery().eventDefinitionKey(key);
        return (tenant == null || tenant.isEmpty() ? query : query.tenantId(tenant)).count();
    }
}
