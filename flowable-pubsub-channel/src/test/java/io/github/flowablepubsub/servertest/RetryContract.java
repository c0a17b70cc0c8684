package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.protobuf.util.Durations;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.RetryPolicy;
import com.google.pubsub.v1.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The delay before a message is delivered again. */
interface RetryContract extends Contract {

    @Test
    default void delayDoublesUpToTheMaximum() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription(settings -> settings.setRetryPolicy(policy(1, 2))));
            clients.publish(message("a"));
            List<Duration> delays = delaysAfterNacks(pulls, 3);
            Duration first = delays.get(0);
            Duration second = delays.get(1);
            Duration third = delays.get(2);
            assertThat(second).isBetween(Duration.ofMillis(1700), Duration.ofSeconds(4));
            assertThat(third).isBetween(Duration.ofMillis(1700), Duration.ofSeconds(4));
            assumeWithout(Gap.FIRST_RETRY_NOT_DELAYED);
            assertThat(first).isBetween(Duration.ofMillis(900), Duration.ofSeconds(3));
        }
    }

    @Test
    default void expiredDeadlineIsFollowedByTheDelayToo() throws Exception {
        assumeWithout(Gap.FIRST_RETRY_NOT_DELAYED);
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription(settings -> settings.setRetryPolicy(policy(2, 2))));
            clients.publish(message("a"));
            ReceivedMessage received = pulls.one();
            long start = System.nanoTime();
            pulls.extend(1, received);
            pulls.one();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(2900), Duration.ofSeconds(5));
        }
    }

    @Test
    default void otherMessagesAreNotDelayed() throws Exception {
        assumeWithout(Gap.FIRST_RETRY_NOT_DELAYED);
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls =
                    new Pulls(clients, clients.subscription(settings -> settings.setRetryPolicy(policy(300, 600))));
            clients.publish(message("a"));
            pulls.nack(pulls.one());
            clients.publish(message("b"));
            assertThat(Pulls.body(pulls.one())).isEqualTo("b");
            assertThat(pulls.now()).isEmpty();
        }
    }

    @Test
    default void delayHoldsTheKeyAndNoOther() throws Exception {
        assumeWithout(Gap.NACKED_MESSAGE_NOT_FIRST);
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription(settings -> settings.setEnableMessageOrdering(true)
                    .setRetryPolicy(policy(2, 2))));
            clients.publish(message("a", "k"), message("b", "k"));
            pulls.nack(pulls.now().get(0));
            long start = System.nanoTime();
            clients.publish(message("c", "k"), message("other", "l"));
            assertThat(Pulls.body(pulls.one())).isEqualTo("other");
            assertThat(pulls.now()).isEmpty();
            List<ReceivedMessage> again = pulls.some(3);
            assertThat(Pulls.bodies(again)).containsExactly("a", "b", "c");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1900));
        }
    }

    @Test
    default void withoutPolicyRedeliveryIsImmediate() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, clients.subscription());
            clients.publish(message("a"));
            assertThat(delaysAfterNacks(pulls, 5))
                    .allSatisfy(delay -> assertThat(delay).isLessThan(Duration.ofSeconds(5)));
        }
    }

    @Test
    default void retryPolicyIsCheckedAndShown() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            assertThatThrownBy(() -> clients.subscription(settings -> settings.setRetryPolicy(policy(20, 10))))
                    .isInstanceOf(InvalidArgumentException.class);
            assertThatThrownBy(() -> clients.subscription(settings -> settings.setRetryPolicy(policy(1, 601))))
                    .isInstanceOf(InvalidArgumentException.class);
            String name = clients.subscription(settings -> settings.setRetryPolicy(RetryPolicy.getDefaultInstance()));
            assertThat(clients.subscriptions.getSubscription(name).getRetryPolicy())
                    .isEqualTo(policy(10, 600));
            Subscription.Builder changed =
                    Subscription.newBuilder().setName(name).setRetryPolicy(policy(1, 2));
            assertThat(clients.update(changed, "retry_policy").getRetryPolicy()).isEqualTo(policy(1, 2));
            assertThat(clients.subscriptions.getSubscription(name).getRetryPolicy())
                    .isEqualTo(policy(1, 2));
            clients.update(Subscription.newBuilder().setName(name), "retry_policy");
            assertThat(clients.subscriptions.getSubscription(name).hasRetryPolicy())
                    .isFalse();
        }
    }

    /** How long each redelivery takes when a message is nacked again and again. */
    private static List<Duration> delaysAfterNacks(Pulls pulls, int count) {
        List<Duration> delays = new ArrayList<>();
        ReceivedMessage received = pulls.one();
        for (int i = 0; i < count; i++) {
            pulls.nack(received);
            long start = System.nanoTime();
            received = pulls.one();
            delays.add(Duration.ofNanos(System.nanoTime() - start));
        }
        return delays;
    }

    private static RetryPolicy policy(int minimumSeconds, int maximumSeconds) {
        return RetryPolicy.newBuilder()
                .setMinimumBackoff(Durations.fromSeconds(minimumSeconds))
                .setMaximumBackoff(Durations.fromSeconds(maximumSeconds))
                .build();
    }
}
