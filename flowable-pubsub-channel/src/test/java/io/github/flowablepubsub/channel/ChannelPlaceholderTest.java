package io.github.flowablepubsub.channel;

import static io.github.flowablepubsub.channel.ChannelFiles.file;
import static io.github.flowablepubsub.channel.ChannelFiles.fileWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelPlaceholderTest {

    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            Map.entry("key", "orders"),
            Map.entry("sub", "orders-sub"),
            Map.entry("project", "p1"),
            Map.entry("type", "xml"),
            Map.entry("event", "orderDone"),
            Map.entry("ttl", "P2D"),
            Map.entry("pulls", "3"),
            Map.entry("factor", "1.5"),
            Map.entry("bytes", "10 MB"),
            Map.entry("no", "false"),
            Map.entry("yes", "ja"),
            Map.entry("ack", "afterStore"),
            Map.entry("typo", "7 days"),
            Map.entry("loop", "${ttl}"));

    private final SystemPlaceholders placeholders = new SystemPlaceholders(PROPERTIES::get);
    private final ChannelFiles files = new ChannelFiles(placeholders);

    @Test
    void everyKindOfValueMayBeAPlaceholder() {
        String file = file(
                """
                'key': '${key}', 'subscription': 'projects/${project}/subscriptions/${sub}',
                'name': 'Channel ${key}', 'description': '${nothing:none}', 'category': '${nothing:}',
                'deserializerType': '${type}',
                'channelEventKeyDetection': {'fixedValue': '${event}'},
                'channelEventTenantIdDetection': {'xPathExpression': '/${key}/tenant'},
                'publishTimeOutputName': '${key}',
                'correlation': {'messageName': 'Order ${key} done', 'processDefinitionKey': '${key}',
                                'variable': '${nothing:sub}'},
                'policy': {'ack': '${ack}', 'buffer': {'timeToLive': '${ttl}', 'timeToLiveAttribute': '${nothing:late}'},
                           'retry': {'multiplier': '${factor}', 'maxDelay': '${nothing:PT${pulls}H}'},
                           'parking': {'deadLetterJob': '${no}'},
                           'events': {'orderDone': {'buffer': {'timeToLive': '${nothing:PT1H}'}}}},
                'consumer': {'parallelPullCount': '${pulls}', 'maxOutstandingBytes': '${bytes}',
                             'pauseAtBacklog': '${nothing:7}'}""");

        PubSubInboundChannelModel model = files.deploy(file);

        assertThat(files.parse(file))
                .isEqualTo(new PubSubChannel(
                        "orders",
                        "projects/p1/subscriptions/orders-sub",
                        Ack.AFTER_STORE,
                        policy(Duration.ofDays(2)),
                        Map.of("orderDone", policy(Duration.ofHours(1))),
                        new ConsumerSettings(3, 1000, 10 * 1024 * 1024, Duration.ofHours(1), 7),
                        new MessageCorrelation("Order orders done", "orders", "sub"),
                        Map.of(Metadata.PUBLISH_TIME, "orders")));
        assertThat(model.getKey()).isEqualTo("orders");
        assertThat(model.getName()).isEqualTo("Channel orders");
        assertThat(model.getDescription()).isEqualTo("none");
        assertThat(model.getSubscription()).isEqualTo("projects/p1/subscriptions/orders-sub");
        assertThat(model.getDeserializerType()).isEqualTo("xml");
        assertThat(model.getChannelEventKeyDetection().getFixedValue()).isEqualTo("orderDone");
        assertThat(model.getChannelEventTenantIdDetection().getxPathExpression())
                .isEqualTo("/orders/tenant");
    }

    private static ChannelPolicy policy(Duration timeToLive) {
        return new ChannelPolicy(
                Cardinality.ONE_PER_DEFINITION,
                Order.CORRELATION_KEY,
                Deduplication.NONE,
                new BufferPolicy(timeToLive, "late", Duration.ofHours(1)),
                new ParkingPolicy(false, false, false, false),
                new RetryPolicy(Duration.ofSeconds(1), 1.5, Duration.ofHours(3), Duration.ofDays(1)),
                ChannelDefaults.POLICY.retention());
    }

    @Test
    void flowablesExpressionsAreNone() {
        PubSubInboundChannelModel model = files.deploy(
                file(
                        """
                'key': 'a', 'subscription': 'b', 'deserializerType': 'expression',
                'deserializerDelegateExpression': '${key}',
                'eventFilterDelegateExpression': '${key}',
                'payloadExtractorDelegateExpression': '${key}',
                'eventTransformerDelegateExpression': '${key}',
                'pipelineDelegateExpression': '${key}',
                'channelEventKeyDetection': {'delegateExpression': '${key}'},
                'channelEventTenantIdDetection': {'delegateExpression': '${missing}'}"""));

        assertThat(model.getDeserializerDelegateExpression()).isEqualTo("${key}");
        assertThat(model.getEventFilterDelegateExpression()).isEqualTo("${key}");
        assertThat(model.getPayloadExtractorDelegateExpression()).isEqualTo("${key}");
        assertThat(model.getEventTransformerDelegateExpression()).isEqualTo("${key}");
        assertThat(model.getPipelineDelegateExpression()).isEqualTo("${key}");
        assertThat(model.getChannelEventKeyDetection().getDelegateExpression()).isEqualTo("${key}");
        assertThat(model.getChannelEventTenantIdDetection().getDelegateExpression())
                .isEqualTo("${missing}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'name': '${missing}'   | name = \"${missing}\": has a placeholder without a value: Could not resolve"
                        + " placeholder 'missing'",
                "'policy': {'buffer': {'timeToLive': '${a.b}'}} | policy.buffer.timeToLive = \"${a.b}\": has a placeholder"
                        + " without a value: Could not resolve placeholder 'a.b'",
                "'policy': {'buffer': {'timeToLive': '${typo}'}} | policy.buffer.timeToLive = \"${typo}\": (resolved to"
                        + " \"7 days\") must be an ISO 8601 duration",
                "'policy': {'parking': {'deadLetterJob': '${yes}'}} | policy.parking.deadLetterJob = \"${yes}\": (resolved"
                        + " to \"ja\") is not a known value",
                "'consumer': {'parallelPullCount': '${key}'} | consumer.parallelPullCount = \"${key}\": (resolved to"
                        + " \"orders\") must be a whole number",
                "'policy': {'events': {'orderDone': {'cardinality': '${key}'}}} | policy.events.orderDone.cardinality ="
                        + " \"${key}\": (resolved to \"orders\") is not a known value",
                "'name': '${loop}'      | name = \"${loop}\": still has a placeholder after resolving: \"${ttl}\"",
                "'name': '${open'       | name = \"${open\": has a placeholder without a value: Placeholder without closing"
            })
    void unusablePlaceholdersAreNamed(String property, String message) {
        assertThat(files.refusal(fileWith(property)).replace('"', '\''))
                .contains("'orders' is refused:")
                .contains(message.replace('"', '\''));
    }

    @Test
    void resolvesSystemPropertiesThenEnvironment() {
        String variable = System.getenv().keySet().stream()
                .filter(name -> name.matches("[A-Z]+(_[A-Z]+)?"))
                .findFirst()
                .orElseThrow();
        System.setProperty("flowablepubsub.channel.test", "property");
        try {
            SystemPlaceholders system = new SystemPlaceholders();

            assertThat(system.apply("a ${flowablepubsub.channel.test} b")).isEqualTo("a property b");
            assertThat(system.apply("${" + variable + "}")).isEqualTo(System.getenv(variable));
            assertThat(system.apply("${" + variable.toLowerCase(Locale.ROOT).replace('_', '.') + "}"))
                    .isEqualTo(System.getenv(variable));
            assertThat(system.apply("${flowablepubsub.none:x}")).isEqualTo("x");
        } finally {
            System.clearProperty("flowablepubsub.channel.test");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "${key}, orders",
        "a${key}b${sub}c, aordersborders-subc",
        "${none:${key}}, orders",
        "${none:a:b}, a:b",
        "${none:}, ''",
        "$key, $key",
        "}{, }{"
    })
    void resolves(String text, String expected) {
        assertThat(placeholders.apply(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"${none}", "${}", "${none:${none2}}", "${", "${key", "${a:${b}"})
    void refuses(String text) {
        assertThatThrownBy(() -> placeholders.apply(text)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> placeholders.apply("${x:".repeat(5000) + "}".repeat(5000)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
