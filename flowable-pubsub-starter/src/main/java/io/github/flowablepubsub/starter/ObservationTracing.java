package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.events.Tracing;
import io.github.flowablepubsub.inbox.ChannelId;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The correlation of a message as an observation, whose parent is what the publisher's tracing has put into the attributes:
 * {@code traceparent} and the like, also with the prefix that Google's client library gives them.
 */
final class ObservationTracing implements Tracing {

    static final String NAME = "flowable.pubsub.deliver";

    private static final String GOOGLE = "googclient_";

    /** What a process says may quote the message, and spans are for all to read: only what kind of failure it was. */
    private static final class FailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FailedException(Throwable failure) {
            super(failure.getClass().getName(), null, false, false);
        }
    }

    private final ObservationRegistry registry;

    ObservationTracing(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public <T> T correlate(ChannelId channel, String messageId, Map<String, String> attributes, Supplier<T> work) {
        Observation observation = Observation.createNotStarted(NAME, () -> context(attributes), registry)
                .contextualName(channel.key() + " process")
                .lowCardinalityKeyValue("channel", channel.key())
                .highCardinalityKeyValue("messaging.message.id", messageId)
                .start();
        Observation.Scope scope = observation.openScope();
        try {
            return work.get();
        } catch (RuntimeException | Error e) {
            observation.error(new FailedException(e));
            throw e;
        } finally {
            scope.close();
            observation.stop();
        }
    }

    private static ReceiverContext<Map<String, String>> context(Map<String, String> attributes) {
        ReceiverContext<Map<String, String>> context =
                new ReceiverContext<>(ObservationTracing::attribute, Kind.CONSUMER);
        context.setCarrier(attributes);
        context.setRemoteServiceName("Google Cloud Pub/Sub");
        return context;
    }

    private static @Nullable String attribute(Map<String, String> attributes, String name) {
        String plain = attributes.get(name);
        return plain == null ? attributes.get(GOOGLE + name) : plain;
    }
}
