package io.github.flowablepubsub.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.starter.InboxEndpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.flowable.eventregistry.api.EventRepositoryService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The actuator endpoint of the starter, over HTTP in an app that has the actuator. */
class InboxEndpointTest {

    private static final String EXPOSED = "--management.endpoints.web.exposure.include=pubsubinbox";

    private static final String SECRET = "Geheimnis";

    /** Where it is on the class path: who may use the endpoint is the app's business. */
    private static final String SECURITY =
            "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration,"
                    + "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration";

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class App {}

    private final PubSubServer server = PubSubServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private ConfigurableApplicationContext run(String... more) {
        server.createTopic("thema");
        server.createSubscription("thema-sub", "thema");
        ConfigurableApplicationContext app = new SpringApplicationBuilder(App.class)
                .properties(Map.of(
                        "spring.autoconfigure.exclude", SECURITY,
                        "spring.main.banner-mode", "off",
                        "flowable.check-process-definitions", "false",
                        "flowable.eventregistry.deploy-resources", "false",
                        "flowable.pubsub.project-id", "sample",
                        "flowable.pubsub.policy.buffer.time-to-live", "0s",
                        "flowable.pubsub.emulator-host", server.endpoint()))
                .run(Stream.concat(
                                Stream.of("--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID()
                                        + ";DB_CLOSE_DELAY=-1"),
                                Stream.of(more))
                        .toArray(String[]::new));
        app.getBean(EventRepositoryService.class)
                .createDeployment()
                .addEventDefinition(
                        "e.event",
                        """
                        {"key": "e", "payload": [{"name": "auftragId", "type": "string", "correlationParameter": true}]}
                        """)
                .addChannelDefinition(
                        "c.channel",
                        """
                        {"key": "c", "channelType": "inbound", "type": "pubsub", "subscription": "thema-sub",
                         "channelEventKeyDetection": {"fixedValue": "e"}}
                        """)
                .deploy();
        return app;
    }

    /** Parked, as nobody waits for them. */
    private List<InboxMessage> parked(ConfigurableApplicationContext app, int count) {
        for (int i = 0; i < count; i++) {
            server.publish("thema", "{\"auftragId\": \"" + i + "\", \"text\": \"" + SECRET + "\"}", Map.of());
        }
        PubSubInboxService service = app.getBean(PubSubInboxService.class);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> service.find(InboxFilter.PARKED, 0, 10).messages().size() == count);
        return service.find(InboxFilter.PARKED, 0, 10).messages();
    }

    private static HttpResponse<String> http(ConfigurableApplicationContext app, String path, @Nullable String body) {
        URI uri = URI.create("http://127.0.0.1:" + app.getEnvironment().getProperty("local.server.port")
                + "/actuator/pubsubinbox" + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (body != null) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        }
        try {
            return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String ok(ConfigurableApplicationContext app, String path, @Nullable String body) {
        HttpResponse<String> response = http(app, path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    @Test
    void looksAndActs() {
        try (ConfigurableApplicationContext app = run(EXPOSED)) {
            List<InboxMessage> parked = parked(app, 4);
            InboxMessage first = parked.get(0);
            assertThat(ok(app, "?limit=1&reason=NO_MATCH", null))
                    .contains(
                            "\"messageId\":\"" + first.messageId() + "\"",
                            "\"state\":\"PARKED\"",
                            "\"more\":true,\"next\":" + first.id(),
                            "\"nextPage\":{\"reason\":\"NO_MATCH\",\"limit\":1,\"after\":" + first.id());
            assertThat(ok(app, "?limit=4", null)).contains("\"more\":false}");
            assertThat(ok(app, "?newest=true&limit=1", null))
                    .contains(parked.get(3).messageId());
            assertThat(ok(app, "?correlationKey=2&olderThan=PT0S", null))
                    .contains(parked.get(2).messageId());
            assertThat(ok(app, "?state=OPEN,WAITING", null)).isEqualTo("{\"messages\":[],\"more\":false}");
            assertThat(ok(app, "/groups", null))
                    .contains("\"reason\":\"NO_MATCH\"", "\"messages\":4", "\"complete\":true");
            assertThat(ok(app, "/" + first.id(), null))
                    .contains("\"explanation\":[", "It needs a human")
                    .doesNotContain(SECRET);

            assertThat(http(app, "/" + first.id() + "/retry", "{\"actor\": \"erika\", \"attempts\": 7}"))
                    .satisfies(response -> assertThat(response.statusCode()).isEqualTo(409))
                    .satisfies(response -> assertThat(response.body()).contains("notAsSeen", "PARKED"));
            String discard = "{\"actor\": \"erika\", \"why\": \"erledigt\", \"nextAttempt\": \"%s\"}";
            String other = discard.formatted("2026-01-31T12:00:00Z");
            assertThat(http(app, "/" + first.id() + "/discard", other).body()).contains("notAsSeen");
            assertThat(ok(app, "/" + first.id() + "/discard", discard.formatted(first.nextAttempt())))
                    .contains("\"result\":\"done\"", "\"state\":\"DISCARDED\"");
            assertThat(ok(app, "/" + first.id(), null)).contains("\"by\":\"erika\"", "Discarded: erledigt");
            String deliver = "{\"actor\": \"erika\", \"receiver\": \"4711\"}";
            assertThat(http(app, "/" + parked.get(1).id() + "/deliver", deliver).body())
                    .contains("\"result\":\"refused\"", "4711", "nothing does");
            assertThat(ok(app, "/retry", "{\"actor\": \"erika\", \"correlationKey\": \"1\"}"))
                    .contains("\"done\":1", "\"stalled\":false");
            await().atMost(Duration.ofSeconds(60)).until(() -> ok(app, "?state=PARKED", null)
                    .contains("\"id\":" + parked.get(1).id() + ","));
            String all = "{\"actor\": \"erika\", \"why\": \"alle\", \"state\": \"PARKED\", \"max\": 2}";
            assertThat(ok(app, "/discard", all))
                    .contains("\"done\":2", "\"next\":" + parked.get(2).id());
        }
    }

    /** The commands of {@code docs/a-message-hangs.md}, one after the other. */
    @Test
    void theCommandsOfThePageForAMessageThatHangs() throws IOException {
        Pattern command = Pattern.compile(
                "^curl -u erika (?:-H 'Content-Type: application/json' -d '([^']*)' )?'?http://localhost:8080/actuator/pubsubinbox([^'\\s]*)'?$");
        List<String> lines = Files.readAllLines(Path.of("../docs/a-message-hangs.md")).stream()
                .filter(line -> line.startsWith("curl"))
                .toList();
        assertThat(lines).hasSize(7);
        try (ConfigurableApplicationContext app = run(EXPOSED)) {
            InboxMessage message = parked(app, 1).get(0);
            PubSubInboxService service = app.getBean(PubSubInboxService.class);
            for (String line : lines) {
                Matcher parts = command.matcher(line);
                assertThat(parts.matches()).as(line).isTrue();
                String path = parts.group(2).replace("/1", "/" + message.id()).replace("4711", "0");
                boolean discarded = service.get(message.id()).orElseThrow().state() == MessageState.DISCARDED;
                await().until(() ->
                        discarded || service.get(message.id()).orElseThrow().state() == MessageState.PARKED);
                HttpResponse<String> response = http(app, path, parts.group(1));
                // By then it is discarded, and final.
                assertThat(response.statusCode())
                        .as(line + response.body())
                        .isEqualTo(path.endsWith("/deliver") ? 409 : 200);
                if (path.startsWith("?")) {
                    assertThat(response.body()).contains(message.messageId());
                }
            }
            assertThat(service.get(message.id()).orElseThrow().finishedBy()).isEqualTo("erika");
        }
    }

    @Test
    void whatIsWrongWithARequestIsItsOwnFault() {
        try (ConfigurableApplicationContext app = run(EXPOSED)) {
            InboxMessage message = parked(app, 1).get(0);
            String path = "/" + message.id();
            assertThat(http(app, path + "/retry", "{}").statusCode())
                    .as("no actor")
                    .isEqualTo(400);
            assertThat(http(app, path + "/discard", "{\"actor\": \"erika\"}").statusCode())
                    .as("no reason")
                    .isEqualTo(400);
            assertThat(http(app, path + "/eat", "{\"actor\": \"erika\"}").statusCode())
                    .isEqualTo(400);
            assertThat(http(app, "/park", "{\"actor\": \"erika\"}").statusCode())
                    .isEqualTo(400);
            assertThat(http(app, "?state=GONE", null).statusCode()).isEqualTo(400);
            assertThat(http(app, "/discard", "{\"actor\": \"erika\", \"why\": \"weg\", \"chanel\": \"c\"}")
                            .statusCode())
                    .as("mistyped, so without a filter")
                    .isEqualTo(400);
            assertThat(http(app, "?errorText=" + SECRET, null).statusCode())
                    .as("it may be in errors that are not shown")
                    .isEqualTo(400);
            assertThat(http(app, "?olderThan=PT2562047788015215H", null).statusCode())
                    .isEqualTo(400);
            assertThat(http(app, "?channel=%00", null).statusCode()).isEqualTo(400);
            assertThat(http(app, "/retry", "{\"actor\": \"erika\", \"channel\": \"c\", \"max\": 1000000}")
                            .statusCode())
                    .isEqualTo(400);
            assertThat(http(app, "?limit=0", null).statusCode()).isEqualTo(400);
            String wrong = "{\"actor\": \"erika\", \"nextAttempt\": \"gestern\"}";
            assertThat(http(app, path + "/retry", wrong).statusCode()).isEqualTo(400);
            assertThat(http(app, "/all", null).statusCode()).isEqualTo(400);
            assertThat(http(app, "/4711", null).statusCode()).isEqualTo(404);
            assertThat(http(app, "/4711/retry", "{\"actor\": \"erika\"}").statusCode())
                    .isEqualTo(404);
            assertThat(app.getBean(PubSubInboxService.class)
                            .get(message.id())
                            .orElseThrow()
                            .seen())
                    .isEqualTo(message.seen());
        }
    }

    /** What a process said about a body stays with the row when that is held back, delivered or filtered. */
    @Test
    void whatEarlierFailuresSaidIsNotShown() {
        try (ConfigurableApplicationContext app = run(EXPOSED)) {
            InboxMessage message = parked(app, 1).get(0);
            for (String now : List.of(
                    "STATE_ = 'WAITING', REASON_ = 'HELD_BACK'",
                    "STATE_ = 'DISCARDED', REASON_ = 'FILTERED'",
                    "STATE_ = 'DONE', REASON_ = null")) {
                app.getBean(JdbcTemplate.class)
                        .update("update FLW_PUBSUB_INBOX set LAST_ERROR_ = '" + SECRET + "', " + now);
                assertThat(ok(app, "/" + message.id(), null)).doesNotContain(SECRET);
            }
        }
    }

    @Test
    void whoIsLoggedInIsTheActor_whateverTheRequestSays() {
        try (ConfigurableApplicationContext app = run(EXPOSED, "--flowable.pubsub.admin.show-payload=true")) {
            InboxMessage message = parked(app, 1).get(0);
            assertThat(ok(app, "/" + message.id(), null)).contains(SECRET, "\"payloadIsBase64\":false");
            SecurityContext kermit = new SecurityContext() {
                @Override
                public Principal getPrincipal() {
                    return () -> "kermit";
                }

                @Override
                public boolean isUserInRole(String role) {
                    return false;
                }
            };
            app.getBean(InboxEndpoint.class)
                    .one(kermit, message.id(), "discard", null, null, null, "weg", null, "erika");
            assertThat(app.getBean(PubSubInboxService.class)
                            .get(message.id())
                            .orElseThrow()
                            .finishedBy())
                    .isEqualTo("kermit");
        }
    }

    @Test
    void itIsNotExposedUnlessTheAppSaysSo() {
        try (ConfigurableApplicationContext app = run("--management.endpoints.web.exposure.include=health")) {
            assertThat(http(app, "", null).statusCode()).isEqualTo(404);
        }
    }
}
