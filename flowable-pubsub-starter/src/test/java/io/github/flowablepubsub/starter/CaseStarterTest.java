package io.github.flowablepubsub.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.server.PubSubServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.flowable.eventregistry.api.EventRepositoryService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Cases under Spring Boot, with app engine, process engine and CMMN engine; runs where there is a CMMN engine. */
@EnabledIf("isThere")
class CaseStarterTest {

    static boolean isThere() {
        try {
            return Class.forName("org.flowable.cmmn.engine.CmmnEngine") != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** The sweep comes too late to help: the case's own subscription wakes the message that was there before it. */
    @Test
    void aCaseIsStartedAndTakesTheMessageThatCameBeforeIt() {
        try (TestApp testApp = new TestApp()) {
            PubSubServer server = testApp.server;
            server.createTopic("lieferungen");
            server.createSubscription("lieferungen-sub", "lieferungen");
            try (ConfigurableApplicationContext app = testApp.run("--flowable.pubsub.relay.sweep-interval=10m")) {
                app.getBean(EventRepositoryService.class)
                        .createDeployment()
                        .addEventDefinition(
                                "l.event",
                                """
                                {"key": "lieferungBegonnen", "payload": [{"name": "auftragId", "type": "string"}]}
                                """)
                        .addChannelDefinition(
                                "l.channel",
                                """
                                {"key": "lieferungen", "channelType": "inbound", "type": "pubsub",
                                 "subscription": "lieferungen-sub",
                                 "channelEventKeyDetection": {"fixedValue": "lieferungBegonnen"}}
                                """)
                        .deploy();
                JdbcTemplate database = app.getBean(JdbcTemplate.class);
                server.publish("rueckmeldungen", "{\"auftragId\": \"7\"}", Map.of());
                await().until(() -> states(database).equals(List.of("WAITING")));
                server.publish("lieferungen", "{\"auftragId\": \"7\"}", Map.of());
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> states(database).equals(List.of("DONE", "DONE")));
                assertThat(database.queryForObject(
                                "select count(*) from ACT_RU_TASK where TASK_DEF_KEY_ = 'danach'", Integer.class))
                        .isEqualTo(1);
            }
        }
    }

    private static List<String> states(JdbcTemplate database) {
        return database.queryForList("select STATE_ from FLW_PUBSUB_INBOX order by ID_", String.class);
    }
}
