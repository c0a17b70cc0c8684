package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.Keys;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flowable.common.engine.api.FlowableIllegalArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a {@code .channel} file says, and refuses it when something in it is unknown, malformed or not available.
 *
 * <p>Every value may be a <code>${property}</code> placeholder, numbers and booleans included, except
 * {@code channelType} and {@code type}, by which Flowable finds this plugin, and Flowable's delegate expressions.
 * Where a file says nothing, {@link ApplicationDefaults} hold, then {@link ChannelDefaults}.
 */
public final class ChannelParser {

    private final UnaryOperator<String> placeholders;
    private final ApplicationDefaults defaults;

    /** With the built-in defaults, see {@link #ChannelParser(UnaryOperator, ApplicationDefaults)}. */
    public ChannelParser(UnaryOperator<String> placeholders) {
        this(placeholders, ApplicationDefaults.NONE);
    }

    /**
     * @param placeholders replaces the placeholders in a text, and throws an exception that names a placeholder without
     *     value: {@link SystemPlaceholders}, or Spring's {@code environment::resolveRequiredPlaceholders}. Called only with
     *     texts that contain <code>${</code>.
     * @param defaults what holds where a file says nothing
     */
    public ChannelParser(UnaryOperator<String> placeholders, ApplicationDefaults defaults) {
        this.placeholders = placeholders;
        this.defaults = defaults;
    }

    /**
     * Reads a channel. May be called again with the same model.
     *
     * @param model as Flowable read it from the file. The resolved values of Flowable's own properties and of
     *     {@code subscription} are set on it, as Flowable's pipeline takes them from there; nothing is set when it fails.
     * @throws FlowableIllegalArgumentException naming the channel key and, for everything wrong with the file, the property's
     *     path, its value, what is allowed, and for unknown names the nearest known one
     */
    public PubSubChannel parse(PubSubInboundChannelModel model) {
        Problems problems = new Problems();
        Map<String, @Nullable Object> file = model.properties();
        Values values = new Values(defaults.values());
        new PropertyReader(placeholders, problems, Place.FILE, values).read("", file);
        new CrossChecks(file, values, problems).run();
        String key = values.find(ChannelProperties.KEY);
        problems.throwIfAny(key == null ? file.get("key") : key);

        values.forEach((path, value) -> ModelProperties.write(model, path, value));
        model.setDeserializerType(values.get(ChannelProperties.DESERIALIZER_TYPE));
        CheckedKeyDetector.prepare(model);
        return new PubSubChannel(
                values.get(ChannelProperties.KEY),
                values.get(ChannelProperties.SUBSCRIPTION),
                ack(values),
                policy(values),
                events(values),
                consumer(values),
                correlation(values),
                outputs(values));
    }

    private static Map<Metadata, String> outputs(Values values) {
        Map<Metadata, String> outputs = new EnumMap<>(Metadata.class);
        ChannelProperties.OUTPUT_NAMES.forEach((metadata, property) -> {
            String field = values.find(property);
            if (field != null) {
                outputs.put(metadata, field);
            }
        });
        return outputs;
    }

    private static @Nullable MessageCorrelation correlation(Values values) {
        return values.find(ChannelProperties.MESSAGE_NAME) == null
                ? null
                : new MessageCorrelation(
                        values.get(ChannelProperties.MESSAGE_NAME),
                        values.get(ChannelProperties.PROCESS_DEFINITION_KEY),
                        values.get(ChannelProperties.VARIABLE));
    }

    private static Ack ack(Values values) {
        return values.get(ChannelProperties.ACK).equals(Ack.AFTER_STORE.word())
                ? Ack.AFTER_STORE
                : Ack.AFTER_CORRELATION;
    }

    private static Map<String, ChannelPolicy> events(Values values) {
        return values.events().entrySet().stream()
                .collect(Collectors.toMap(event -> Keys.indexed(event.getKey()), event -> policy(event.getValue())));
    }

    private static ChannelPolicy policy(Values values) {
        String cardinality = values.get(ChannelProperties.CARDINALITY);
        return new ChannelPolicy(
                Stream.of(Cardinality.values())
                        .filter(value -> value.word().equals(cardinality))
                        .findFirst()
                        .orElseThrow(),
                Order.of(values.get(ChannelProperties.ORDER)),
                Deduplication.of(
                        values.get(ChannelProperties.DEDUPLICATION_KEY),
                        values.get(ChannelProperties.ON_CONFLICT).equals("park")),
                new BufferPolicy(
                        values.get(ChannelProperties.TIME_TO_LIVE),
                        values.find(ChannelProperties.TIME_TO_LIVE_ATTRIBUTE),
                        values.get(ChannelProperties.ALARM_AFTER)),
                new ParkingPolicy(
                        values.get(ChannelProperties.ON_NO_MATCH).equals("discard"),
                        values.get(ChannelProperties.ON_UNKNOWN_EVENT).equals("discard"),
                        values.get(ChannelProperties.LATER_MESSAGES).equals("wait"),
                        Boolean.parseBoolean(values.get(ChannelProperties.DEAD_LETTER_JOB))),
                retry(values),
                retention(values));
    }

    private static RetryPolicy retry(Values values) {
        return new RetryPolicy(
                values.get(ChannelProperties.INITIAL_DELAY),
                values.get(ChannelProperties.MULTIPLIER).doubleValue(),
                values.get(ChannelProperties.MAX_DELAY),
                values.get(ChannelProperties.GIVE_UP_AFTER));
    }

    private static RetentionPolicy retention(Values values) {
        return new RetentionPolicy(
                values.get(ChannelProperties.RETENTION_PAYLOAD), values.get(ChannelProperties.DEDUPLICATION_WINDOW));
    }

    private static ConsumerSettings consumer(Values values) {
        return new ConsumerSettings(
                values.get(ChannelProperties.PARALLEL_PULL_COUNT).intValueExact(),
                values.get(ChannelProperties.MAX_OUTSTANDING_MESSAGES).longValueExact(),
                values.get(ChannelProperties.MAX_OUTSTANDING_BYTES),
                values.get(ChannelProperties.MAX_ACK_EXTENSION),
                values.get(ChannelProperties.PAUSE_AT_BACKLOG).intValueExact());
    }
}
