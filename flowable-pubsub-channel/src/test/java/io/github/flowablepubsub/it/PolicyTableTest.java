package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.server.SubscriptionStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row of the table in {@code docs/policy.md} holds, through the real client, server and PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyTableTest {

    private static final String BEGIN = "<!-- table: policy -->\n";
    private static final int HEADER_LINES = 2;
    private static final String MESSAGE = "plain BPMN message: ";

    private final PolicyLab world = new PolicyLab();
    private final PolicySituations situations = new PolicySituations(world);

    @AfterAll
    void stop() {
        world.close();
    }

    /** A row; {@code attempts} with a plus are a minimum. */
    record Expected(
            String number, String policy, String happened, String state, String reason, String attempts, String seen) {
        static Expected of(String line) {
            List<String> cells = Arrays.stream(
                            line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
                    .map(cell -> cell.replace("`", "").strip())
                    .toList();
            assertThat(cells).as(line).hasSize(7);
            return new Expected(
                    cells.get(0), cells.get(1), cells.get(2), cells.get(3), cells.get(4), cells.get(5), cells.get(6));
        }

        boolean holds(InboxTable.@Nullable Row row) {
            return state.equals("no row") ? row == null : hasRow(row);
        }

        private boolean hasRow(InboxTable.@Nullable Row row) {
            return row != null
                    && row.state().equals(state)
                    && (row.reason() == null ? "" : row.reason()).equals(reason)
                    && (attempts.endsWith("+")
                            ? row.attempts() >= Integer.parseInt(attempts.replace("+", ""))
                            : row.attempts() == Integer.parseInt(attempts));
        }

        @Override
        public String toString() {
            return number + " " + policy + " " + happened + ": " + state + " " + reason + " " + attempts;
        }
    }

    static List<Expected> table() throws IOException {
        String page = Files.readString(Path.of("../docs/policy.md"));
        return page.substring(page.indexOf(BEGIN) + BEGIN.length())
                .lines()
                .takeWhile(line -> line.startsWith("|"))
                .skip(HEADER_LINES)
                .map(Expected::of)
                .toList();
    }

    @Test
    void theTableIsWholeAndItsRowsAreNumbered() throws IOException {
        assertThat(table()).hasSizeGreaterThanOrEqualTo(40);
        assertThat(table().stream().map(Expected::number))
                .containsExactlyElementsOf(Stream.iterate(1, n -> n + 1)
                        .limit(table().size())
                        .map(String::valueOf)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("table")
    void holds(Expected expected) {
        String policy = expected.policy().isEmpty() ? "{}" : expected.policy();
        PolicyLab.Case that = channel("zeile" + expected.number(), policy, expected.happened());
        String id = situations.happen(expected.happened().replace(MESSAGE, ""), that);
        awaitRow(expected, id);
        if (expected.state().equals("OPEN") || expected.state().equals("WAITING")) {
            passBy(that);
            assertThat(row(id)).as("after another message went through").matches(expected::holds, expected.toString());
        }
        assertSeen(expected.seen(), that.channel + "-sub");
        if (expected.state().equals("no row")) {
            assertThat(row(id)).as("after all of it").isNull();
        }
    }

    private PolicyLab.Case channel(String key, String policy, String happened) {
        if (!happened.startsWith(MESSAGE)) {
            return world.channel(key, policy);
        }
        boolean starts = happened.contains("start event");
        return world.messageChannel(key, policy, starts ? PolicyLab.MESSAGE_START : PolicyLab.MESSAGE);
    }

    private void assertSeen(String seen, String subscription) {
        PubSubServer server = world.lab.server;
        switch (seen) {
            case "ack" -> {
                server.awaitEmpty(subscription, Duration.ofSeconds(60));
                SubscriptionStats stats = server.stats(subscription);
                assertThat(stats.acks()).as(stats.toString()).isPositive().isEqualTo(stats.deliveries());
                assertThat(stats.nacks() + stats.expirations())
                        .as(stats.toString())
                        .isZero();
            }
            case "nack, then ack" -> {
                server.awaitEmpty(subscription, Duration.ofSeconds(60));
                SubscriptionStats stats = server.stats(subscription);
                assertThat(stats.nacks()).as(stats.toString()).isPositive().isEqualTo(stats.deliveries() - 1);
                assertThat(stats.acks()).as(stats.toString()).isEqualTo(1);
            }
            case "nack" -> {
                Lab.eventually(
                        "it is nacked again", () -> server.stats(subscription).nacks() >= 2);
                assertThat(server.stats(subscription).acks()).isZero();
            }
            default -> throw new IllegalArgumentException("Pub/Sub sees no '" + seen + "'");
        }
    }

    private void awaitRow(Expected expected, String id) {
        try {
            await().pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> expected.holds(row(id)));
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            throw new AssertionError(expected + " but it is " + row(id), e);
        }
    }

    /** A message of another order goes all the way, so that this one had its turn, too. */
    private void passBy(PolicyLab.Case that) {
        world.lab.startOrder(PolicyLab.MESSAGE, "vorbei-" + that.channel); // for the channels that deliver to it
        String other = world.lab.publish(
                that.channel, "{\"typ\": \"start\", \"auftragId\": \"vorbei-%s\"}".formatted(that.channel));
        world.lab.inbox.messageInState(other, "DONE");
    }

    private InboxTable.@Nullable Row row(String id) {
        List<InboxTable.Row> rows = world.lab.inbox.rows("MESSAGE_ID_ = '" + id + "'");
        return rows.isEmpty() ? null : rows.get(0);
    }
}
