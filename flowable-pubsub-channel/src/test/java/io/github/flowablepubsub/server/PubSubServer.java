package io.github.flowablepubsub.server;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Topic;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A Google Pub/Sub server in this process, on plaintext gRPC and the loopback address only, for tests and demos.
 *
 * <p>It serves topics, subscriptions, publish, streaming and unary pull, acks, nacks, ack deadlines, ordering keys,
 * dead-letter and retry policies, exactly-once delivery, message retention and seek to a time. Whatever it does not do
 * (filters, push, snapshots, schemas) is refused with {@code UNIMPLEMENTED}, never accepted and ignored. Messages are
 * kept in memory until they are acked, their retention is over, or the server is closed.
 *
 * <p>Names may be short ({@code orders}, then in project {@value #PROJECT}) or full ({@code projects/P/topics/orders}).
 * All methods may be called from any thread. Where the service would answer an error, they throw an
 * {@link io.grpc.StatusRuntimeException} with its code: {@code NOT_FOUND} for an unknown topic or subscription,
 * {@code ALREADY_EXISTS}, {@code INVALID_ARGUMENT}.
 */
public final class PubSubServer implements AutoCloseable {

    /** The project of short names. */
    public static final String PROJECT = "sample";

    private static final String HOST = "127.0.0.1";
    // Twice the largest message, so that it is refused by its size with a readable error, not by the transport.
    private static final int MAX_INBOUND_BYTES = 20 * 1024 * 1024;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Registry registry;
    private final Timers timers;
    private final Server server;

    private PubSubServer(int port, InstantSource clock) {
        registry = new Registry(clock);
        timers = new Timers(registry::sweep);
        server = NettyServerBuilder.forAddress(new InetSocketAddress(loopback(), port))
                .maxInboundMessageSize(MAX_INBOUND_BYTES)
                // Clients may be configured to any HTTP/2 keep-alive; a test server has no reason to hang up on them.
                .permitKeepAliveTime(1, TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(new PublisherService(registry))
                .addService(new SubscriberService(registry, timers))
                .build();
    }

    /**
     * Starts a server on a free port.
     *
     * @throws UncheckedIOException if it cannot listen
     */
    public static PubSubServer start() {
        return start(0);
    }

    /**
     * Starts a server.
     *
     * @param port TCP port on 127.0.0.1, 0 for any free one
     * @throws UncheckedIOException if it cannot listen there, for instance because the port is taken
     */
    public static PubSubServer start(int port) {
        return start(port, InstantSource.system());
    }

    /**
     * Starts a server that takes the time of day from elsewhere: the publish times of messages, and when their retention
     * is over. Ack deadlines and back-offs run in real time.
     *
     * @param port TCP port on 127.0.0.1, 0 for any free one
     * @throws UncheckedIOException if it cannot listen there, for instance because the port is taken
     */
    public static PubSubServer start(int port, InstantSource clock) {
        PubSubServer result = new PubSubServer(port, clock);
        try {
            result.server.start();
        } catch (IOException e) {
            result.close();
            throw new UncheckedIOException("Pub/Sub server cannot listen on " + HOST + ":" + port, e);
        }
        return result;
    }

    /** The TCP port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** {@code 127.0.0.1:PORT}: what clients take as endpoint or as {@code PUBSUB_EMULATOR_HOST}. */
    public String endpoint() {
        return HOST + ":" + port();
    }

    /**
     * Creates a topic.
     *
     * @return its full name
     */
    public String createTopic(String topic) {
        String name = ResourceNames.topic(topic);
        registry.createTopic(Topic.newBuilder().setName(name).build());
        return name;
    }

    /** Creates a subscription with {@link SubscriptionOptions#DEFAULT}. */
    public String createSubscription(String subscription, String topic) {
        return createSubscription(subscription, topic, SubscriptionOptions.DEFAULT);
    }

    /**
     * Creates a subscription, which gets every message published to the topic from now on.
     *
     * @return its full name
     */
    public String createSubscription(String subscription, String topic, SubscriptionOptions options) {
        String name = ResourceNames.subscription(subscription);
        registry.createSubscription(options.apply(name, ResourceNames.topic(topic)));
        return name;
    }

    /** Deletes a topic; its subscriptions stay with what they have. */
    public void deleteTopic(String topic) {
        registry.deleteTopic(ResourceNames.topic(topic));
    }

    /** Deletes a subscription with its messages; open streams end with {@code NOT_FOUND}. */
    public void deleteSubscription(String subscription) {
        registry.deleteSubscription(ResourceNames.subscription(subscription));
    }

    /**
     * Publishes one message.
     *
     * @param data the body, may be empty if there are attributes
     * @param orderingKey empty for none
     * @return its message id, unique over all topics and all servers of this process
     */
    public String publish(String topic, ByteString data, Map<String, String> attributes, String orderingKey) {
        PubsubMessage message = PubsubMessage.newBuilder()
                .setData(data)
                .putAllAttributes(attributes)
                .setOrderingKey(orderingKey)
                .build();
        return registry.publish(ResourceNames.topic(topic), List.of(message)).get(0);
    }

    /** Publishes one message; see {@link #publish(String, ByteString, Map, String)}. */
    public String publish(String topic, byte[] data, Map<String, String> attributes, String orderingKey) {
        return publish(topic, ByteString.copyFrom(data), attributes, orderingKey);
    }

    /** Publishes one UTF-8 text without ordering key; see {@link #publish(String, ByteString, Map, String)}. */
    public String publish(String topic, String text, Map<String, String> attributes) {
        return publish(topic, ByteString.copyFromUtf8(text), attributes, "");
    }

    /** A consistent snapshot of the counts of a subscription. */
    public SubscriptionStats stats(String subscription) {
        return find(subscription).stats();
    }

    /** How many messages of the subscription are not acked yet: backlog and outstanding together. */
    public int unacked(String subscription) {
        return stats(subscription).unacked();
    }

    /**
     * Waits until every message of the subscription is acked.
     *
     * @throws IllegalStateException with the counts if some are still unacked after the timeout, or on interruption
     */
    public void awaitEmpty(String subscription, Duration timeout) {
        find(subscription).awaitEmpty(timeout);
    }

    /**
     * Fault: ends the open streams and waiting pulls of the subscription with the status and refuses new ones with it,
     * until {@link #heal}. Outstanding messages stay leased to the client and may still be acked.
     *
     * @throws IllegalArgumentException if the status is OK
     */
    public void failStreams(String subscription, Status status) {
        find(subscription).fail(status);
    }

    /**
     * Fault: the calls that are open now stay open and get no more messages; new ones are as always.
     */
    public void muteStreams(String subscription) {
        find(subscription).mute();
    }

    /** Ends {@link #failStreams} of the subscription; without effect where there is none. */
    public void heal(String subscription) {
        find(subscription).heal();
    }

    /**
     * Fault: every message that the subscription has delivered, acked or not, is delivered once more with the same
     * message id, in order within its ordering key. Ack ids handed out before have no effect any more. Of the acked
     * messages the latest {@value AckedHistory#MAX_MESSAGES} are remembered, up to 64 MiB.
     */
    public void redeliver(String subscription) {
        find(subscription).redeliver();
    }

    /** Fault: all ack deadlines that are running are over now, as after a client that crashed. */
    public void expireLeases(String subscription) {
        find(subscription).expireAll();
    }

    /**
     * Fault: while on, acks are accepted and then lost, so that the messages are redelivered when their deadline is
     * over. With exactly-once delivery, which never confirms what it loses, acks fail as temporarily unavailable instead.
     */
    public void loseAcks(String subscription, boolean lose) {
        find(subscription).loseAcks(lose);
    }

    /** Stops the server: open calls end with {@code UNAVAILABLE}. Returns within five seconds; may be repeated. */
    @Override
    public void close() {
        server.shutdownNow();
        timers.close();
        try {
            server.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static InetAddress loopback() {
        try {
            // Spelled out, as InetAddress.getLoopbackAddress() may be ::1, which is not what endpoint() says.
            return InetAddress.getByAddress(HOST, new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    private LiveSubscription find(String subscription) {
        return registry.subscription(ResourceNames.subscription(subscription));
    }
}
