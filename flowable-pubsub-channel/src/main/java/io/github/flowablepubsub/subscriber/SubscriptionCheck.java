package io.github.flowablepubsub.subscriber;

import com.google.pubsub.v1.Subscription;
import io.github.flowablepubsub.channel.Ack;
import io.github.flowablepubsub.channel.RegisteredChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a channel with the settings of its subscription and warns once of what does not go together. On a thread of its own,
 * and silent when this app may not read them: nothing depends on it.
 */
final class SubscriptionCheck {

    private static final Logger log = LoggerFactory.getLogger(SubscriptionCheck.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private SubscriptionCheck() {}

    /** Begins the check and returns at once. */
    static void begin(RegisteredChannel channel, PubSubConnection connection) {
        Thread thread = new Thread(
                () -> check(channel, connection), "pubsub-check-" + channel.id().key());
        thread.setDaemon(true);
        thread.start();
    }

    private static void check(RegisteredChannel channel, PubSubConnection connection) {
        String name = connection.fullName(channel.config().subscription());
        try {
            List<String> findings = findings(channel, connection.settings(name, TIMEOUT));
            if (!findings.isEmpty()) {
                log.warn(
                        "Subscription {} does not fit channel {}: {}.",
                        name,
                        channel.id(),
                        String.join("; ", findings));
            }
        } catch (Exception | Error e) {
            log.debug("Can't read the settings of subscription {} (channel {})", name, channel.id(), e);
        }
    }

    private static List<String> findings(RegisteredChannel channel, Subscription subscription) {
        List<String> findings = new ArrayList<>();
        if (channel.config().ack() == Ack.AFTER_CORRELATION) {
            if (!subscription.hasRetryPolicy()) {
                findings.add(
                        "it has no retry policy, so with policy.ack afterCorrelation a message that is not delivered comes"
                                + " back at once, again and again; set one (--min-retry-delay, --max-retry-delay)");
            }
            if (!subscription.hasDeadLetterPolicy()) {
                findings.add("it has no dead-letter topic, so with policy.ack afterCorrelation a message that is never"
                        + " delivered comes back until its retention is over, and is lost then; set one"
                        + " (--dead-letter-topic, --max-delivery-attempts)");
            }
        }
        Duration retention =
                Duration.ofSeconds(subscription.getMessageRetentionDuration().getSeconds());
        Duration window = channel.config().policy().retention().window();
        if (window.compareTo(retention) < 0) {
            findings.add("it keeps messages for " + retention + " and policy.deduplication.window is " + window
                    + ", so a redelivery after that is taken for a new message; make the window as long");
        }
        return findings;
    }
}
