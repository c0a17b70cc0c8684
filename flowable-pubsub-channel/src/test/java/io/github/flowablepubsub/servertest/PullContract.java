package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.core.ApiFuture;
import com.google.api.gax.grpc.GrpcCallContext;
import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Unary pull. */
interface PullContract extends Contract {

    @Test
    default void pullGivesNoMoreThanAskedFor() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription());
            clients.publish(message("a"), message("b"), message("c"), message("d"), message("e"));
            List<ReceivedMessage> first = pulls.now(3);
            assertThat(first).hasSizeBetween(1, 3);
            List<String> all = new ArrayList<>(Pulls.bodies(first));
            all.addAll(Pulls.bodies(pulls.some(5 - first.size())));
            assertThat(all).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
        }
    }

    @Test
    default void immediatePullOfNothingIsEmpty() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription());
            long start = System.nanoTime();
            assertThat(pulls.now()).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    default void waitingPullGetsTheMessageThatComes() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription());
            ApiFuture<PullResponse> waiting = pull(clients, pulls, 10, Duration.ofSeconds(30));
            clients.publish(message("a"));
            assertThat(Pulls.bodies(waiting.get(20, TimeUnit.SECONDS).getReceivedMessagesList()))
                    .containsExactly("a");
        }
    }

    @Test
    default void waitingPullEndsEmptyBeforeTheClientGivesUp() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription());
            ApiFuture<PullResponse> waiting = pull(clients, pulls, 10, Duration.ofSeconds(4));
            assertThat(waiting.get(20, TimeUnit.SECONDS).getReceivedMessagesList())
                    .isEmpty();
        }
    }

    @Test
    default void waitingPullsShareWhatComes() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription());
            List<ApiFuture<PullResponse>> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                waiting.add(pull(clients, pulls, 1, Duration.ofSeconds(30)));
            }
            clients.publish(message("a"), message("b"), message("c"));
            List<String> bodies = new ArrayList<>();
            for (ApiFuture<PullResponse> pull : waiting) {
                bodies.addAll(Pulls.bodies(pull.get(20, TimeUnit.SECONDS).getReceivedMessagesList()));
            }
            assertThat(bodies).containsExactlyInAnyOrder("a", "b", "c");
        }
    }

    @Test
    default void pulledMessageIsLeasedForTheDeadlineOfTheSubscription() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription(settings -> settings.setAckDeadlineSeconds(10)));
            clients.publish(message("a"));
            ReceivedMessage first = pulls.one();
            long start = System.nanoTime();
            ReceivedMessage second = pulls.one();
            assertThat(second.getMessage()).isEqualTo(first.getMessage());
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(9));
        }
    }

    @Test
    default void keyIsPulledOnWhenWhatIsOutstandingIsAcked() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.orderedSubscription());
            clients.publish(message("a", "k"), message("b", "k"), message("other", "l"));
            ReceivedMessage first = pulls.now(1).get(0);
            assertThat(Pulls.body(first)).isEqualTo("a");
            assertThat(Pulls.body(pulls.one())).isEqualTo("other");
            assertThat(pulls.now()).isEmpty();
            pulls.ack(first);
            assertThat(Pulls.body(pulls.one())).isEqualTo("b");
        }
    }

    @Test
    default void wrongPullsAndAcksAreRefused() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription());
            assertThatThrownBy(() -> pulls.now(0)).isInstanceOf(InvalidArgumentException.class);
            assertThatThrownBy(pulls::ack).isInstanceOf(InvalidArgumentException.class);
            assertThatThrownBy(pulls::nack).isInstanceOf(InvalidArgumentException.class);
        }
    }

    private static ApiFuture<PullResponse> pull(Clients clients, Pulls pulls, int max, Duration timeout) {
        return clients.subscriptions
                .pullCallable()
                .futureCall(
                        pulls.request(max).build(),
                        GrpcCallContext.createDefault().withTimeoutDuration(timeout));
    }
}
