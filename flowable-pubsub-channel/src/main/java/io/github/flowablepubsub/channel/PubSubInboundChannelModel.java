package io.github.flowablepubsub.channel;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.flowable.eventregistry.model.ChannelEventKeyDetection;
import org.flowable.eventregistry.model.ChannelEventTenantIdDetection;
import org.flowable.eventregistry.model.InboundChannelModel;
import org.jspecify.annotations.Nullable;

/**
 * JSON of a {@code .channel} file of type {@code pubsub}: Flowable's inbound properties and {@code subscription},
 * {@code policy}, {@code consumer}, {@code correlation}.
 *
 * <p>Reading it never fails: what does not fit (an unknown property, an object where a text belongs) is kept for
 * {@link ChannelParser}, which refuses it with a message of its own. That is why every setter that Jackson uses takes any
 * value. Written, it is what Flowable compares to find out that a channel changed; what did not fit is not written.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public class PubSubInboundChannelModel extends InboundChannelModel {

    /** Value of {@code type} in the file. */
    public static final String TYPE = "pubsub";

    private @Nullable String subscription;
    private @Nullable String eventKeyAttribute;
    private @Nullable Map<String, Object> policy;
    private @Nullable Map<String, Object> consumer;
    private @Nullable Map<String, Object> correlation;
    private final Map<String, Object> outputNames = new TreeMap<>();
    private final Map<String, @Nullable Object> misfits = new LinkedHashMap<>();

    /** A channel with nothing but {@code channelType}, {@code type} and {@code deserializerType}. */
    public PubSubInboundChannelModel() {
        setType(TYPE);
        setDeserializerType(ChannelDefaults.DESERIALIZER_TYPE);
    }

    /** Short name, {@code projects/P/subscriptions/S}, or a placeholder until {@link ChannelParser} resolved it. */
    @JsonGetter("subscription")
    public @Nullable String getSubscription() {
        return subscription;
    }

    /** For models built in Java; Jackson uses a setter that takes anything, as for all properties. */
    @JsonIgnore
    public void setSubscription(@Nullable String subscription) {
        this.subscription = subscription;
    }

    /** The Pub/Sub attribute that names the event, or a placeholder; null for {@code channelEventKeyDetection} alone. */
    @JsonGetter("eventKeyAttribute")
    public @Nullable String getEventKeyAttribute() {
        return eventKeyAttribute;
    }

    /** For models built in Java. */
    @JsonIgnore
    public void setEventKeyAttribute(@Nullable String eventKeyAttribute) {
        this.eventKeyAttribute = eventKeyAttribute;
    }

    /** The {@code policy} object as in the file, with its placeholders. */
    @JsonGetter("policy")
    public @Nullable Map<String, Object> getPolicy() {
        return policy;
    }

    /** Takes a copy of the object as it would stand in the file; null for the defaults. */
    @JsonIgnore
    public void setPolicy(@Nullable Map<String, Object> policy) {
        this.policy = policy == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(policy));
    }

    /** The {@code consumer} object as in the file, with its placeholders. */
    @JsonGetter("consumer")
    public @Nullable Map<String, Object> getConsumer() {
        return consumer;
    }

    /** Takes a copy of the object as it would stand in the file; null for the defaults. */
    @JsonIgnore
    public void setConsumer(@Nullable Map<String, Object> consumer) {
        this.consumer = consumer == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(consumer));
    }

    /** The {@code correlation} object as in the file, with its placeholders. */
    @JsonGetter("correlation")
    public @Nullable Map<String, Object> getCorrelation() {
        return correlation;
    }

    /** Takes a copy of the object as it would stand in the file; null for receivers of the event registry. */
    @JsonIgnore
    public void setCorrelation(@Nullable Map<String, Object> correlation) {
        this.correlation = correlation == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(correlation));
    }

    /** Properties such as {@code messageIdOutputName}, with the payload fields that they name. */
    @JsonAnyGetter
    public Map<String, Object> getOutputNames() {
        return Collections.unmodifiableMap(outputNames);
    }

    /** For models built in Java. */
    public void setOutputName(Metadata metadata, String payloadField) {
        outputNames.put(metadata.property(), payloadField);
    }

    /** Everything that the file said, including what did not fit, as nested maps without empty texts. */
    Map<String, @Nullable Object> properties() {
        Map<String, @Nullable Object> all = ModelProperties.read(this);
        if (policy != null) {
            all.put("policy", policy);
        }
        if (consumer != null) {
            all.put("consumer", consumer);
        }
        if (correlation != null) {
            all.put("correlation", correlation);
        }
        all.putAll(outputNames);
        misfits.forEach((name, value) -> all.put(name, merged(all.get(name), value)));
        return all;
    }

    private static @Nullable Object merged(@Nullable Object fitting, @Nullable Object misfit) {
        if (fitting instanceof Map<?, ?> known && misfit instanceof Map<?, ?> other) {
            Map<Object, @Nullable Object> both = new LinkedHashMap<>(known);
            both.putAll(other);
            return both;
        }
        return misfit;
    }

    @JsonAnySetter
    void readUnknown(String name, @Nullable Object value) {
        boolean isText = value == null || !(value instanceof Map || value instanceof Iterable);
        if (!isText || !Metadata.properties().contains(name)) {
            misfits.put(name, value);
        } else if (value != null && !value.toString().isEmpty()) {
            outputNames.put(name, value.toString());
        }
    }

    @JsonSetter("policy")
    void readPolicy(@Nullable Object value) {
        setPolicy(object("policy", value));
    }

    @JsonSetter("consumer")
    void readConsumer(@Nullable Object value) {
        setConsumer(object("consumer", value));
    }

    @JsonSetter("correlation")
    void readCorrelation(@Nullable Object value) {
        setCorrelation(object("correlation", value));
    }

    @SuppressWarnings("unchecked") // Names of JSON properties are strings.
    private @Nullable Map<String, Object> object(String name, @Nullable Object value) {
        if (value instanceof Map) {
            return (Map<String, Object>) value;
        }
        if (value != null) {
            misfits.put(name, value);
        }
        return null;
    }

    @JsonSetter("channelEventKeyDetection")
    void readEventKeyDetection(@Nullable Object value) {
        setChannelEventKeyDetection(value instanceof Map ? new ChannelEventKeyDetection() : null);
        readNested("channelEventKeyDetection", value);
    }

    @JsonSetter("channelEventTenantIdDetection")
    void readTenantDetection(@Nullable Object value) {
        setChannelEventTenantIdDetection(value instanceof Map ? new ChannelEventTenantIdDetection() : null);
        readNested("channelEventTenantIdDetection", value);
    }

    private void readNested(String name, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            read(name, value);
            return;
        }
        Map<Object, @Nullable Object> rest = new LinkedHashMap<>();
        map.forEach((key, nested) -> {
            if (!ModelProperties.write(this, name + "." + key, nested)) {
                rest.put(key, nested);
            }
        });
        if (!rest.isEmpty()) {
            misfits.put(name, rest);
        }
    }

    private void read(String name, @Nullable Object value) {
        if (value != null && !ModelProperties.write(this, name, value)) {
            misfits.put(name, value);
        }
    }

    @JsonSetter("subscription")
    void readSubscription(@Nullable Object value) {
        read("subscription", value);
    }

    @JsonSetter("eventKeyAttribute")
    void readEventKeyAttribute(@Nullable Object value) {
        read("eventKeyAttribute", value);
    }

    @JsonSetter("key")
    void readKey(@Nullable Object value) {
        read("key", value);
    }

    @JsonSetter("name")
    void readName(@Nullable Object value) {
        read("name", value);
    }

    @JsonSetter("description")
    void readDescription(@Nullable Object value) {
        read("description", value);
    }

    @JsonSetter("category")
    void readCategory(@Nullable Object value) {
        read("category", value);
    }

    @JsonSetter("deserializerType")
    void readDeserializerType(@Nullable Object value) {
        read("deserializerType", value);
    }

    @JsonSetter("contextExtractorDelegateExpression")
    void readContextExtractorDelegateExpression(@Nullable Object value) {
        read("contextExtractorDelegateExpression", value);
    }

    @JsonSetter("deserializerDelegateExpression")
    void readDeserializerDelegateExpression(@Nullable Object value) {
        read("deserializerDelegateExpression", value);
    }

    @JsonSetter("eventFilterDelegateExpression")
    void readEventFilterDelegateExpression(@Nullable Object value) {
        read("eventFilterDelegateExpression", value);
    }

    @JsonSetter("payloadExtractorDelegateExpression")
    void readPayloadExtractorDelegateExpression(@Nullable Object value) {
        read("payloadExtractorDelegateExpression", value);
    }

    @JsonSetter("headerExtractorDelegateExpression")
    void readHeaderExtractorDelegateExpression(@Nullable Object value) {
        read("headerExtractorDelegateExpression", value);
    }

    @JsonSetter("eventTransformerDelegateExpression")
    void readEventTransformerDelegateExpression(@Nullable Object value) {
        read("eventTransformerDelegateExpression", value);
    }

    @JsonSetter("pipelineDelegateExpression")
    void readPipelineDelegateExpression(@Nullable Object value) {
        read("pipelineDelegateExpression", value);
    }

    // Java properties of Flowable's class that are none of the file: Jackson would silently ignore them otherwise.

    @JsonProperty(value = "inboundEventChannelAdapter", access = JsonProperty.Access.WRITE_ONLY)
    void readAdapter(@Nullable Object value) {
        misfits.put("inboundEventChannelAdapter", value);
    }

    @JsonProperty(value = "inboundEventProcessingPipeline", access = JsonProperty.Access.WRITE_ONLY)
    void readPipeline(@Nullable Object value) {
        misfits.put("inboundEventProcessingPipeline", value);
    }
}
