package io.github.flowablepubsub.channel;

import static io.github.flowablepubsub.channel.ChannelFiles.DETECTION;
import static io.github.flowablepubsub.channel.ChannelFiles.KEY;
import static io.github.flowablepubsub.channel.ChannelFiles.SUBSCRIPTION;
import static io.github.flowablepubsub.channel.ChannelFiles.file;
import static io.github.flowablepubsub.channel.ChannelFiles.fileWith;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedChannelTest {

    private final ChannelFiles files = new ChannelFiles();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'contextExtractorDelegateExpression': '${x}' | contextExtractorDelegateExpression = \"${x}\"",
                "'headerExtractorDelegateExpression': '${x}'  | headerExtractorDelegateExpression = \"${x}\""
            })
    void refusesWhatIsNotAvailableYet(String property, String shown) {
        assertThat(files.refusal(fileWith(property)))
                .startsWith(
                        "Pub/Sub channel \"orders\" is refused:\n - " + shown + ": is not available in this release; ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'subscribtion': 'x'                        | subscribtion      | subscription",
                "'Subscription': 'x'                        | Subscription      | subscription",
                "'polciy': {}                               | polciy            | policy",
                "'deserialiserType': 'json'                 | deserialiserType  | deserializerType",
                "'extention': {}                            | extention         | extension",
                "'timeToLive': 'P1D'                        | timeToLive        | policy.buffer.timeToLive",
                "'policy': {'acks': 'afterStore'}           | policy.acks       | policy.ack",
                "'policy': {'timeToLive': 'P1D'}            | policy.timeToLive | policy.buffer.timeToLive",
                "'policy': {'bufer': {}}                    | policy.bufer      | policy.buffer",
                "'policy': {'buffer': {'timeToLve': 'P1D'}} | policy.buffer.timeToLve | policy.buffer.timeToLive",
                "'policy': {'retry': {'maxDealy': 'P1D'}}   | policy.retry.maxDealy   | policy.retry.maxDelay",
                "'policy': {'parking': {'onNomatch': 'park'}} | policy.parking.onNomatch | policy.parking.onNoMatch",
                "'policy': {'deduplication': {'keys': 'a'}} | policy.deduplication.keys | policy.deduplication.key",
                "'policy': {'retention': {'payloads': 'a'}} | policy.retention.payloads | policy.retention.payload",
                "'mesageIdOutputName': 'a'                  | mesageIdOutputName        | messageIdOutputName",
                "'correlation': {'mesageName': 'a'}         | correlation.mesageName    | correlation.messageName",
                "'correlation': {'processDefinition': 'a'}  | correlation.processDefinition"
                        + " | correlation.processDefinitionKey",
                "'messageName': 'a'                         | messageName               | correlation.messageName",
                "'consumer': {'paralelPullCount': 1}        | consumer.paralelPullCount | consumer.parallelPullCount",
                "'policy.buffer.timeToLive': 'P1D'          | policy.buffer.timeToLive  | policy.buffer.timeToLive",
                "'channelEventKeyDetection': {'fixdValue': 'a'}       | channelEventKeyDetection.fixdValue"
                        + " | channelEventKeyDetection.fixedValue",
                "'channelEventTenantIdDetection': {'jsonField': 'a'}  | channelEventTenantIdDetection.jsonField"
                        + " | channelEventKeyDetection.jsonField",
                "'channelEventTenantIdDetection': {'xpathExpresion': 'a'} | channelEventTenantIdDetection.xpathExpresion"
                        + " | channelEventTenantIdDetection.xPathExpression"
            })
    void namesTheNearestKnownPropertyAtEachLevel(String property, String path, String nearest) {
        assertThat(files.refusal(fileWith(property)))
                .startsWith("Pub/Sub channel \"orders\" is refused:\n - " + path + " = ")
                .contains(": unknown property, did you mean " + nearest + "? ")
                .containsAnyOf("available in ", "available at the top: ", " is available in this release");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"inboundEventChannelAdapter", "inboundEventProcessingPipeline", "subscriptionName2000", "öäü", ""
            })
    void refusesWhatLooksLikeNothing(String name) {
        assertThat(files.refusal(fileWith("'" + name + "': null")))
                .contains(" - " + name + " = null: unknown property")
                .contains("available at the top: category, channelEventKeyDetection, ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'ack': 'afterStrore'            | policy.ack         | afterStore?",
                "'ack': 'AFTERSTORE'             | policy.ack         | afterStore?",
                "'ack': 'afterCorelation'        | policy.ack | afterCorrelation?",
                "'cardinality': 'onePerDefintion'| policy.cardinality | onePerDefinition?",
                "'deduplication': {'key': 'payload'}         | policy.deduplication.key | payload:NAME?",
                "'deduplication': {'key': 'correlationkey'}  | policy.deduplication.key | correlationKey?",
                "'deduplication': {'key': 'paylod:ereignisId'} | policy.deduplication.key | payload:NAME?",
                "'deduplication': {'onConflict': 'ignor'}    | policy.deduplication.onConflict | ignore?",
                "'order': 'correlation-key'      | policy.order       | correlationKey?",
                "'parking': {'onNoMatch': 'Park'}| policy.parking.onNoMatch | park?",
                "'parking': {'laterMessages': 'continu'} | policy.parking.laterMessages | continue?",
                "'parking': {'deadLetterJob': 'flase'}   | policy.parking.deadLetterJob | false?"
            })
    void namesTheNearestAllowedValue(String property, String path, String hint) {
        assertThat(files.refusal(fileWith("'policy': {" + property + "}")))
                .contains(" - " + path + " = ")
                .contains(": is not a known value; did you mean " + hint + " allowed: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'policy': 'x'                                     | policy = \"x\": must be a JSON object; available in",
                "'policy': []                                      | policy = []: must be a JSON object",
                "'policy': {'buffer': 5}                           | policy.buffer = 5: must be a JSON object",
                "'policy': {'deduplication': true}                 | policy.deduplication = true: must be a JSON object",
                "'messageIdOutputName': ' '                        | messageIdOutputName = \" \": must be text that is not blank",
                "'publishTimeOutputName': {'a': 'b'}               | publishTimeOutputName = {\"a\": \"b\"}: must be text",
                "'correlation': 'Done'                             | correlation = \"Done\": must be a JSON object; available in",
                "'correlation': {'messageName': ' '}               | correlation.messageName = \" \": must be text that is not",
                "'correlation': {'variable': {}}                   | correlation.variable = {}: must be text",
                "'consumer': [1]                                   | consumer = [1]: must be a JSON object",
                "'channelEventKeyDetection': 'a'                   | channelEventKeyDetection = \"a\": must be a JSON object",
                "'channelEventTenantIdDetection': ['a']            | channelEventTenantIdDetection = [\"a\"]: must be a",
                "'key': {}                                         | key = {}: must be text",
                "'name': ['a']                                     | name = [\"a\"]: must be text",
                "'channelEventKeyDetection': {'fixedValue': {}}    | channelEventKeyDetection.fixedValue = {}: must be text",
                "'channelEventKeyDetection': {'fixedValue': ' '}   | channelEventKeyDetection.fixedValue = \" \": must be",
                "'channelEventKeyDetection': {'jsonPointerExpression': 'type'} | must be a JSON pointer",
                "'channelEventKeyDetection': {'xmlXPathExpression': '/a['}     | must be an XPath expression",
                "'eventFilterDelegateExpression': 'myFilter'       | must be a Flowable expression such as ${myBean}",
                "'deserializerType': 'JSON'                        | deserializerType = \"JSON\": is not a known value; did you mean json? allowed: json, xml, expression",
                "'deserializerType': 'yaml'                        | deserializerType = \"yaml\": is not a known value; allowed: json, xml",
                "'policy': {'ack': {}}                             | policy.ack = {}: must be one of: afterStore",
                "'policy': {'ack': 5}                              | policy.ack = 5: is not a known value; allowed",
                "'policy': {'buffer': {'timeToLive': '7 days'}}    | policy.buffer.timeToLive = \"7 days\": must be an ISO 8601",
                "'policy': {'buffer': {'timeToLive': ''}}          | policy.buffer.timeToLive = \"\": must be an ISO 8601",
                "'policy': {'buffer': {'timeToLiveAttribute': ' '}}| policy.buffer.timeToLiveAttribute = \" \": must be text",
                "'policy': {'buffer': {'alarmAfter': 'PT-1H'}}     | policy.buffer.alarmAfter = \"PT-1H\": must be an ISO 8601",
                "'policy': {'buffer': {'timeToLive': 5}}           | policy.buffer.timeToLive = 5: must be an ISO 8601",
                "'policy': {'buffer': {'timeToLive': 'P-1D'}}      | policy.buffer.timeToLive = \"P-1D\": must be an ISO 8601",
                "'policy': {'buffer': {'timeToLive': 'P1M'}}       | policy.buffer.timeToLive = \"P1M\": must be an ISO 8601",
                "'policy': {'buffer': {'timeToLive': 'P3651D'}}    | such as PT30S, PT5M or P7D, from PT0S to P3650D",
                "'policy': {'buffer': {'timeToLive': 'P99999W'}}   | from PT0S to P3650D",
                "'policy': {'buffer': {'timeToLive': 'PT9223372036854775807S'}} | from PT0S to P3650D",
                "'policy': {'buffer': {'timeToLive': 'PT99999999999999999999H'}} | from PT0S to P3650D",
                "'policy': {'buffer': {'timeToLive': 'PT0.0001S'}} | policy.buffer.timeToLive = \"PT0.0001S\": must be",
                "'policy': {'retry': {'initialDelay': 'PT0S'}}     | policy.retry.initialDelay = \"PT0S\": must be",
                "'policy': {'retry': {'maxDelay': 'PT0S'}}         | policy.retry.maxDelay = \"PT0S\": must be",
                "'policy': {'retry': {'giveUpAfter': '-PT1S'}}     | policy.retry.giveUpAfter = \"-PT1S\": must be",
                "'policy': {'retry': {'initialDelay': 'PT5S', 'maxDelay': 'PT1S'}} | policy.retry.maxDelay = \"PT1S\": must be at least policy.retry.initialDelay, which is PT5S",
                "'policy': {'retry': {'initialDelay': 'PT10M'}}    | policy.retry.maxDelay = \"PT5M\": (the default) must be at least",
                "'policy': {'retry': {'multiplier': 0.99}}         | policy.retry.multiplier = 0.99: must be a number from 1 to 100",
                "'policy': {'retry': {'multiplier': 101}}          | policy.retry.multiplier = 101: must be",
                "'policy': {'retry': {'multiplier': 1e400}}        | policy.retry.multiplier = ",
                "'policy': {'retry': {'multiplier': 'NaN'}}        | policy.retry.multiplier = \"NaN\": must be",
                "'policy': {'retry': {'multiplier': '1e999999999'}}| policy.retry.multiplier = \"1e999999999\": must be",
                "'policy': {'retry': {'multiplier': true}}         | policy.retry.multiplier = true: must be",
                "'consumer': {'parallelPullCount': 0}              | consumer.parallelPullCount = 0: must be a whole number from 1 to 32",
                "'consumer': {'parallelPullCount': 33}             | consumer.parallelPullCount = 33: must be",
                "'consumer': {'parallelPullCount': -1}             | consumer.parallelPullCount = -1: must be",
                "'consumer': {'parallelPullCount': 1.5}            | consumer.parallelPullCount = 1.5: must be",
                "'consumer': {'parallelPullCount': 'two'}          | consumer.parallelPullCount = \"two\": must be",
                "'consumer': {'parallelPullCount': 99999999999999999999} | consumer.parallelPullCount = 99999999999999999999: must be",
                "'consumer': {'maxOutstandingMessages': 0}         | consumer.maxOutstandingMessages = 0: must be",
                "'consumer': {'maxOutstandingMessages': {}}        | consumer.maxOutstandingMessages = {}: must be",
                "'consumer': {'maxOutstandingBytes': 0}            | consumer.maxOutstandingBytes = 0: must be",
                "'consumer': {'maxOutstandingBytes': '0MB'}        | consumer.maxOutstandingBytes = \"0MB\": must be",
                "'consumer': {'maxOutstandingBytes': '1.5MB'}      | consumer.maxOutstandingBytes = \"1.5MB\": must be",
                "'consumer': {'maxOutstandingBytes': '100MiB'}     | one of the units B, KB, MB, GB",
                "'consumer': {'maxOutstandingBytes': '9999999999999999999GB'} | consumer.maxOutstandingBytes = ",
                "'consumer': {'maxOutstandingBytes': '9223372036854775807KB'} | consumer.maxOutstandingBytes = ",
                "'consumer': {'maxOutstandingBytes': -5}           | consumer.maxOutstandingBytes = -5: must be",
                "'consumer': {'maxAckExtension': '-PT1S'}          | consumer.maxAckExtension = \"-PT1S\": must be",
                "'consumer': {'maxAckExtension': 'P32D'}           | from PT0S to P31D",
                "'consumer': {'pauseAtBacklog': -1}                | consumer.pauseAtBacklog = -1: must be a whole number"
            })
    void refusesMalformedValues(String property, String message) {
        assertThat(files.refusal(fileWith(property)))
                .startsWith("Pub/Sub channel ")
                .contains(" is refused:\n - ")
                .contains(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "orders sub",
                " orders-sub",
                "1orders",
                "orders/sub",
                "projects/P/topics/T",
                "projects/P/subscriptions/",
                "projects//subscriptions/S",
                "projects/P/subscriptions/S/x",
                "/projects/P/subscriptions/S",
                "subscriptions/S"
            })
    void refusesMalformedSubscriptions(String name) {
        assertThat(files.refusal(file(KEY, DETECTION, "'subscription': '" + name + "'")))
                .contains(" - subscription = \"" + name + "\": must be a subscription: a short name such as")
                .contains("projects/PROJECT/subscriptions/NAME");
    }

    /** Whoever sets these counts on a buffer, which is not there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'buffer': {'timeToLive': 'PT1H'}         | policy.buffer.timeToLive = \"PT1H\"",
                "'buffer': {'alarmAfter': 'PT1H'}         | policy.buffer.alarmAfter = \"PT1H\"",
                "'retry': {'initialDelay': 'PT1S'}        | policy.retry.initialDelay = \"PT1S\"",
                "'retry': {'multiplier': 3}               | policy.retry.multiplier = 3",
                "'retry': {'maxDelay': 'PT1M'}            | policy.retry.maxDelay = \"PT1M\"",
                "'retry': {'giveUpAfter': 'P1D'}          | policy.retry.giveUpAfter = \"P1D\"",
                "'parking': {'onNoMatch': 'discard'}      | policy.parking.onNoMatch = \"discard\"",
                "'parking': {'onUnknownEvent': 'park'}    | policy.parking.onUnknownEvent = \"park\"",
                "'parking': {'laterMessages': 'continue'} | policy.parking.laterMessages = \"continue\"",
                "'parking': {'deadLetterJob': false}      | policy.parking.deadLetterJob = \"false\""
            })
    void refusesAfterCorrelationWhatHasNoEffectThere(String property, String shown) {
        assertThat(files.refusal(fileWith("'policy': {'ack': 'afterCorrelation', " + property + "}")))
                .startsWith("Pub/Sub channel \"orders\" is refused:\n - " + shown
                        + ": has no effect with policy.ack afterCorrelation, where")
                .contains("remove it, and set retry policy and dead-letter topic of the subscription");
    }

    @Test
    void refusesAnIncompleteCorrelation() {
        assertThat(files.refusal(fileWith("'correlation': {}")))
                .isEqualTo(
                        """
                        Pub/Sub channel "orders" is refused for 3 reasons:
                         - correlation.messageName: is missing; needed with correlation is the name of the BPMN message
                         - correlation.processDefinitionKey: is missing; needed with correlation is the process whose receivers \
                        count
                         - correlation.variable: is missing; needed with correlation is the process variable to compare with \
                        the event's correlation parameter""");
        assertThat(files.refusal(fileWith("'correlation': {'variable': 'a', 'messageName': 'b'}")))
                .startsWith("Pub/Sub channel \"orders\" is refused:\n - correlation.processDefinitionKey: is missing");
    }

    @Test
    void refusesWhatIsMissing() {
        assertThat(files.refusal(file("'name': 'x'")))
                .isEqualTo(
                        """
                        Pub/Sub channel without key is refused for 3 reasons:
                         - key: is missing; needed is a key for the channel definition
                         - subscription: is missing; needed is the Pub/Sub subscription to read from
                         - channelEventKeyDetection: needs one of fixedValue, jsonField, jsonPointerExpression, \
                        delegateExpression with deserializerType json, or else set eventKeyAttribute or pipelineDelegateExpression""");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'channelEventKeyDetection': {}                        | channelEventKeyDetection: needs one of",
                "'channelEventKeyDetection': {'fixedValue': ''}        | channelEventKeyDetection: needs one of",
                "'channelEventKeyDetection': {'xmlXPathExpression': '/a'} | with deserializerType json",
                "'deserializerType': 'xml', 'channelEventKeyDetection': {'jsonField': 'a'} | with deserializerType xml",
                "'channelEventKeyDetection': {'fixedValue': 'a'}, 'channelEventTenantIdDetection': {}"
                        + " | channelEventTenantIdDetection: needs one of fixedValue, jsonPointerExpression, delegateExpression",
                "'deserializerType': 'expression', 'channelEventKeyDetection': {'fixedValue': 'a'},"
                        + " 'payloadExtractorDelegateExpression': '${p}' | deserializerDelegateExpression: is missing",
                "'deserializerType': 'expression', 'channelEventKeyDetection': {'fixedValue': 'a'},"
                        + " 'deserializerDelegateExpression': '${p}' | payloadExtractorDelegateExpression: is missing"
            })
    void refusesWhatFlowablesPipelineCouldNotUse(String properties, String message) {
        assertThat(files.refusal(file(KEY, SUBSCRIPTION, properties)))
                .contains("\"orders\" is refused:")
                .contains(message);
    }
}
