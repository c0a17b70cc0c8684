package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.engine.PubSubSettings;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A node remembers event definitions for a second. Nothing may depend on it: here one node receives and correlates, with its
 * memory warm, and definitions change meanwhile, on it or on another node.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DefinitionChangeTest {

    private static final int FIELDS = 10;
    private static final Duration REMEMBERED = Duration.ofSeconds(1);

    private final Lab lab = Lab.start(TestDatabase.H2);
    private final Node other = Node.start(lab.database, deploying());

    /** A node that neither consumes nor relays. */
    private PubSubSettings deploying() {
        PubSubSettings settings = Node.settings(lab.server.endpoint());
        return new PubSubSettings(
                settings.connection(),
                new RelaySettings(false, 1, Duration.ofHours(1)),
                settings.retention(),
                false,
                settings.stopTimeout(),
                settings.databasePatience(),
                settings.placeholders(),
                settings.channelDefaults(),
                settings.autoStart(),
                settings.listener());
    }

    @BeforeAll
    void start() {
        lab.node.deployProcess(Models.PROCESS);
        lab.channel("fest", "{}");
    }

    @AfterAll
    void stop() {
        other.close();
        lab.close();
    }

    /** The definition's version that correlates by this field; messages have all of them. */
    private static String event(String key, int correlating) {
        return "{\"key\": \"%s\", \"payload\": [%s]}"
                .formatted(
                        key,
                        IntStream.range(0, FIELDS)
                                .mapToObj(i -> "{\"name\": \"feld%d\", \"type\": \"string\"%s}"
                                        .formatted(i, i == correlating ? ", \"correlationParameter\": true" : ""))
                                .collect(Collectors.joining(", ")));
    }

    private static String message(String value) {
        return IntStream.range(0, FIELDS)
                .mapToObj(i -> "\"feld%d\": \"%s-%d\"".formatted(i, value, i))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    /** Deploys this version of the event, and a process that waits with it; starts it. Returns the instance. */
    private static String deployAndWait(Node node, String key, int correlating, String value) {
        String process = key + "-" + value;
        node.deployEvents(Map.of(key + ".event", event(key, correlating)));
        node.deployProcess(Models.chain(
                process,
                Models.catchEvent("warten", key)
                        .replace(
                                "name=\"auftragId\" value=\"${auftragId}\"",
                                "name=\"feld%d\" value=\"%s-%d\"".formatted(correlating, value, correlating)),
                Models.userTask("danach")));
        return node.engine
                .getRuntimeService()
                .startProcessInstanceByKey(process)
                .getId();
    }

    private void channel(String key) {
        lab.channel(key, "{}", "{\"fixedValue\": \"" + key + "\"}");
    }

    /** A message that the version of field 0 correlates: after it the node remembers that one. */
    private void warmUp(String key) {
        channel(key);
        String instance = deployAndWait(lab.node, key, 0, "warm");
        lab.inbox.messageInState(lab.publish(key, message("warm")), "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    private void movesAtOnce(String key, String value, int correlating, String instance) {
        InboxTable.Row row = lab.inbox.messageInState(lab.publish(key, message(value)), "DONE");
        assertThat(row.correlationKey()).isEqualTo(value + "-" + correlating);
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void aVersionFromAnotherNodeCountsForWhatIsPublishedAfterIt() {
        warmUp("anderer");
        for (int version = 1; version < FIELDS; version++) {
            movesAtOnce("anderer", "v" + version, version, deployAndWait(other, "anderer", version, "v" + version));
        }
    }

    @Test
    void aVersionFromThisNodeCountsForWhatIsPublishedAfterIt() {
        warmUp("eigener");
        for (int version = 1; version < FIELDS; version++) {
            movesAtOnce("eigener", "v" + version, version, deployAndWait(lab.node, "eigener", version, "v" + version));
        }
    }

    /** Stored with the keys of the old version, which this node remembers; when it is looked at, the new one is there. */
    @Test
    void aVersionThatIsDeployedBetweenStoringAndCorrelatingCounts() throws SQLException {
        warmUp("zwischen");
        boolean remembered = false;
        for (int version = 1; version < FIELDS; version++) {
            String value = "v" + version;
            String lane = value + "-" + (version - 1);
            lab.inbox.sql("insert into FLW_PUBSUB_LANE (CHANNEL_KEY_, ORDER_KEY_) values ('zwischen', '" + lane + "')");
            String id;
            String instance;
            long stored;
            try (Connection connection = lab.database.source().getConnection();
                    Statement lock = connection.createStatement()) {
                connection.setAutoCommit(false);
                lock.execute("select * from FLW_PUBSUB_LANE where ORDER_KEY_ = '" + lane + "' for update");
                stored = System.nanoTime();
                id = lab.publish("zwischen", message(value));
                assertThat(lab.inbox.messageInState(id, "OPEN").orderKey()).isEqualTo(lane);
                instance = deployAndWait(other, "zwischen", version, value);
                connection.rollback();
            }
            assertThat(lab.inbox.messageInState(id, "DONE").attempts()).isEqualTo(1);
            assertThat(lab.tasks(instance)).isEqualTo(1);
            remembered |= System.nanoTime() - stored < REMEMBERED.toNanos();
        }
        assertThat(remembered).as("some time it was faster than the memory").isTrue();
    }

    @Test
    void aDefinitionThatIsDeployedForTheFirstTimeCountsAtOnce() {
        channel("erster");
        String unknown = lab.publish("erster", message("nichts"));
        assertThat(lab.inbox.messageInState(unknown, "WAITING").reason()).isEqualTo("NO_EVENT_DEFINITION");
        movesAtOnce("erster", "v3", 3, deployAndWait(other, "erster", 3, "v3"));
    }

    @Test
    void aMessageOfADefinitionThatWasDeletedHereWaitsForAnother() {
        warmUp("hier");
        isUnknownAfterDeletionBy(lab.node, "hier");
    }

    @Test
    void aMessageOfADefinitionThatWasDeletedElsewhereWaitsForAnother() {
        warmUp("dort");
        isUnknownAfterDeletionBy(other, "dort");
    }

    private void isUnknownAfterDeletionBy(Node node, String key) {
        String deployment = Objects.requireNonNull(node.events()
                        .createEventDefinitionQuery()
                        .eventDefinitionKey(key)
                        .singleResult())
                .getDeploymentId();
        lab.inbox.messageInState(lab.publish("fest", Models.completion("niemand-" + key, 1)), "WAITING"); // warm
        node.events().deleteDeployment(deployment);
        String id = lab.publish(key, message("danach"));
        InboxTable.Row row = lab.inbox.messageInState(id, "WAITING");
        assertThat(row.reason()).isEqualTo("NO_EVENT_DEFINITION");
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.error()).contains(key);
        // and it goes on: with the definition back, the next one is correlated
        movesAtOnce(key, "v4", 4, deployAndWait(lab.node, key, 4, "v4"));
    }
}
