package io.github.flowablepubsub.servertest;

import static io.github.flowablepubsub.servertest.Clients.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.SeekRequest;
import com.google.pubsub.v1.Subscription;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Seek to a time, and what is retained for it. */
interface SeekContract extends Contract {

    @Test
    default void seekBackReplaysWhatIsRetained() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, retaining(clients, true, false));
            List<ReceivedMessage> all = publishApart(clients, pulls, "a", "b", "c");
            pulls.ack(all.toArray(ReceivedMessage[]::new));
            pulls.seek(all.get(1).getMessage().getPublishTime());
            List<ReceivedMessage> again = pulls.some(2);
            assertThat(again)
                    .extracting(ReceivedMessage::getMessage)
                    .containsExactlyInAnyOrder(
                            all.get(1).getMessage(), all.get(2).getMessage());
            pulls.ack(again.toArray(ReceivedMessage[]::new));
            assertThat(pulls.now()).isEmpty();
        }
    }

    @Test
    default void seekBackReplaysNothingThatIsNotRetained() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, retaining(clients, false, false));
            clients.publish(message("a"), message("b"));
            ReceivedMessage acked = pulls.one();
            pulls.ack(acked);
            pulls.nack(pulls.one());
            pulls.seek(Timestamps.subtract(acked.getMessage().getPublishTime(), Durations.fromSeconds(1)));
            List<ReceivedMessage> left = pulls.some(1);
            assertThat(left.get(0).getMessage().getMessageId())
                    .isNotEqualTo(acked.getMessage().getMessageId());
            assertThat(pulls.now()).isEmpty();
        }
    }

    @Test
    default void seekForwardAcksWhatIsEarlier() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, retaining(clients, true, false));
            List<ReceivedMessage> all = publishApart(clients, pulls, "outstanding", "backlog", "later");
            pulls.nack(all.get(1), all.get(2));
            pulls.seek(all.get(2).getMessage().getPublishTime());
            assertThat(Pulls.bodies(pulls.some(1))).containsExactly("later");
            pulls.nack(all.get(0));
            assertThat(pulls.now()).isEmpty();
            pulls.seek(Timestamps.add(Timestamps.fromMillis(System.currentTimeMillis()), Durations.fromHours(1)));
            assertThat(pulls.now()).isEmpty();
            clients.publish(message("new"));
            assertThat(Pulls.bodies(pulls.some(1))).containsExactly("new");
        }
    }

    @Test
    default void whatASeekAckedIsReplayedByTheNext() throws Exception {
        assumeWithout(Gap.SEEK_DROPS_WHAT_IT_ACKS);
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, retaining(clients, true, false));
            clients.publish(message("a"), message("b"));
            ReceivedMessage outstanding = pulls.one();
            Timestamp published = outstanding.getMessage().getPublishTime();
            pulls.seek(Timestamps.add(published, Durations.fromHours(1)));
            assertThat(pulls.now()).isEmpty();
            pulls.seek(published);
            assertThat(Pulls.bodies(pulls.some(2))).containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    default void replayKeepsTheOrderOfAKey() throws Exception {
        assumeWithout(Gap.NACKED_MESSAGE_NOT_FIRST);
        try (Clients clients = new Clients(endpoint())) {
            Pulls pulls = new Pulls(clients, retaining(clients, true, true));
            clients.publish(message("a", "k"), message("b", "k"), message("c", "k"), message("d", "k"));
            List<ReceivedMessage> all = pulls.now();
            assertThat(Pulls.bodies(all)).containsExactly("a", "b", "c", "d");
            // b can still come back, and with it c, though acked; d is outstanding.
            pulls.ack(all.get(0), all.get(2));
            clients.publish(message("e", "k"));
            pulls.seek(all.get(0).getMessage().getPublishTime());
            List<ReceivedMessage> again = pulls.now();
            assertThat(Pulls.bodies(again)).containsExactly("a", "b", "c", "d", "e");
            pulls.ack(again.toArray(ReceivedMessage[]::new));
            assertThat(pulls.now()).isEmpty();
        }
    }

    @Test
    default void retentionIsCheckedAndShown() throws Exception {
        try (Clients clients = new Clients(endpoint())) {
            assertThatThrownBy(() -> retained(clients, Durations.fromMinutes(9)))
                    .isInstanceOf(InvalidArgumentException.class);
            assertThatThrownBy(() -> retained(clients, Durations.fromDays(32)))
                    .isInstanceOf(InvalidArgumentException.class);
            String name = clients.subscription();
            assertThat(clients.subscriptions.getSubscription(name))
                    .returns(Durations.fromDays(7), Subscription::getMessageRetentionDuration)
                    .returns(false, Subscription::getRetainAckedMessages);
            Subscription.Builder changed = Subscription.newBuilder()
                    .setName(name)
                    .setRetainAckedMessages(true)
                    .setMessageRetentionDuration(Durations.fromHours(1));
            clients.update(changed, "retain_acked_messages");
            clients.update(changed, "message_retention_duration");
            assertThat(clients.subscriptions.getSubscription(name))
                    .returns(Durations.fromHours(1), Subscription::getMessageRetentionDuration)
                    .returns(true, Subscription::getRetainAckedMessages);
            assertThatThrownBy(() -> clients.subscriptions.seek(
                            SeekRequest.newBuilder().setSubscription(name).build()))
                    .isInstanceOf(InvalidArgumentException.class);
        }
    }

    /** Publishes and pulls them one by one, so that their publish times differ. */
    private static List<ReceivedMessage> publishApart(Clients clients, Pulls pulls, String... bodies)
            throws InterruptedException {
        List<ReceivedMessage> all = new ArrayList<>();
        Timestamp last = Timestamps.EPOCH;
        for (String body : bodies) {
            // Publish times have milliseconds.
            Thread.sleep(3);
            clients.publish(message(body));
            ReceivedMessage received = pulls.one();
            assertThat(Timestamps.compare(received.getMessage().getPublishTime(), last))
                    .isPositive();
            last = received.getMessage().getPublishTime();
            all.add(received);
        }
        return all;
    }

    private static String retaining(Clients clients, boolean retain, boolean ordering) {
        return clients.subscription(
                settings -> settings.setRetainAckedMessages(retain).setEnableMessageOrdering(ordering));
    }

    private static String retained(Clients clients, Duration duration) {
        return clients.subscription(settings -> settings.setMessageRetentionDuration(duration));
    }
}
