package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.inbox.Hooks;
import io.github.flowablepubsub.inbox.StoreHook;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.subscriber.ConsumerStatus;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code flowable.pubsub.subscriber.max-silence}: a subscriber that delivers nothing for so long is replaced. */
@Tag("once")
class SilenceTest {

    private static final String SUB = "c-sub";
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final Database database = TestDatabase.H2.create();
    private volatile StoreHook hook = (messages, connection) -> {};
    private final PubSubServer server = PubSubServer.start();
    private final Node node = Node.start(
            database,
            Node.settings(server.endpoint())
                    .withMaxSilence(LIMIT)
                    .withHooks(Hooks.of(
                            List.of((messages, connection) -> hook.storing(messages, connection)), List.of())));

    SilenceTest() {
        server.createTopic("rueckmeldungen");
        server.createSubscription(SUB, "rueckmeldungen");
        node.deployEvents(Map.of("e.event", Models.EVENT, "c.channel", Models.channel(SUB)));
    }

    @AfterEach
    void stop() {
        node.close();
        server.close();
    }

    private void publish(int rows) {
        server.publish("rueckmeldungen", ByteString.copyFromUtf8(Models.completion("A-" + rows, rows)), Map.of(), "");
    }

    private void stored(int rows) {
        Lab.eventually(rows + " stored", () -> new InboxTable(database).rows().size() == rows);
    }

    private ConsumerStatus status() {
        return node.pubsub.consumers().get(0);
    }

    private long streams() {
        return server.stats(SUB).streamsOpened();
    }

    @Test
    void googleCloudJava4205_aStreamThatDeliversNothingIsReplaced_andSeenInTheStatus() {
        publish(1);
        stored(1);
        assertThat(status().lastStall()).isNull();
        server.muteStreams(SUB);
        publish(2);
        stored(2);
        assertThat(status().lastStall()).isNotNull();
        assertThat(status().state()).isEqualTo(ConsumerStatus.State.RUNNING);
    }

    @Test
    void aSubscriptionThatHasNothingGetsNewStreamsAndNoBlame() {
        publish(1);
        stored(1);
        long before = streams();
        Lab.eventually("replaced twice", () -> streams() >= before + 2);
        publish(2);
        stored(2);
        assertThat(status().lastStall()).isNull();
        assertThat(status().error()).isNull();
        assertThat(server.stats(SUB).nacks()).isZero();
        Lab.eventually("the old ones are closed", () -> server.stats(SUB).openStreams() == 1);
    }

    @Test
    void withMessagesInHandItIsNotSilent() throws InterruptedException {
        CountDownLatch storing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        hook = (messages, connection) -> {
            storing.countDown();
            assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
        };
        publish(1);
        assertThat(storing.await(60, TimeUnit.SECONDS)).isTrue();
        long before = streams();
        // More than two looks: with nothing in hand, or with a wrong count of it, each would replace the subscriber.
        TimeUnit.SECONDS.sleep(5);
        assertThat(streams()).isEqualTo(before);
        hook = (messages, connection) -> {};
        go.countDown();
        stored(1);
        Lab.eventually("replaced again", () -> streams() > before);
    }
}
