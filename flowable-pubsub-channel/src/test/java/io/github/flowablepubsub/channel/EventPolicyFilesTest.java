package io.github.flowablepubsub.channel;

import static io.github.flowablepubsub.channel.ChannelFiles.KEY;
import static io.github.flowablepubsub.channel.ChannelFiles.SUBSCRIPTION;
import static io.github.flowablepubsub.channel.ChannelFiles.file;
import static io.github.flowablepubsub.channel.ChannelFiles.fileWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.Keys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code policy.events} in channel files. */
class EventPolicyFilesTest {

    private final ChannelFiles files = new ChannelFiles();

    /** As rows keep it, when it is too long for their column. */
    @Test
    void findsThePolicyOfALongEventKey() {
        String event = "e".repeat(120);
        PubSubChannel channel = files.parse(file(
                KEY,
                SUBSCRIPTION,
                "'eventKeyAttribute': 'type', 'policy': {'events': {'" + event + "': {'cardinality': 'all'}}}"));

        assertThat(channel.policy(event).cardinality()).isEqualTo(Cardinality.ALL);
        assertThat(channel.policy(Keys.indexed(event)).cardinality()).isEqualTo(Cardinality.ALL);
        assertThat(channel.policy("e").cardinality()).isEqualTo(Cardinality.ONE_PER_DEFINITION);
    }

    /** With its own code an app can make other events than the fixed one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'eventTransformerDelegateExpression': '${t}'",
                "'eventKeyAttribute': 'type'",
                "'pipelineDelegateExpression': '${p}'"
            })
    void acceptsOtherEventsThanTheFixedOne(String properties) {
        assertThat(files.parse(fileWith(properties, "'policy': {'events': {'other': {}}}"))
                        .events())
                .containsOnlyKeys("other");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'a': {'bufer': {}}                  | policy.events.a.bufer = {}: unknown property, did you mean"
                        + " policy.events.a.buffer? available in policy.events.a: buffer, cardinality, parking, retry",
                "'a.b': {'retry': {'maxDealy': 1}}   | policy.events.a.b.retry.maxDealy = 1: unknown property, did you mean"
                        + " policy.events.a.b.retry.maxDelay? available in policy.events.a.b.retry: giveUpAfter, ",
                "'a': {'timeToLive': 'P1D'}          | policy.events.a.timeToLive = \"P1D\": unknown property, did you mean"
                        + " policy.events.a.buffer.timeToLive?",
                "'a': {'window': 'P1D'}              | policy.events.a.window = \"P1D\": unknown property, did you mean"
                        + " policy.deduplication.window?",
                "'a': {'buffer': {'timeToLive': '7'}}| policy.events.a.buffer.timeToLive = \"7\": must be an ISO 8601",
                "'a': {'cardinality': 'al'}          | policy.events.a.cardinality = \"al\": is not a known value; did you",
                "'a': {'parking': {'deadLetterJob': 'ture'}} | policy.events.a.parking.deadLetterJob = \"ture\": is not a known",
                "'a': {'buffer': {'alarmAfter': '1h'}}     | policy.events.a.buffer.alarmAfter = \"1h\": must be an ISO 8601",
                "'a': {'ack': 'afterStore'}          | policy.events.a.ack = \"afterStore\": can't differ between the events",
                "'a': {'order': 'none'}              | policy.events.a.order = \"none\": can't differ between the events of a"
                        + " channel, as it counts before the event is known, or for rows whatever their event; set it in"
                        + " policy; available in policy.events.a: buffer, cardinality, parking, retry",
                "'a': {'deduplication': {'window': 'P1D'}} | policy.events.a.deduplication = {\"window\": \"P1D\"}: can't differ",
                "'a': {'parking': {'laterMessages': 'wait'}} | policy.events.a.parking.laterMessages = \"wait\": can't differ",
                "'a': {'retention': {'payload': 'P1D'}}    | policy.events.a.retention = {\"payload\": \"P1D\"}: can't differ",
                "'a': {'events': {'b': {}}}          | policy.events.a.events = {\"b\": {}}: can't differ",
                "'a': {'policy': {}}                 | policy.events.a.policy = {}: unknown property",
                "'a': 5                              | policy.events.a = 5: must be a JSON object; available in policy.events.a",
                "' ': {}                             | policy.events.  = {}: is not the key of an event",
                "'${x}': {}                          | policy.events.${x} = {}: is not the key of an event; placeholders are",
                "'a': {'retry': {'initialDelay': 'PT10M'}} | policy.events.a.retry.maxDelay = \"PT5M\": (inherited) must be"
                        + " at least policy.events.a.retry.initialDelay, which is PT10M",
                "'b': {}                             | policy.events.b: no message of this channel has this event:"
                        + " channelEventKeyDetection.fixedValue is a"
            })
    void refusesWhatCantBeSetForAnEvent(String events, String message) {
        String detection =
                events.startsWith("'b'") ? "{'fixedValue': 'a'}" : "{'jsonField': 'type'}, 'category': 'fixed'";
        String file = file(
                KEY,
                SUBSCRIPTION,
                "'channelEventKeyDetection': " + detection,
                "'policy': {'events': {" + events + "}}");
        assertThat(files.refusal(file)).startsWith("Pub/Sub channel \"orders\" is refused:\n - " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "[]", "'a'"})
    void refusesEventsThatAreNone(String events) {
        assertThat(files.refusal(fileWith("'policy': {'events': " + events + "}")))
                .contains(": must be a JSON object with a policy for each of some event keys");
    }
}
