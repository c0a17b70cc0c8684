package io.github.flowablepubsub.channel;

import static io.github.flowablepubsub.channel.DurationValue.LONGEST;
import static io.github.flowablepubsub.channel.TextValue.EXPRESSION;
import static io.github.flowablepubsub.channel.TextValue.FREE;
import static io.github.flowablepubsub.channel.TextValue.JSON_POINTER;
import static io.github.flowablepubsub.channel.TextValue.NOT_BLANK;
import static io.github.flowablepubsub.channel.TextValue.XPATH;

import io.github.flowablepubsub.channel.Property.ByEvent;
import io.github.flowablepubsub.channel.Property.Later;
import io.github.flowablepubsub.channel.Property.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every property of the {@code .channel} file: one table, from which reading, refusing and hints follow. */
final class ChannelProperties {

    /** The longest that a Pub/Sub subscription retains a message; the client itself knows no upper limit. */
    private static final Duration LONGEST_RETENTION = Duration.ofDays(31);

    /** The shortest one. */
    private static final Duration SHORTEST_RETENTION = Duration.ofMinutes(10);

    private static final Duration ONE_MILLISECOND = Duration.ofMillis(1);

    private static final Choice PARK_OR_DISCARD = Choice.of(List.of("park", "discard"));

    private static final Map<String, Property> BY_PATH = new LinkedHashMap<>();

    /** Of each kind of metadata the property that names the payload field. */
    static final Map<Metadata, Value<String>> OUTPUT_NAMES = new EnumMap<>(Metadata.class);

    static final Value<String> KEY = value("key", TextValue.KEY);
    static final Value<String> SUBSCRIPTION = value("subscription", new SubscriptionName());
    static final Value<String> EVENT_KEY_ATTRIBUTE = value("eventKeyAttribute", NOT_BLANK);
    static final Value<String> FIXED_EVENT_KEY = value("channelEventKeyDetection.fixedValue", NOT_BLANK);
    static final Value<String> TRANSFORMER = value("eventTransformerDelegateExpression", EXPRESSION);
    static final Value<String> DESERIALIZER_TYPE = value(
            "deserializerType", Choice.of(List.of("json", "xml", "expression")), ChannelDefaults.DESERIALIZER_TYPE);
    static final Value<String> DESERIALIZER = value("deserializerDelegateExpression", EXPRESSION);
    static final Value<String> PAYLOAD_EXTRACTOR = value("payloadExtractorDelegateExpression", EXPRESSION);
    static final Value<String> PIPELINE = value("pipelineDelegateExpression", EXPRESSION);

    static final Value<String> MESSAGE_NAME = value("correlation.messageName", TextValue.KEY);
    static final Value<String> PROCESS_DEFINITION_KEY = value("correlation.processDefinitionKey", TextValue.KEY);
    static final Value<String> VARIABLE = value("correlation.variable", TextValue.KEY);

    static final Value<String> ACK =
            value("policy.ack", Choice.of(Stream.of(Ack.values()).map(Ack::word).toList()), Ack.AFTER_STORE.word());
    static final Value<String> CARDINALITY = value(
            "policy.cardinality",
            Choice.of(Stream.of(Cardinality.values()).map(Cardinality::word).toList()),
            Cardinality.ONE_PER_DEFINITION.word());
    static final Value<String> ORDER = value(
            "policy.order",
            Choice.of(List.of("correlationKey", "strict", "parameter:NAME", "orderingKey", "none")),
            "correlationKey");
    static final Value<String> ON_NO_MATCH = value("policy.parking.onNoMatch", PARK_OR_DISCARD, "park");
    static final Value<String> ON_UNKNOWN_EVENT = value("policy.parking.onUnknownEvent", PARK_OR_DISCARD, "park");
    static final Value<String> LATER_MESSAGES =
            value("policy.parking.laterMessages", Choice.of(List.of("continue", "wait")), "continue");
    static final Value<String> DEAD_LETTER_JOB =
            value("policy.parking.deadLetterJob", Choice.of(List.of("true", "false")), "true");
    static final Value<Duration> TIME_TO_LIVE =
            value("policy.buffer.timeToLive", DurationValue.TIME_TO_LIVE, ChannelDefaults.TIME_TO_LIVE);
    static final Value<String> TIME_TO_LIVE_ATTRIBUTE = value("policy.buffer.timeToLiveAttribute", NOT_BLANK);
    static final Value<Duration> ALARM_AFTER =
            value("policy.buffer.alarmAfter", new DurationValue(Duration.ZERO, LONGEST), ChannelDefaults.ALARM_AFTER);
    static final Value<Duration> INITIAL_DELAY = value(
            "policy.retry.initialDelay",
            new DurationValue(ONE_MILLISECOND, LONGEST),
            ChannelDefaults.RETRY_INITIAL_DELAY);
    static final Value<BigDecimal> MULTIPLIER = value(
            "policy.retry.multiplier",
            NumberValue.decimal(1, 100),
            BigDecimal.valueOf(ChannelDefaults.RETRY_MULTIPLIER));
    static final Value<Duration> MAX_DELAY = value(
            "policy.retry.maxDelay", new DurationValue(ONE_MILLISECOND, LONGEST), ChannelDefaults.RETRY_MAX_DELAY);
    static final Value<Duration> GIVE_UP_AFTER = value(
            "policy.retry.giveUpAfter", new DurationValue(Duration.ZERO, LONGEST), ChannelDefaults.RETRY_GIVE_UP_AFTER);

    static final Value<String> DEDUPLICATION_KEY = value(
            "policy.deduplication.key",
            Choice.of(List.of("none", "correlationKey", "attribute:NAME", "payload:NAME")),
            "none");
    static final Value<String> ON_CONFLICT =
            value("policy.deduplication.onConflict", Choice.of(List.of("park", "ignore")), "park");
    static final Value<Duration> DEDUPLICATION_WINDOW = value(
            "policy.deduplication.window",
            new DurationValue(SHORTEST_RETENTION, LONGEST),
            ChannelDefaults.DEDUPLICATION_WINDOW);
    static final Value<Duration> RETENTION_PAYLOAD = value(
            "policy.retention.payload", new DurationValue(Duration.ZERO, LONGEST), ChannelDefaults.RETENTION_PAYLOAD);
    static final Value<BigDecimal> PARALLEL_PULL_COUNT = value(
            "consumer.parallelPullCount",
            NumberValue.whole(1, 32),
            BigDecimal.valueOf(ChannelDefaults.PARALLEL_PULL_COUNT));
    static final Value<BigDecimal> MAX_OUTSTANDING_MESSAGES = value(
            "consumer.maxOutstandingMessages",
            NumberValue.whole(1, Integer.MAX_VALUE),
            BigDecimal.valueOf(ChannelDefaults.MAX_OUTSTANDING_MESSAGES));
    static final Value<Long> MAX_OUTSTANDING_BYTES =
            value("consumer.maxOutstandingBytes", new ByteSize(), ChannelDefaults.MAX_OUTSTANDING_BYTES);
    static final Value<Duration> MAX_ACK_EXTENSION = value(
            "consumer.maxAckExtension",
            new DurationValue(Duration.ZERO, LONGEST_RETENTION),
            ChannelDefaults.MAX_ACK_EXTENSION);
    static final Value<BigDecimal> PAUSE_AT_BACKLOG = value(
            "consumer.pauseAtBacklog",
            NumberValue.whole(0, Integer.MAX_VALUE),
            BigDecimal.valueOf(ChannelDefaults.PAUSE_AT_BACKLOG));

    static {
        value("channelType", Choice.of(List.of("inbound")));
        value("type", Choice.of(List.of(PubSubInboundChannelModel.TYPE)));
        value("name", FREE);
        value("description", FREE);
        value("category", FREE);
        // Flowable's own free JSON node. Jackson gives it to the model, so that it is only known here, never read.
        value("extension", FREE);
        value("eventFilterDelegateExpression", EXPRESSION);
        String neverRead = "Flowable's pipelines do not read it; a pipelineDelegateExpression does its own extraction";
        later("contextExtractorDelegateExpression", neverRead);
        later("headerExtractorDelegateExpression", neverRead);

        value("channelEventKeyDetection.jsonField", NOT_BLANK);
        value("channelEventKeyDetection.jsonPointerExpression", JSON_POINTER);
        value("channelEventKeyDetection.xmlXPathExpression", XPATH);
        value("channelEventKeyDetection.delegateExpression", EXPRESSION);
        value("channelEventTenantIdDetection.fixedValue", NOT_BLANK);
        value("channelEventTenantIdDetection.jsonPointerExpression", JSON_POINTER);
        value("channelEventTenantIdDetection.xPathExpression", XPATH);
        value("channelEventTenantIdDetection.delegateExpression", EXPRESSION);

        Stream.of(Metadata.values()).forEach(one -> OUTPUT_NAMES.put(one, value(one.property(), NOT_BLANK)));

        BY_PATH.put("policy.events", new ByEvent("policy.events"));
    }

    private ChannelProperties() {}

    static @Nullable Property find(String path) {
        return BY_PATH.get(path);
    }

    /** Paths of all properties within a section, at any depth. */
    static List<String> allWithin(String section) {
        return BY_PATH.keySet().stream()
                .filter(path -> path.startsWith(section + "."))
                .toList();
    }

    static boolean isSection(String path) {
        return BY_PATH.keySet().stream().anyMatch(known -> known.startsWith(path + "."));
    }

    /** Paths of everything that may be set directly within a section, sections included. The top level is the empty path. */
    static Set<String> within(String section, Place place) {
        return childrenOf(section, place, BY_PATH.values());
    }

    /** The same without what this release refuses. */
    static Set<String> availableWithin(String section, Place place) {
        return childrenOf(
                section,
                place,
                BY_PATH.values().stream()
                        .filter(property -> !(property instanceof Later))
                        .toList());
    }

    /** Paths of all properties that this release acts upon and that may be set there. */
    static Set<String> available(Place place) {
        return BY_PATH.values().stream()
                .filter(Value.class::isInstance)
                .map(Property::path)
                .filter(place.takes())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A property of that name anywhere else in the file. */
    static Optional<String> elsewhere(String name) {
        return BY_PATH.keySet().stream()
                .filter(path -> path.substring(path.lastIndexOf('.') + 1).equalsIgnoreCase(name))
                .findFirst();
    }

    private static Set<String> childrenOf(String section, Place place, Collection<Property> properties) {
        String prefix = section.isEmpty() ? "" : section + ".";
        Set<String> children = new TreeSet<>();
        for (Property property : properties) {
            if (property.path().startsWith(prefix) && place.takes().test(property.path())) {
                int end = property.path().indexOf('.', prefix.length());
                children.add(end < 0 ? property.path() : property.path().substring(0, end));
            }
        }
        return children;
    }

    private static <T> Value<T> value(String path, ValueType<T> type) {
        return value(path, type, null);
    }

    private static <T> Value<T> value(String path, ValueType<T> type, @Nullable T defaultValue) {
        Value<T> value = new Value<>(path, type, defaultValue);
        BY_PATH.put(path, value);
        return value;
    }

    private static void later(String path, String instead) {
        BY_PATH.put(path, new Later(path, instead));
    }
}
