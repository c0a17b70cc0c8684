package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.mirror.MirrorSettings;
import io.github.flowablepubsub.operations.RetentionSettings;
import io.github.flowablepubsub.relay.RelaySettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the Pub/Sub channel.
 *
 * @param enabled whether the channel type "pubsub" is there at all
 * @param projectId project of subscriptions that are given by their short name; else that of spring.cloud.gcp.project-id,
 *     then of the environment variable GOOGLE_CLOUD_PROJECT
 * @param emulatorHost host:port of an emulator, reached without credentials; else that of
 *     spring.cloud.gcp.pubsub.emulator-host, then of the environment variable PUBSUB_EMULATOR_HOST
 * @param stopTimeout how long a stop may wait for messages in hand, and again for Pub/Sub
 * @param subscriber storing on this node
 * @param relay relaying on this node
 * @param retention clearing and removing finished rows on this node
 * @param admin what admin tools show
 * @param health what the health contributor says of the inbox table
 * @param policy what happens to messages of channels whose files say nothing
 * @param consumer how messages of channels whose files say nothing are pulled
 */
@ConfigurationProperties(prefix = "flowable.pubsub", ignoreUnknownFields = false)
public record PubSubProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String projectId,
        @Nullable String emulatorHost,
        @DefaultValue("10s") Duration stopTimeout,
        @DefaultValue Subscriber subscriber,
        @DefaultValue Relay relay,
        @DefaultValue Retention retention,
        @DefaultValue Admin admin,
        @NestedConfigurationProperty @DefaultValue HealthProperties health,
        @NestedConfigurationProperty @DefaultValue PolicyProperties policy,
        @NestedConfigurationProperty @DefaultValue ConsumerProperties consumer) {

    /**
     * Storing on this node.
     *
     * @param enabled whether this node consumes subscriptions; false for a node that only relays
     * @param databasePatience how long received messages are kept in hand while the database takes none, before they are
     *     nacked and consuming pauses until it answers
     * @param maxSilence after which a subscriber that delivers nothing, and has nothing in hand, is replaced, for its stream
     *     may be dead without saying so; 0 for never
     */
    public record Subscriber(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("30s") Duration databasePatience,
            @DefaultValue("10m") Duration maxSilence) {}

    /**
     * Relaying on this node.
     *
     * @param enabled whether this node correlates messages; false for a node that only stores
     * @param threads messages correlated at the same time, each with a database connection; as many again for channels with
     *     ack after correlation, if there are any; 1 to 256
     * @param sweepInterval pause between looks at the table when this node is idle; 100 ms to 1 h
     */
    public record Relay(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("4") int threads,
            @DefaultValue("5s") Duration sweepInterval) {

        RelaySettings toSettings() {
            return new RelaySettings(enabled, threads, sweepInterval);
        }
    }

    /**
     * Clearing and removing finished rows on this node.
     *
     * @param enabled whether this node does it; some node has to
     * @param interval pause between two rounds; 1 s to 1 day
     */
    public record Retention(@DefaultValue("true") boolean enabled, @DefaultValue("1m") Duration interval) {

        RetentionSettings toSettings() {
            return new RetentionSettings(enabled, interval);
        }
    }

    /**
     * What admin tools show.
     *
     * @param showPayload whether jobs of parked messages show bodies, and errors that may quote them
     * @param trailingSlash whether Flowable's process REST API, where the app has it, answers paths with a trailing slash,
     *     too; Flowable's Admin UI 6.8 can't list jobs without
     */
    public record Admin(@DefaultValue("false") boolean showPayload, @DefaultValue("true") boolean trailingSlash) {

        MirrorSettings toSettings() {
            return MirrorSettings.DEFAULTS.withShowPayload(showPayload);
        }
    }
}
