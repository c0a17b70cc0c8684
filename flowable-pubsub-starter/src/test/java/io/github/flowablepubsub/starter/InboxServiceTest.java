package io.github.flowablepubsub.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.relay.RepairResult;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/** The service is a bean; its endpoint, which the sample's tests call, is there where the actuator is. */
class InboxServiceTest {

    private final TestApp testApp = new TestApp();

    @AfterEach
    void stop() {
        testApp.close();
    }

    @Test
    void theServiceIsABean_theEndpointOnlyWithTheActuator() {
        try (ConfigurableApplicationContext app = testApp.run("--flowable.pubsub.policy.buffer.time-to-live=0s")) {
            PubSubInboxService inbox = app.getBean(PubSubInboxService.class);
            testApp.server.publish("rueckmeldungen", "{\"auftragId\": \"niemand\"}", Map.of());
            await().until(() -> inbox.groups().in(MessageState.PARKED) == 1);
            InboxMessage parked =
                    inbox.find(InboxFilter.PARKED, 0, 10).messages().get(0);
            assertThat(inbox.discard(parked.seen(), "erika", "weg"))
                    .isEqualTo(new RepairResult.Done(parked.id(), MessageState.DISCARDED));
            assertThat(app.containsBean("pubSubInboxEndpoint"))
                    .isEqualTo(ClassUtils.isPresent(
                            "org.springframework.boot.actuate.endpoint.annotation.Endpoint", null));
        }
    }
}
