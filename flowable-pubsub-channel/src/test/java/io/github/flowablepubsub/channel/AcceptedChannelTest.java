package io.github.flowablepubsub.channel;

import static io.github.flowablepubsub.channel.ChannelFiles.DETECTION;
import static io.github.flowablepubsub.channel.ChannelFiles.KEY;
import static io.github.flowablepubsub.channel.ChannelFiles.SUBSCRIPTION;
import static io.github.flowablepubsub.channel.ChannelFiles.file;
import static io.github.flowablepubsub.channel.ChannelFiles.fileWith;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.flowable.eventregistry.model.ChannelEventKeyDetection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptedChannelTest {

    static final String FULL = file(
            """
            'key': 'orders', 'name': 'Orders', 'description': 'All of them', 'category': 'shop',
            'subscription': 'projects/my-project/subscriptions/orders-sub',
            'deserializerType': 'json',
            'deserializerDelegateExpression': '${deserializer}',
            'eventFilterDelegateExpression': '${filter}',
            'payloadExtractorDelegateExpression': '#{extractor}',
            'eventTransformerDelegateExpression': '${transformer}',
            'channelEventKeyDetection': {'jsonPointerExpression': '/event/type'},
            'channelEventTenantIdDetection': {'delegateExpression': '${tenantDetector}'},
            'correlation': {'messageName': 'Order done', 'processDefinitionKey': 'order-process', 'variable': 'orderId'},
            'messageIdOutputName': 'nachrichtId', 'deliveryAttemptOutputName': 'versuch',
            'deadLetterSourceSubscriptionOutputName': 'herkunft', 'orderingKeyOutputName': null,
            'extension': {'anything': [1, {'deep': true}]},
            'policy': {
              'ack': 'afterStore', 'cardinality': 'all', 'order': 'parameter:orderId',
              'deduplication': {'key': 'payload:eventId', 'onConflict': 'ignore', 'window': 'P14D'},
              'buffer': {'timeToLive': 'P3D', 'timeToLiveAttribute': 'ttl', 'alarmAfter': 'PT0S'},
              'retry': {'initialDelay': 'PT2S', 'multiplier': 1.5, 'maxDelay': 'PT10M', 'giveUpAfter': 'PT12H'},
              'parking': {'onNoMatch': 'discard', 'onUnknownEvent': 'park', 'laterMessages': 'continue',
                          'deadLetterJob': false},
              'retention': {'payload': 'PT6H'},
              'events': {'order.late': {'cardinality': 'one', 'buffer': {'timeToLive': 'PT0S', 'alarmAfter': 'PT2H'},
                                        'retry': {'giveUpAfter': 'PT1H'}, 'parking': {'onUnknownEvent': 'discard', 'deadLetterJob': true}},
                         'order.same': {}}
            },
            'consumer': {'parallelPullCount': 4, 'maxOutstandingMessages': 500, 'maxOutstandingBytes': '20MB',
                         'maxAckExtension': 'PT30M', 'pauseAtBacklog': 5000}""");

    private final ChannelFiles files = new ChannelFiles();

    @Test
    void readsEverythingThatIsAvailable() {
        PubSubInboundChannelModel model = files.deploy(FULL);

        RetryPolicy retry = new RetryPolicy(Duration.ofSeconds(2), 1.5, Duration.ofMinutes(10), Duration.ofHours(12));
        RetentionPolicy retention = new RetentionPolicy(Duration.ofHours(6), Duration.ofDays(14));
        Order order = new Order(Order.By.PARAMETER, "orderId");
        Deduplication deduplication = new Deduplication(Deduplication.By.PAYLOAD, "eventId", false);
        ChannelPolicy policy = new ChannelPolicy(
                Cardinality.ALL,
                order,
                deduplication,
                new BufferPolicy(Duration.ofDays(3), "ttl", Duration.ZERO),
                new ParkingPolicy(true, false, false, false),
                retry,
                retention);
        ChannelPolicy late = new ChannelPolicy(
                Cardinality.ONE,
                order,
                deduplication,
                new BufferPolicy(Duration.ZERO, "ttl", Duration.ofHours(2)),
                new ParkingPolicy(true, true, false, true),
                new RetryPolicy(Duration.ofSeconds(2), 1.5, Duration.ofMinutes(10), Duration.ofHours(1)),
                retention);
        PubSubChannel channel = files.parse(FULL);
        assertThat(channel)
                .isEqualTo(new PubSubChannel(
                        "orders",
                        "projects/my-project/subscriptions/orders-sub",
                        Ack.AFTER_STORE,
                        policy,
                        Map.of("order.late", late, "order.same", policy),
                        new ConsumerSettings(4, 500, 20 * 1024 * 1024, Duration.ofMinutes(30), 5000),
                        new MessageCorrelation("Order done", "order-process", "orderId"),
                        Map.of(
                                Metadata.MESSAGE_ID,
                                "nachrichtId",
                                Metadata.DELIVERY_ATTEMPT,
                                "versuch",
                                Metadata.SOURCE_SUBSCRIPTION,
                                "herkunft")));
        assertThat(channel.policy("order.late")).isEqualTo(late);
        assertThat(channel.policy("order.other")).isEqualTo(policy);
        assertThat(channel.policy(null)).isEqualTo(policy);
        assertThat(model.getName()).isEqualTo("Orders");
        assertThat(model.getDescription()).isEqualTo("All of them");
        assertThat(model.getCategory()).isEqualTo("shop");
        assertThat(model.getDeserializerDelegateExpression()).isEqualTo("${deserializer}");
        assertThat(model.getEventFilterDelegateExpression()).isEqualTo("${filter}");
        assertThat(model.getPayloadExtractorDelegateExpression()).isEqualTo("#{extractor}");
        assertThat(model.getEventTransformerDelegateExpression()).isEqualTo("${transformer}");
        assertThat(model.getChannelEventKeyDetection().getJsonPointerExpression())
                .isEqualTo("/event/type");
        assertThat(model.getChannelEventTenantIdDetection().getDelegateExpression())
                .isEqualTo("${tenantDetector}");
    }

    @Test
    void acksAfterCorrelation() {
        PubSubChannel channel = files.parse(
                fileWith(
                        """
                'policy': {'ack': 'afterCorrelation', 'cardinality': 'one', 'order': 'none',
                           'deduplication': {'key': 'payload:eventId', 'onConflict': 'ignore', 'window': 'P14D'}, 'retention': {'payload': 'PT6H'},
                           'buffer': {'timeToLive': null}, 'retry': {}}"""));

        assertThat(channel.ack()).isEqualTo(Ack.AFTER_CORRELATION);
        assertThat(channel.policy().cardinality()).isEqualTo(Cardinality.ONE);
        assertThat(channel.policy().retention().window()).isEqualTo(Duration.ofDays(14));
    }

    @Test
    void fillsInTheDefaults() {
        String minimal = fileWith();

        assertThat(files.parse(minimal))
                .isEqualTo(new PubSubChannel(
                        "orders",
                        "orders-sub",
                        Ack.AFTER_STORE,
                        new ChannelPolicy(
                                Cardinality.ONE_PER_DEFINITION,
                                new Order(Order.By.CORRELATION_KEY, null),
                                Deduplication.NONE,
                                new BufferPolicy(Duration.parse("P7D"), null, Duration.ofHours(1)),
                                new ParkingPolicy(false, false, false, true),
                                new RetryPolicy(
                                        Duration.parse("PT1S"), 2, Duration.parse("PT5M"), Duration.parse("P1D")),
                                new RetentionPolicy(Duration.parse("P1D"), Duration.parse("P7D"))),
                        Map.of(),
                        new ConsumerSettings(1, 1000, 104_857_600, Duration.parse("PT1H"), 0),
                        null,
                        Map.of()));
        assertThat(files.parse(minimal).policy()).isEqualTo(ChannelDefaults.POLICY);
        assertThat(files.parse(minimal).consumer()).isEqualTo(ChannelDefaults.CONSUMER);
        assertThat(files.deploy(minimal).getDeserializerType()).isEqualTo("json");
    }

    @Test
    void readsWhatHoldsBackLaterMessages() {
        ChannelPolicy strict =
                files.parse(fileWith("'policy': {'order': 'strict'}")).policy();
        assertThat(strict.order()).isEqualTo(new Order(Order.By.STRICT, null));
        assertThat(strict.parking().laterMessagesWait()).isFalse();
        ChannelPolicy wait = files.parse(fileWith("'policy': {'parking': {'laterMessages': 'wait'}}"))
                .policy();
        assertThat(wait.order()).isEqualTo(Order.CORRELATION_KEY);
        assertThat(wait.parking()).isEqualTo(new ParkingPolicy(false, false, true, true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'name': null, 'policy': null, 'consumer': null, 'eventKeyAttribute': null",
                "'deserializerType': null",
                "'deserializerType': ''",
                "'eventFilterDelegateExpression': '', 'channelEventTenantIdDetection': null",
                "'policy': {}, 'consumer': {}",
                "'policy': {'retention': null, 'deduplication': {}}",
                "'policy': {'buffer': null, 'retry': {'multiplier': null}, 'ack': null}",
                "'policy': {'deduplication': {'key': null}}",
                "'policy': {'events': null}",
                "'policy': {'events': {'a': null, 'b': null}}",
                "'extension': null",
                "'correlation': null",
                "'messageIdOutputName': null, 'publishTimeOutputName': ''"
            })
    void takesNullAndEmptyForNotSet(String properties) {
        assertThat(files.parse(fileWith(properties))).isEqualTo(files.parse(fileWith()));
        assertThat(files.deploy(fileWith(properties)).getDeserializerType()).isEqualTo("json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'channelEventKeyDetection': {'jsonField': 'type'}",
                "'channelEventKeyDetection': {'delegateExpression': '${detector}'}",
                "'channelEventKeyDetection': {'fixedValue': 'a', 'jsonField': null}",
                "'deserializerType': 'xml', 'channelEventKeyDetection': {'xmlXPathExpression': '/order/@type'}",
                "'deserializerType': 'xml', 'channelEventKeyDetection': {'fixedValue': 'a'},"
                        + " 'channelEventTenantIdDetection': {'xPathExpression': '/order/tenant'}",
                "'deserializerType': 'expression', 'deserializerDelegateExpression': '${d}',"
                        + " 'payloadExtractorDelegateExpression': '${p}',"
                        + " 'channelEventKeyDetection': {'delegateExpression': '${detector}'}",
                "'pipelineDelegateExpression': '${pipeline}'",
                "'channelEventKeyDetection': {'fixedValue': 'a'},"
                        + " 'channelEventTenantIdDetection': {'jsonPointerExpression': '/tenant'}"
            })
    void acceptsEveryWayToFindTheEventKey(String properties) {
        assertThat(files.parse(file(KEY, SUBSCRIPTION, properties)).key()).isEqualTo("orders");
    }

    @Test
    void givesXPathOfTheTenantToFlowable() {
        PubSubInboundChannelModel model = files.deploy(fileWith(
                "'deserializerType': 'xml', 'channelEventTenantIdDetection': {'xPathExpression': '/order/tenant'}"));

        assertThat(model.getChannelEventTenantIdDetection().getxPathExpression())
                .isEqualTo("/order/tenant");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, PT0S",
        "P1W, P7D",
        "P1DT2H3M4.5S, P1DT2H3M4.5S",
        "pt30s, PT30S",
        "P3650D, P3650D",
        "PT0.001S, PT0.001S"
    })
    void readsDurations(String text, Duration expected) {
        PubSubChannel channel = files.parse(fileWith("'policy': {'buffer': {'timeToLive': '" + text + "'}}"));

        assertThat(channel.policy().buffer().timeToLive()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "'100MB', 104857600",
        "'100 MB', 104857600",
        "'100 mb', 104857600",
        "4096, 4096",
        "'4096', 4096",
        "1B, 1",
        "2KB, 2048",
        "3GB, 3221225472",
        "9223372036854775807, 9223372036854775807"
    })
    void readsByteSizes(String text, long expected) {
        String json = text.matches("\\d+") ? text : "'" + text + "'";
        PubSubChannel channel = files.parse(fileWith("'consumer': {'maxOutstandingBytes': " + json + "}"));

        assertThat(channel.consumer().maxOutstandingBytes()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"32", "'32'", "32.0", "'3.2e1'"})
    void readsWholeNumbers(String json) {
        PubSubChannel channel = files.parse(fileWith("'consumer': {'parallelPullCount': " + json + "}"));

        assertThat(channel.consumer().parallelPullCount()).isEqualTo(32);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s",
                "orders-sub",
                "Orders_1.2~3+4%5",
                "projects/P/subscriptions/S",
                "projects/example.com:app-1/subscriptions/orders-sub"
            })
    void acceptsSubscriptions(String name) {
        PubSubChannel channel = files.parse(file(KEY, DETECTION, "'subscription': '" + name + "'"));

        assertThat(channel.subscription()).isEqualTo(name);
    }

    @Test
    void acceptsAModelThatWasBuiltInJava() {
        PubSubInboundChannelModel model = new PubSubInboundChannelModel();
        model.setKey("orders");
        model.setSubscription("orders-sub");
        ChannelEventKeyDetection detection = new ChannelEventKeyDetection();
        detection.setFixedValue("orderDone");
        model.setChannelEventKeyDetection(detection);

        assertThat(new ChannelParser(text -> text).parse(model)).isEqualTo(files.parse(fileWith()));
        assertThat(files.parse(files.toJson(model))).isEqualTo(files.parse(fileWith()));
    }
}
