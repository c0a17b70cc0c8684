package io.github.flowablepubsub.channel;

import static io.github.flowablepubsub.channel.ChannelProperties.ACK;
import static io.github.flowablepubsub.channel.ChannelProperties.DESERIALIZER;
import static io.github.flowablepubsub.channel.ChannelProperties.DESERIALIZER_TYPE;
import static io.github.flowablepubsub.channel.ChannelProperties.EVENT_KEY_ATTRIBUTE;
import static io.github.flowablepubsub.channel.ChannelProperties.FIXED_EVENT_KEY;
import static io.github.flowablepubsub.channel.ChannelProperties.INITIAL_DELAY;
import static io.github.flowablepubsub.channel.ChannelProperties.KEY;
import static io.github.flowablepubsub.channel.ChannelProperties.MAX_DELAY;
import static io.github.flowablepubsub.channel.ChannelProperties.MESSAGE_NAME;
import static io.github.flowablepubsub.channel.ChannelProperties.PAYLOAD_EXTRACTOR;
import static io.github.flowablepubsub.channel.ChannelProperties.PIPELINE;
import static io.github.flowablepubsub.channel.ChannelProperties.PROCESS_DEFINITION_KEY;
import static io.github.flowablepubsub.channel.ChannelProperties.SUBSCRIPTION;
import static io.github.flowablepubsub.channel.ChannelProperties.TRANSFORMER;
import static io.github.flowablepubsub.channel.ChannelProperties.VARIABLE;

import io.github.flowablepubsub.channel.Property.Value;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rules over more than one property: what must be there, and what must fit together. */
final class CrossChecks {

    private static final String KEY_DETECTION = "channelEventKeyDetection";
    private static final String CORRELATION = "correlation";
    private static final String TENANT_DETECTION = "channelEventTenantIdDetection";

    /** What Flowable's own pipelines look at, by deserializer. */
    private static final Map<String, List<String>> KEY_DETECTIONS = Map.of(
            "json", List.of("fixedValue", "jsonField", "jsonPointerExpression", "delegateExpression"),
            "xml", List.of("fixedValue", "xmlXPathExpression", "delegateExpression"),
            "expression",
                    List.of(
                            "fixedValue",
                            "jsonField",
                            "jsonPointerExpression",
                            "xmlXPathExpression",
                            "delegateExpression"));

    private static final Map<String, List<String>> TENANT_DETECTIONS = Map.of(
            "json", List.of("fixedValue", "jsonPointerExpression", "delegateExpression"),
            "xml", List.of("fixedValue", "xPathExpression", "delegateExpression"),
            "expression", List.of("fixedValue", "jsonPointerExpression", "xPathExpression", "delegateExpression"));

    private static final List<String> NOT_AFTER_CORRELATION =
            List.of("policy.buffer", "policy.retry", "policy.parking");
    private static final String NO_EFFECT =
            "has no effect with policy.ack afterCorrelation, where a message that is not"
                    + " delivered goes back to Pub/Sub; remove it, and set retry policy and dead-letter topic of the subscription";

    private final Map<String, @Nullable Object> file;
    private final Values values;
    private final Problems problems;

    CrossChecks(Map<String, @Nullable Object> file, Values values, Problems problems) {
        this.file = file;
        this.values = values;
        this.problems = problems;
    }

    void run() {
        require(KEY, "is missing; needed is a key for the channel definition");
        require(SUBSCRIPTION, "is missing; needed is the Pub/Sub subscription to read from");
        if (!values.has(PIPELINE.path()) && !problems.concern(PIPELINE.path())) {
            checkStockPipeline();
        } else if (values.has(EVENT_KEY_ATTRIBUTE.path())) {
            problems.add(
                    EVENT_KEY_ATTRIBUTE.path(),
                    values.get(EVENT_KEY_ATTRIBUTE),
                    "has no effect with pipelineDelegateExpression, which finds the event key itself; remove one of the two");
        }
        checkCorrelation();
        checkDelays(values, Place.FILE, "(the default) ", problems);
        checkEvents();
        checkAck(values, Place.FILE);
        values.events().forEach((key, event) -> checkAck(event, Place.event(key)));
    }

    /** Who writes it wants plain messages, so that nothing of it may be left open. */
    private void checkCorrelation() {
        if (file.get(CORRELATION) != null && !problems.concern(CORRELATION)) {
            require(MESSAGE_NAME, "is missing; needed with correlation is the name of the BPMN message");
            require(PROCESS_DEFINITION_KEY, "is missing; needed with correlation is the process whose receivers count");
            require(
                    VARIABLE,
                    "is missing; needed with correlation is the process variable to compare with the event's"
                            + " correlation parameter");
        }
    }

    /** A message that is not delivered is Pub/Sub's again: who sets these counts on a buffer that is not there. */
    private void checkAck(Values set, Place place) {
        if (problems.concern(ACK.path()) || !values.get(ACK).equals(Ack.AFTER_CORRELATION.word())) {
            return;
        }
        NOT_AFTER_CORRELATION.stream()
                .flatMap(section -> ChannelProperties.allWithin(section).stream())
                .filter(path -> set.has(path) && !problems.concern(place.names().apply(path)))
                .forEach(path -> problems.add(place.names().apply(path), set.shown(path), NO_EFFECT));
    }

    /** With a fixed event key no other event comes, unless the app's own code makes one. */
    private void checkEvents() {
        String fixed = values.find(FIXED_EVENT_KEY);
        boolean others = values.has(EVENT_KEY_ATTRIBUTE.path())
                || values.has(TRANSFORMER.path())
                || values.has(PIPELINE.path())
                || problems.concern(EVENT_KEY_ATTRIBUTE.path());
        values.events().forEach((key, event) -> {
            if (fixed != null && !others && !fixed.equals(key)) {
                problems.missing(
                        "policy.events." + Printed.text(key),
                        "no message of this channel has this event: channelEventKeyDetection.fixedValue is " + fixed);
            }
            if (event.has(INITIAL_DELAY.path()) || event.has(MAX_DELAY.path())) {
                checkDelays(event, Place.event(key), "(inherited) ", problems);
            }
        });
    }

    /** A custom pipeline finds key and tenant in its own way; Flowable's own ones need to be told. */
    private void checkStockPipeline() {
        if (problems.concern(DESERIALIZER_TYPE.path())) {
            return;
        }
        String type = values.get(DESERIALIZER_TYPE);
        if (type.equals("expression")) {
            require(DESERIALIZER, "is missing; needed with deserializerType expression");
            require(PAYLOAD_EXTRACTOR, "is missing; needed with deserializerType expression");
        }
        boolean byAttribute = values.has(EVENT_KEY_ATTRIBUTE.path()) || problems.concern(EVENT_KEY_ATTRIBUTE.path());
        if (!byAttribute || file.get(KEY_DETECTION) != null) {
            requireOneOf(KEY_DETECTION, KEY_DETECTIONS.getOrDefault(type, List.of()), type);
        }
        if (file.get(TENANT_DETECTION) != null) {
            requireOneOf(TENANT_DETECTION, TENANT_DETECTIONS.getOrDefault(type, List.of()), type);
        }
    }

    /**
     * The longest pause must not be shorter than the first.
     *
     * @param inherited says of a longest pause that is not set in this place where it is from
     */
    static void checkDelays(Values values, Place place, String inherited, Problems problems) {
        String initial = place.names().apply(INITIAL_DELAY.path());
        String longest = place.names().apply(MAX_DELAY.path());
        if (Stream.of(initial, longest, INITIAL_DELAY.path(), MAX_DELAY.path()).anyMatch(problems::concern)) {
            return;
        }
        if (values.get(MAX_DELAY).compareTo(values.get(INITIAL_DELAY)) < 0) {
            problems.add(
                    longest,
                    DurationValue.iso(values.get(MAX_DELAY)),
                    (values.has(MAX_DELAY.path()) ? "" : inherited) + "must be at least " + initial + ", which is "
                            + DurationValue.iso(values.get(INITIAL_DELAY)));
        }
    }

    private void require(Value<?> property, String message) {
        if (!values.has(property.path()) && !problems.concern(property.path())) {
            problems.missing(property.path(), message);
        }
    }

    private void requireOneOf(String section, List<String> names, String deserializerType) {
        boolean found = names.stream().anyMatch(name -> values.has(section + "." + name));
        if (!found && !problems.concern(section)) {
            problems.missing(
                    section,
                    "needs one of " + String.join(", ", names) + " with deserializerType " + deserializerType
                            + (section.equals(KEY_DETECTION)
                                    ? ", or else set eventKeyAttribute or pipelineDelegateExpression"
                                    : ""));
        }
    }
}
