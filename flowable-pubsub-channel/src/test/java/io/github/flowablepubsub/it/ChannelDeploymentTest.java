package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flowablepubsub.subscriber.ConsumerStatus;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.flowable.common.engine.api.FlowableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deploying, redeploying, undeploying channels: exactly the right consumers, and no subscription with two of them. */
class ChannelDeploymentTest {

    private final Lab lab = Lab.start(TestDatabase.H2);

    @BeforeEach
    void start() {
        lab.server.createTopic("thema");
        for (String subscription : List.of("a-sub", "b-sub", "c-sub")) {
            lab.server.createSubscription(subscription, "thema");
        }
        lab.node.deployProcess(Models.PROCESS);
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private String deploy(String... keysAndSubscriptions) {
        Map<String, String> files = new LinkedHashMap<>();
        for (int i = 0; i < keysAndSubscriptions.length; i += 2) {
            files.put(
                    keysAndSubscriptions[i] + ".channel",
                    Models.channel(keysAndSubscriptions[i], keysAndSubscriptions[i + 1], "{}", Lab.FIXED, ""));
        }
        return deploy(files);
    }

    private String deploy(Map<String, String> files) {
        var deployment = lab.node.events().createDeployment();
        files.forEach(deployment::addChannelDefinition);
        return deployment.deploy().getId();
    }

    private void undeploy(String deploymentId) {
        lab.node.events().deleteDeployment(deploymentId);
    }

    /** These subscriptions have one stream each, and these channels one consumer each; no others have any. */
    private void awaitConsumers(String... subscriptions) {
        List<String> expected = List.of(subscriptions);
        Lab.eventually("consumers of " + expected, () -> {
            boolean streams = List.of("a-sub", "b-sub", "c-sub").stream()
                    .allMatch(s -> lab.server.stats(s).openStreams() == (expected.contains(s) ? 1 : 0));
            List<String> consumed = lab.node.pubsub.consumers().stream()
                    .map(ConsumerStatus::subscription)
                    .map(name -> name.replace("projects/sample/subscriptions/", ""))
                    .sorted()
                    .toList();
            return streams && consumed.equals(expected.stream().sorted().toList());
        });
    }

    private void aMessageArrives(String auftragId) {
        String instance = lab.startOrder("auftrag-ausfuehrung", auftragId);
        lab.publish("thema", Models.completion(auftragId, 1));
        Lab.eventually("message " + auftragId, () -> lab.tasks(instance) == 1);
    }

    @Test
    void aChangedChannelMovesToItsNewSubscription() {
        deploy("k", "a-sub");
        awaitConsumers("a-sub");
        aMessageArrives("1");
        deploy("k", "b-sub");
        awaitConsumers("b-sub");
        aMessageArrives("2");
    }

    @Test
    void anEqualChannelDeployedAgainKeepsItsConsumer() {
        String first = deploy("k", "a-sub");
        awaitConsumers("a-sub");
        String second = deploy("k", "a-sub");
        awaitConsumers("a-sub");
        aMessageArrives("1");
        undeploy(second);
        awaitConsumers("a-sub");
        aMessageArrives("2");
        assertThat(lab.server.stats("a-sub").streamsOpened())
                .as("never reconnected")
                .isEqualTo(1);
        undeploy(first);
        awaitConsumers();
        deploy("k", "a-sub");
        awaitConsumers("a-sub");
        aMessageArrives("3");
    }

    @Test
    void undeployingTheOlderOfTwoEqualVersionsKeepsTheConsumer() {
        String first = deploy("k", "a-sub");
        awaitConsumers("a-sub");
        deploy("k", "a-sub");
        undeploy(first);
        awaitConsumers("a-sub");
        aMessageArrives("1");
    }

    @Test
    void undeployingAChangedVersionGoesBackToTheOneBefore() {
        deploy("k", "a-sub");
        awaitConsumers("a-sub");
        String second = deploy("k", "b-sub");
        awaitConsumers("b-sub");
        undeploy(second);
        awaitConsumers("a-sub");
        aMessageArrives("1");
    }

    @Test
    void aSecondChannelOnASubscriptionIsRefused() {
        deploy("k", "a-sub");
        awaitConsumers("a-sub");
        for (String name : List.of("a-sub", "projects/sample/subscriptions/a-sub")) {
            assertThatThrownBy(() -> deploy("anderer", name))
                    .isInstanceOf(FlowableException.class)
                    .hasMessageContainingAll("anderer", "channel k", "projects/sample/subscriptions/a-sub");
        }
        awaitConsumers("a-sub");
        deploy("anderer", "b-sub");
        awaitConsumers("a-sub", "b-sub");
    }

    @Test
    void twoChannelsOnASubscriptionInOneDeploymentAreRefused_andLeaveNothing() {
        assertThatThrownBy(() -> deploy("k", "a-sub", "l", "projects/sample/subscriptions/a-sub"))
                .isInstanceOf(FlowableException.class)
                .hasMessageContaining("a-sub");
        assertThat(lab.node.events().createChannelDefinitionQuery().count()).isZero();
        awaitConsumers();
        deploy("m", "a-sub"); // the deployment that was rolled back holds nothing
        awaitConsumers("a-sub");
    }

    @Test
    void twoChannelsOnASubscriptionAreRefusedAlsoWhenOneMovesThere() {
        deploy("k", "a-sub");
        awaitConsumers("a-sub");
        assertThatThrownBy(() -> deploy("k", "b-sub", "l", "b-sub"))
                .isInstanceOf(FlowableException.class)
                .hasMessageContaining("b-sub");
        awaitConsumers("a-sub");
    }

    @Test
    void aSubscriptionIsTakenOverByAnotherChannelInTwoSteps() {
        deploy("k", "a-sub");
        awaitConsumers("a-sub");
        deploy("k", "b-sub");
        awaitConsumers("b-sub");
        deploy("l", "a-sub");
        awaitConsumers("a-sub", "b-sub");
    }

    @Test
    void aRefusedChannelFileChangesNothing() {
        deploy("k", "a-sub");
        awaitConsumers("a-sub");
        assertThatThrownBy(() ->
                        deploy(Map.of("k.channel", Models.channel("k", "b-sub", "{\"unbekannt\": 1}", Lab.FIXED, ""))))
                .hasStackTraceContaining("unbekannt");
        awaitConsumers("a-sub");
        aMessageArrives("1");
    }

    @Test
    void rowsOfAChannelThatNobodyKnowsAreLeftAlone_andDeliveredOnceItIsBack() {
        String deployment = deploy("k", "a-sub");
        awaitConsumers("a-sub");
        String id = lab.publish("thema", Models.completion("r10", 1));
        lab.inbox.messageInState(id, "WAITING");
        undeploy(deployment);
        awaitConsumers();
        String instance = lab.startOrder("auftrag-ausfuehrung", "r10");
        String later = lab.publish("thema", Models.completion("r10", 2));
        Lab.eventually("a sweep has passed", () -> lab.server.stats("a-sub").backlog() == 1);
        assertThat(lab.inbox.rows("ATTEMPTS_ > 1")).isEmpty();
        assertThat(lab.tasks(instance)).isZero();
        deploy("k", "a-sub");
        lab.inbox.messageInState(id, "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
        lab.inbox.messageInState(later, "WAITING");
    }

    @Test
    void aNewChannelVersionsPolicyHoldsForMessagesAlreadyThere() {
        deploy("k", "a-sub");
        String id = lab.publish("thema", Models.completion("frist", 1));
        InboxTable.Row row = lab.inbox.messageInState(id, "WAITING");
        deploy(Map.of(
                "k.channel", Models.channel("k", "a-sub", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}", Lab.FIXED, "")));
        awaitConsumers("a-sub");
        assertThat(lab.server.stats("a-sub").streamsOpened())
                .as("never reconnected")
                .isEqualTo(1);
        Lab.eventually("the new policy holds", () -> {
            lab.inbox.sql("update FLW_PUBSUB_INBOX set STATE_ = 'OPEN', ATTEMPTS_ = 0,"
                    + " NEXT_ATTEMPT_ = CURRENT_TIMESTAMP where STATE_ = 'WAITING' and ID_ = " + row.id());
            return lab.inbox.rows("STATE_ = 'PARKED'").size() == 1;
        });
    }
}
