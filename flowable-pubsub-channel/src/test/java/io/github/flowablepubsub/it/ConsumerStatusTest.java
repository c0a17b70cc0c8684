package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.subscriber.ConsumerStatus;
import io.github.flowablepubsub.testdb.TestDatabase;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Rule R10: a consumer that died says so within seconds, and comes back by itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("once") // on one Flowable line, see .ci/run
class ConsumerStatusTest {

    private final Lab lab = Lab.start(TestDatabase.H2);

    @BeforeAll
    void start() {
        lab.node.deployProcess(Models.PROCESS);
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private ConsumerStatus status(String channel) {
        return lab.node.pubsub.consumers().stream()
                .filter(status -> status.channel().key().equals(channel))
                .findFirst()
                .orElseThrow();
    }

    private ConsumerStatus awaitState(String channel, ConsumerStatus.State state) {
        return Awaitility.await(channel + " to be " + state)
                .atMost(Duration.ofSeconds(15))
                .until(() -> status(channel), status -> status.state() == state);
    }

    private void aMessageArrives(String channel, String auftragId) {
        String instance = lab.startOrder("auftrag-ausfuehrung", auftragId);
        lab.publish(channel, Models.completion(auftragId, 1));
        Awaitility.await("message " + auftragId).atMost(Duration.ofSeconds(40)).until(() -> lab.tasks(instance) == 1);
    }

    @Test
    void connectors8148_aMissingSubscriptionShowsAndItsCreationHeals() {
        lab.server.createTopic("spaet");
        lab.node.deployEvents(Map.of("s.channel", Models.channel("spaet", "spaet-sub", "{}", Lab.FIXED, "")));
        Awaitility.await().until(() -> lab.node.pubsub.consumers().stream()
                .anyMatch(status -> status.channel().key().equals("spaet")));
        ConsumerStatus status = Awaitility.await("down within seconds")
                .atMost(Duration.ofSeconds(15))
                .until(() -> status("spaet"), s -> s.state() == ConsumerStatus.State.RESTARTING);
        assertThat(Objects.requireNonNull(status.error())).contains("NOT_FOUND");
        assertThat(status.subscription()).isEqualTo("projects/sample/subscriptions/spaet-sub");
        lab.server.createSubscription("spaet-sub", "spaet");
        aMessageArrives("spaet", "spaet");
        assertThat(awaitState("spaet", ConsumerStatus.State.RUNNING).error()).isNull();
    }

    @Test
    void springCloudGcp4566_aRevokedPermissionShowsAndHeals() {
        lab.channel("recht", "{}");
        aMessageArrives("recht", "vorher");
        assertThat(status("recht").state()).isEqualTo(ConsumerStatus.State.RUNNING);
        lab.server.failStreams("recht-sub", Status.PERMISSION_DENIED.withDescription("entzogen"));
        ConsumerStatus status = Awaitility.await("down within seconds")
                .atMost(Duration.ofSeconds(15))
                .until(() -> status("recht"), s -> s.state() == ConsumerStatus.State.RESTARTING);
        assertThat(Objects.requireNonNull(status.error())).contains("PERMISSION_DENIED");
        lab.server.heal("recht-sub");
        aMessageArrives("recht", "nachher");
        awaitState("recht", ConsumerStatus.State.RUNNING);
        assertThat(lab.server.stats("recht-sub").openStreams()).isEqualTo(1);
    }

    @Test
    void aDeletedSubscriptionThatIsCreatedAgainIsConsumedAgain() {
        lab.channel("geloescht", "{}");
        aMessageArrives("geloescht", "davor");
        lab.server.deleteSubscription("geloescht-sub");
        awaitState("geloescht", ConsumerStatus.State.RESTARTING);
        lab.server.createSubscription("geloescht-sub", "geloescht");
        aMessageArrives("geloescht", "danach");
    }
}
