package io.github.flowablepubsub.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** What the health contributor says of the table and its limits, and that it says it whatever hangs. */
class HealthTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestApp testApp = new TestApp();

    @AfterEach
    void stop() {
        testApp.close();
    }

    private static HealthView health(ConfigurableApplicationContext app) {
        return new HealthView(app.getBean("flowablePubSubHealthIndicator"));
    }

    private void park() {
        testApp.server.publish("rueckmeldungen", "{\"auftragId\": \"niemand\"}", Map.of());
    }

    @Test
    void aParkedMessageIsAWarningAndTheNodeIsUp() {
        try (ConfigurableApplicationContext app = testApp.run("--flowable.pubsub.policy.buffer.time-to-live=0s")) {
            HealthView health = health(app);
            await().atMost(PATIENCE)
                    .until(() -> String.valueOf(health.details().get("table")).contains("parked=0"));
            assertThat(health.details().toString()).contains("relay=running").doesNotContain("warnings");
            park();
            await().atMost(PATIENCE).until(() -> health.details().containsKey("warnings"));
            assertThat(String.valueOf(health.details().get("warnings")))
                    .contains("1 messages are parked, more than 0", "mend the cause");
            assertThat(String.valueOf(health.details().get("table"))).contains("parked=1", "oldestOpen=PT0S");
            assertThat(health.status()).isEqualTo("UP");
        }
    }

    @Test
    void eachLimitGivesItsStatusAndTheWorstCounts() {
        try (ConfigurableApplicationContext app = testApp.run(
                "--flowable.pubsub.health.parked-above=-1",
                "--flowable.pubsub.health.oldest-waiting=1h",
                "--flowable.pubsub.health.oldest-waiting-status=LATE",
                "--flowable.pubsub.health.oldest-open=2h",
                "--flowable.pubsub.health.oldest-open-status=OUT_OF_SERVICE",
                "--flowable.pubsub.relay.sweep-interval=1h")) {
            HealthView health = health(app);
            JdbcTemplate rows = app.getBean(JdbcTemplate.class);
            park();
            await().atMost(PATIENCE).until(() -> rows.queryForList("select STATE_ from FLW_PUBSUB_INBOX", String.class)
                    .equals(List.of("WAITING")));
            rows.update("update FLW_PUBSUB_INBOX set RECEIVED_AT_ = timestamp '2020-01-01 00:00:00'");
            await().atMost(PATIENCE).until(() -> health.status().equals("LATE"));
            rows.update("insert into FLW_PUBSUB_INBOX (CHANNEL_KEY_, MESSAGE_ID_, BODY_HASH_, ORDER_KEY_, STATE_,"
                    + " NEXT_ATTEMPT_, ATTRIBUTES_, PUBLISHED_AT_, RECEIVED_AT_) values ('auftragRueckmeldungen', 'm', 'h',"
                    + " 'k', 'OPEN', timestamp '2020-01-01 00:00:00', '{}', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)");
            await().atMost(PATIENCE).until(() -> health.status().equals("OUT_OF_SERVICE"));
            rows.update("update FLW_PUBSUB_INBOX set STATE_ = 'PARKED'");
            await().atMost(PATIENCE).until(() -> health.status().equals("UP"));
        }
    }

    /** H2 in exclusive mode keeps every other connection waiting, as a database does that hangs. */
    @Test
    void itAnswersFromLocalStateWhileTheDatabaseHangs() throws SQLException {
        try (ConfigurableApplicationContext app = testApp.run()) {
            HealthView health = health(app);
            await().atMost(PATIENCE)
                    .until(() -> String.valueOf(health.details().get("table")).contains("parked=0"));
            try (Connection connection = app.getBean(DataSource.class).getConnection();
                    Statement exclusive = connection.createStatement()) {
                exclusive.execute("set exclusive 1");
                try {
                    testApp.server.failStreams("abgeschlossen-sub", io.grpc.Status.PERMISSION_DENIED);
                    List<Duration> took = new ArrayList<>();
                    await().atMost(PATIENCE).until(() -> {
                        long begin = System.nanoTime();
                        String status = health.status();
                        took.add(Duration.ofNanos(System.nanoTime() - begin));
                        return status.equals("DOWN") && took.size() >= 20;
                    });
                    Collections.sort(took);
                    assertThat(took.get(took.size() / 2)).as("half of %s", took).isLessThan(Duration.ofMillis(50));
                } finally {
                    exclusive.execute("set exclusive 0");
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "parked-above=-2 | flowable.pubsub.health.parked-above is -2, allowed: -1 (never)",
                "parked-status=kaputt | flowable.pubsub.health.parked-status is kaputt, allowed: UP, DOWN",
                "oldest-open=-1s | flowable.pubsub.health.oldest-open is PT-1S, allowed: 0 (never)",
                "oldest-waiting=soon | flowable.pubsub.health.oldest-waiting"
            })
    void refusesToStartWithLimitsThatMeanNothing(String property, String message) {
        assertThatThrownBy(() ->
                        testApp.run("--flowable.pubsub.health." + property).close())
                .hasStackTraceContaining(message);
    }
}
