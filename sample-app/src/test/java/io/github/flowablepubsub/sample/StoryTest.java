package io.github.flowablepubsub.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.server.PubSubServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

@ExtendWith(OutputCaptureExtension.class)
class StoryTest {

    private static String h2(String name) {
        return "--spring.datasource.url=jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000";
    }

    @Test
    void endsWellOnEmbeddedDefaults(CapturedOutput output) throws IOException, InterruptedException {
        ConfigurableApplicationContext context = SampleApplication.builder().run(h2("defaults"));
        assertThat(output)
                .contains("All 8 messages and 7 orders ended as they should")
                .contains("Order A-1006 is open: 2 tokens wait")
                .contains("The app stays up for a look")
                .doesNotContain("[log] ERROR");
        assertThat(invoices(context)).isEqualTo(6);
        assertThat(health(context))
                .contains("\"flowablePubSub\"", "\"status\":\"UP\"", "auftragRueckmeldungen")
                .doesNotContain("DOWN");
        assertThat(SpringApplication.exit(context)).isZero();
    }

    @Test
    void leavesADoubleTokenForWhoeverWantsToRepairIt(CapturedOutput output) {
        ConfigurableApplicationContext context =
                SampleApplication.builder().run(h2("ambiguous"), "--sample.leave-ambiguous=true", "--sample.exit=true");
        assertThat(output)
                .contains("All 9 messages and 8 orders ended as they should")
                .contains("Order A-1007 is open: 2 tokens wait");
        assertThat(invoices(context)).isEqualTo(6);
        assertThat(SpringApplication.exit(context)).isZero();
    }

    /** What stays is met again: topic, subscription, tables and the messages of the first run are there already. */
    @Test
    void endsWellTwiceOnPostgresAndAnEmulator(CapturedOutput output) throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start();
                PubSubServer emulator = PubSubServer.start()) {
            String[] properties = {
                "--spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres"),
                "--flowable.pubsub.emulator-host=" + emulator.endpoint(),
                "--sample.exit=true"
            };
            for (int run = 1; run <= 2; run++) {
                ConfigurableApplicationContext context =
                        SampleApplication.builder().run(properties);
                assertThat(invoices(context)).isEqualTo(6 * run);
                assertThat(SpringApplication.exit(context)).isZero();
            }
            assertThat(output)
                    .contains("All 9 messages and 7 orders ended as they should", "the same text is published again")
                    .doesNotContain("The app stays up", "[log] ERROR");
        }
    }

    /** The completion that nobody waits for is not parked in time. */
    @Test
    void aDeviationFailsTheStory(CapturedOutput output) {
        ConfigurableApplicationContext context = SampleApplication.builder()
                .run(h2("deviation"), "--sample.time-to-live=PT1H", "--sample.deadline=5s", "--sample.exit=true");
        assertThat(output)
                .contains("NOT as it should be", "missing after PT5S: ")
                .doesNotContain("ended as they should");
        assertThat(SpringApplication.exit(context)).isEqualTo(1);
    }

    private static int invoices(ConfigurableApplicationContext context) {
        return context.getBean(JdbcClient.class)
                .sql("select count(*) from rechnung where aufrufe = 1")
                .query(Integer.class)
                .single();
    }

    private static String health(ConfigurableApplicationContext context) throws IOException, InterruptedException {
        URI url = URI.create(context.getBean(Surroundings.class).healthUrl());
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString())
                .body();
    }
}
