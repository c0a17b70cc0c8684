package io.github.flowablepubsub.engine;

import io.github.flowablepubsub.channel.ApplicationDefaults;
import io.github.flowablepubsub.channel.SystemPlaceholders;
import io.github.flowablepubsub.events.Observers;
import io.github.flowablepubsub.inbox.Hooks;
import io.github.flowablepubsub.mirror.MirrorSettings;
import io.github.flowablepubsub.operations.RetentionSettings;
import io.github.flowablepubsub.relay.FailureClassifier;
import io.github.flowablepubsub.relay.RelayListener;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.subscriber.PubSubConnection;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Settings of the plugin on this node.
 *
 * @param connection how to reach Pub/Sub; default: from the environment, see {@link PubSubConnection#fromEnvironment()}
 * @param relay how to relay
 * @param retention how to clear and remove finished rows
 * @param mirrors how to mirror messages as jobs
 * @param subscriberEnabled false for a node that only relays; default true
 * @param stopTimeout how long a stop may wait for messages in hand; default 10 s
 * @param databasePatience how long received messages are kept in hand while the database takes none, before they are nacked
 *     and consuming pauses until it answers; default 30 s
 * @param maxSilence after which a subscriber that delivers nothing, and has nothing in hand, is replaced: its stream may be
 *     dead without saying so; default 10 min, zero for never
 * @param placeholders resolves {@code ${name}} in channel files; default: system properties, then environment
 * @param channelDefaults what holds for channels whose files say nothing; default: the built-in defaults
 * @param autoStart start with the engine; Spring Boot's starter starts and stops with the application context instead
 * @param listener hears what became of messages
 * @param failures tells failures of the infrastructure from those of a process; default: the table in
 *     {@code docs/failures.md}
 * @param hooks the app's own work in the transactions that store messages, and that clear and remove finished ones; default:
 *     none
 * @param observers hear of events and numbers; default: none
 */
public record PubSubSettings(
        PubSubConnection connection,
        RelaySettings relay,
        RetentionSettings retention,
        MirrorSettings mirrors,
        boolean subscriberEnabled,
        Duration stopTimeout,
        Duration databasePatience,
        Duration maxSilence,
        UnaryOperator<String> placeholders,
        ApplicationDefaults channelDefaults,
        boolean autoStart,
        RelayListener listener,
        FailureClassifier failures,
        Hooks hooks,
        Observers observers) {

    private static final Duration MAX_SILENCE = Duration.ofMinutes(10);

    /**
     * Refuses values out of range.
     *
     * @throws IllegalArgumentException naming setting, value and what is allowed
     */
    public PubSubSettings {
        requirePositive("stop-timeout", stopTimeout);
        requirePositive("subscriber.database-patience", databasePatience);
        if (maxSilence.isNegative() || maxSilence.toDays() > 1) {
            throw new IllegalArgumentException(
                    "flowable.pubsub.subscriber.max-silence is " + maxSilence + ", allowed: PT0S (never) to P1D");
        }
    }

    /** With the standard failure classifier and default mirrors. */
    public PubSubSettings(
            PubSubConnection connection,
            RelaySettings relay,
            RetentionSettings retention,
            boolean subscriberEnabled,
            Duration stopTimeout,
            Duration databasePatience,
            UnaryOperator<String> placeholders,
            ApplicationDefaults channelDefaults,
            boolean autoStart,
            RelayListener listener) {
        this(
                connection,
                relay,
                retention,
                MirrorSettings.DEFAULTS,
                subscriberEnabled,
                stopTimeout,
                databasePatience,
                MAX_SILENCE,
                placeholders,
                channelDefaults,
                autoStart,
                listener,
                FailureClassifier.standard(),
                Hooks.NONE,
                Observers.NONE);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.toMillis() < 1 || value.toHours() > 1) {
            throw new IllegalArgumentException(
                    "flowable.pubsub." + name + " is " + value + ", allowed: PT0.001S to PT1H");
        }
    }

    /** The defaults, for a plain engine. */
    public static PubSubSettings defaults() {
        return new PubSubSettings(
                PubSubConnection.fromEnvironment(),
                RelaySettings.DEFAULTS,
                RetentionSettings.DEFAULTS,
                true,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                new SystemPlaceholders(),
                ApplicationDefaults.NONE,
                true,
                (row, change) -> {});
    }

    /** The same, with another connection. */
    public PubSubSettings withConnection(PubSubConnection other) {
        return changed(copy -> copy.connection = other);
    }

    /** The same, with other relay settings. */
    public PubSubSettings withRelay(RelaySettings other) {
        return changed(copy -> copy.relay = other);
    }

    /** The same, with other retention settings. */
    public PubSubSettings withRetention(RetentionSettings other) {
        return changed(copy -> copy.retention = other);
    }

    /** The same, with other settings of the mirrors. */
    public PubSubSettings withMirrors(MirrorSettings other) {
        return changed(copy -> copy.mirrors = other);
    }

    /** The same, with another patience. */
    public PubSubSettings withDatabasePatience(Duration other) {
        return changed(copy -> copy.databasePatience = other);
    }

    /** The same, with another limit of silence. */
    public PubSubSettings withMaxSilence(Duration other) {
        return changed(copy -> copy.maxSilence = other);
    }

    /** The same, with another listener. */
    public PubSubSettings withListener(RelayListener other) {
        return changed(copy -> copy.listener = other);
    }

    /** The same, with another failure classifier. */
    public PubSubSettings withFailureClassifier(FailureClassifier other) {
        return changed(copy -> copy.failures = other);
    }

    /** The same, with other defaults for channels. */
    public PubSubSettings withChannelDefaults(ApplicationDefaults other) {
        return changed(copy -> copy.channelDefaults = other);
    }

    /** The same, with other hooks. */
    public PubSubSettings withHooks(Hooks other) {
        return changed(copy -> copy.hooks = other);
    }

    /** The same, with other observers. */
    public PubSubSettings withObservers(Observers other) {
        return changed(copy -> copy.observers = other);
    }

    private PubSubSettings changed(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return copy.settings();
    }

    /** All values, to change one of them. */
    private static final class Copy {
        private PubSubConnection connection;
        private RelaySettings relay;
        private RetentionSettings retention;
        private MirrorSettings mirrors;
        private boolean subscriberEnabled;
        private Duration stopTimeout;
        private Duration databasePatience;
        private Duration maxSilence;
        private UnaryOperator<String> placeholders;
        private ApplicationDefaults channelDefaults;
        private boolean autoStart;
        private RelayListener listener;
        private FailureClassifier failures;
        private Hooks hooks;
        private Observers observers;

        Copy(PubSubSettings settings) {
            this.connection = settings.connection;
            this.relay = settings.relay;
            this.retention = settings.retention;
            this.mirrors = settings.mirrors;
            this.subscriberEnabled = settings.subscriberEnabled;
            this.stopTimeout = settings.stopTimeout;
            this.databasePatience = settings.databasePatience;
            this.maxSilence = settings.maxSilence;
            this.placeholders = settings.placeholders;
            this.channelDefaults = settings.channelDefaults;
            this.autoStart = settings.autoStart;
            this.listener = settings.listener;
            this.failures = settings.failures;
            this.hooks = settings.hooks;
            this.observers = settings.observers;
        }

        PubSubSettings settings() {
            return new PubSubSettings(
                    connection,
                    relay,
                    retention,
                    mirrors,
                    subscriberEnabled,
                    stopTimeout,
                    databasePatience,
                    maxSilence,
                    placeholders,
                    channelDefaults,
                    autoStart,
                    listener,
                    failures,
                    hooks,
                    observers);
        }
    }
}
