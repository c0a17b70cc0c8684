package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code parking.laterMessages: wait} with Pub/Sub's ordering key: over several nodes, and for messages without event. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LaterOrderedMessagesTest {

    private static final String POLICY = "{\"order\": \"orderingKey\", \"parking\": {\"laterMessages\": \"wait\"}}";

    private final HeldBackLab lab = new HeldBackLab(TestDatabase.POSTGRES);

    @BeforeAll
    void start() {
        lab.orderedChannel("schluessel", POLICY);
        lab.orderedChannel("zwei", POLICY);
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    /** Unreadable messages have no event, and share a lane only by their ordering key. */
    @Test
    void messagesWithoutEventHoldAndAreHeldBack() {
        lab.await("fertig", "o1");
        String first = unreadable("o1");
        lab.is(first, "PARKED", "UNREADABLE");
        String second = unreadable("o1");
        String third = lab.publishOrdered("schluessel", "fertig", "o1", "3");
        lab.heldBack(second, third);
        lab.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'DISCARDED'", first);
        lab.is(second, "PARKED", "UNREADABLE");
        lab.heldBack(third);
        lab.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'DISCARDED'", second);
        lab.done(third);
    }

    private String unreadable(String key) {
        return lab.lab.server.publish("schluessel", ByteString.copyFromUtf8("kein JSON"), Map.of(), key);
    }

    /** Stored and worked on by two nodes, parked and repaired in the middle of it. */
    @Test
    void theOrderHoldsOnTwoNodesWhileMessagesCome() {
        try (Node second = lab.lab.anotherNode()) {
            assertThat(second.pubsub.isRunning()).isTrue();
            lab.await("fertig", "z1");
            String twin = lab.await("fertig", "z1");
            List<String> messages = new ArrayList<>();
            IntStream.range(0, 25).forEach(i -> messages.add(lab.publishOrdered("zwei", "fertig", "z1", "" + i)));
            lab.is(messages.get(0), "PARKED", "AMBIGUOUS");
            lab.delete(twin);
            lab.repair(messages.get(0));
            IntStream.range(25, 50).forEach(i -> messages.add(lab.publishOrdered("zwei", "fertig", "z1", "" + i)));
            lab.done(messages.toArray(String[]::new));
        }
        assertThat(lab.diary.of("z1"))
                .containsExactlyElementsOf(
                        IntStream.range(0, 50).mapToObj(String::valueOf).toList());
    }
}
