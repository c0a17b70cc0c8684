package io.github.flowablepubsub.channel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.flowable.eventregistry.model.ChannelEventKeyDetection;
import org.flowable.eventregistry.model.ChannelEventTenantIdDetection;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a {@link PubSubInboundChannelModel} that Flowable's own classes read through getters: by path, to read them
 * from the file and to put the resolved values back.
 */
final class ModelProperties {

    private record Text(
            Function<PubSubInboundChannelModel, @Nullable String> getter,
            BiConsumer<PubSubInboundChannelModel, String> setter) {}

    private static final String KEY_DETECTION = "channelEventKeyDetection.";
    private static final String TENANT_DETECTION = "channelEventTenantIdDetection.";

    private static final Map<String, Text> TEXTS = new LinkedHashMap<>();

    static {
        add("channelType", PubSubInboundChannelModel::getChannelType, PubSubInboundChannelModel::setChannelType);
        add("type", PubSubInboundChannelModel::getType, PubSubInboundChannelModel::setType);
        add("key", PubSubInboundChannelModel::getKey, PubSubInboundChannelModel::setKey);
        add("name", PubSubInboundChannelModel::getName, PubSubInboundChannelModel::setName);
        add("description", PubSubInboundChannelModel::getDescription, PubSubInboundChannelModel::setDescription);
        add("category", PubSubInboundChannelModel::getCategory, PubSubInboundChannelModel::setCategory);
        add("subscription", PubSubInboundChannelModel::getSubscription, PubSubInboundChannelModel::setSubscription);
        add(
                "eventKeyAttribute",
                PubSubInboundChannelModel::getEventKeyAttribute,
                PubSubInboundChannelModel::setEventKeyAttribute);
        add(
                "deserializerType",
                PubSubInboundChannelModel::getDeserializerType,
                PubSubInboundChannelModel::setDeserializerType);
        add(
                "contextExtractorDelegateExpression",
                PubSubInboundChannelModel::getContextExtractorDelegateExpression,
                PubSubInboundChannelModel::setContextExtractorDelegateExpression);
        add(
                "deserializerDelegateExpression",
                PubSubInboundChannelModel::getDeserializerDelegateExpression,
                PubSubInboundChannelModel::setDeserializerDelegateExpression);
        add(
                "eventFilterDelegateExpression",
                PubSubInboundChannelModel::getEventFilterDelegateExpression,
                PubSubInboundChannelModel::setEventFilterDelegateExpression);
        add(
                "payloadExtractorDelegateExpression",
                PubSubInboundChannelModel::getPayloadExtractorDelegateExpression,
                PubSubInboundChannelModel::setPayloadExtractorDelegateExpression);
        add(
                "headerExtractorDelegateExpression",
                PubSubInboundChannelModel::getHeaderExtractorDelegateExpression,
                PubSubInboundChannelModel::setHeaderExtractorDelegateExpression);
        add(
                "eventTransformerDelegateExpression",
                PubSubInboundChannelModel::getEventTransformerDelegateExpression,
                PubSubInboundChannelModel::setEventTransformerDelegateExpression);
        add(
                "pipelineDelegateExpression",
                PubSubInboundChannelModel::getPipelineDelegateExpression,
                PubSubInboundChannelModel::setPipelineDelegateExpression);
        addKey("fixedValue", ChannelEventKeyDetection::getFixedValue, ChannelEventKeyDetection::setFixedValue);
        addKey("jsonField", ChannelEventKeyDetection::getJsonField, ChannelEventKeyDetection::setJsonField);
        addKey(
                "jsonPointerExpression",
                ChannelEventKeyDetection::getJsonPointerExpression,
                ChannelEventKeyDetection::setJsonPointerExpression);
        addKey(
                "xmlXPathExpression",
                ChannelEventKeyDetection::getXmlXPathExpression,
                ChannelEventKeyDetection::setXmlXPathExpression);
        addKey(
                "delegateExpression",
                ChannelEventKeyDetection::getDelegateExpression,
                ChannelEventKeyDetection::setDelegateExpression);
        addTenant(
                "fixedValue",
                ChannelEventTenantIdDetection::getFixedValue,
                ChannelEventTenantIdDetection::setFixedValue);
        addTenant(
                "jsonPointerExpression",
                ChannelEventTenantIdDetection::getJsonPointerExpression,
                ChannelEventTenantIdDetection::setJsonPointerExpression);
        addTenant(
                "xPathExpression",
                ChannelEventTenantIdDetection::getxPathExpression,
                ChannelEventTenantIdDetection::setxPathExpression);
        addTenant(
                "delegateExpression",
                ChannelEventTenantIdDetection::getDelegateExpression,
                ChannelEventTenantIdDetection::setDelegateExpression);
    }

    private ModelProperties() {}

    /** The texts of a model as nested maps; empty ones are left out, as Flowable takes them for not set. */
    static Map<String, @Nullable Object> read(PubSubInboundChannelModel model) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        if (model.getChannelEventKeyDetection() != null) {
            tree.put("channelEventKeyDetection", new LinkedHashMap<String, Object>());
        }
        if (model.getChannelEventTenantIdDetection() != null) {
            tree.put("channelEventTenantIdDetection", new LinkedHashMap<String, Object>());
        }
        TEXTS.forEach((path, text) -> {
            String value = text.getter().apply(model);
            if (value != null && !value.isEmpty()) {
                put(tree, path, value);
            }
        });
        return tree;
    }

    /**
     * Sets one text.
     *
     * @param value text, number or boolean; null for nothing to do
     * @return whether the model has such a text and the value fits
     */
    static boolean write(PubSubInboundChannelModel model, String path, @Nullable Object value) {
        Text text = TEXTS.get(path);
        if (text == null || value instanceof Map || value instanceof List) {
            return false;
        }
        if (value != null) {
            text.setter().accept(model, value.toString());
        }
        return true;
    }

    @SuppressWarnings("unchecked") // The nested maps are those of read(...).
    private static void put(Map<String, @Nullable Object> tree, String path, String value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            tree.put(path, value);
        } else if (tree.get(path.substring(0, dot)) instanceof Map<?, ?> nested) {
            ((Map<String, Object>) nested).put(path.substring(dot + 1), value);
        }
    }

    private static void add(
            String path,
            Function<PubSubInboundChannelModel, @Nullable String> getter,
            BiConsumer<PubSubInboundChannelModel, String> setter) {
        TEXTS.put(path, new Text(getter, setter));
    }

    private static void addKey(
            String name,
            Function<ChannelEventKeyDetection, @Nullable String> getter,
            BiConsumer<ChannelEventKeyDetection, String> setter) {
        add(
                KEY_DETECTION + name,
                m -> m.getChannelEventKeyDetection() == null ? null : getter.apply(m.getChannelEventKeyDetection()),
                (m, v) -> setter.accept(m.getChannelEventKeyDetection(), v));
    }

    private static void addTenant(
            String name,
            Function<ChannelEventTenantIdDetection, @Nullable String> getter,
            BiConsumer<ChannelEventTenantIdDetection, String> setter) {
        add(
                TENANT_DETECTION + name,
                m -> m.getChannelEventTenantIdDetection() == null
                        ? null
                        : getter.apply(m.getChannelEventTenantIdDetection()),
                (m, v) -> setter.accept(m.getChannelEventTenantIdDetection(), v));
    }
}
