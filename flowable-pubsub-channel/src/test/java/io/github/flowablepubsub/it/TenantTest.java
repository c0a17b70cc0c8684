package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.List;
import java.util.Map;
import org.flowable.engine.runtime.ProcessInstance;
import org.flowable.eventregistry.impl.EventRegistryEngineConfiguration;
import org.flowable.eventregistry.impl.cfg.StandaloneEventRegistryEngineConfiguration;
import org.flowable.eventregistry.impl.configurator.EventRegistryEngineConfigurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tenants: of the event, fixed or detected; of the channel; and the fall-back to the default tenant. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TenantTest {

    private static final String DETECTED =
            ", \"channelEventTenantIdDetection\": {\"jsonPointerExpression\": \"/mandant\"}";

    private final PubSubServer server = PubSubServer.start();
    private final Tenants tenants = new Tenants(server, false);

    /** A node with a database of its own. */
    private static final class Tenants implements AutoCloseable {
        private final PubSubServer server;
        private final Database database = TestDatabase.H2.create();
        private final InboxTable inbox = new InboxTable(database);
        private final Node node;

        Tenants(PubSubServer server, boolean fallback) {
            this.server = server;
            this.node = Node.start(database, Node.settings(server.endpoint()), configuration -> {
                EventRegistryEngineConfiguration events = new StandaloneEventRegistryEngineConfiguration();
                events.setFallbackToDefaultTenant(fallback);
                configuration.setFallbackToDefaultTenant(fallback);
                configuration.setEventRegistryConfigurator(
                        new EventRegistryEngineConfigurator().setEventEngineConfiguration(events));
            });
        }

        void event(String tenant, String key) {
            node.events()
                    .createDeployment()
                    .tenantId(tenant)
                    .addEventDefinition(key + ".event", Models.event(key))
                    .deploy();
        }

        void process(String tenant, String bpmn) {
            node.engine
                    .getRepositoryService()
                    .createDeployment()
                    .tenantId(tenant)
                    .addString("p.bpmn20.xml", bpmn)
                    .deploy();
        }

        void channel(String tenant, String key, String event, String more) {
            server.createTopic(key);
            server.createSubscription(key + "-sub", key);
            channel(tenant, key, key + "-sub", event, more);
        }

        void channel(String tenant, String key, String subscription, String event, String more) {
            String json = Models.channel(key, subscription, "{}", "{\"fixedValue\": \"" + event + "\"}", more);
            node.events()
                    .createDeployment()
                    .tenantId(tenant)
                    .addChannelDefinition(key + ".channel", json)
                    .deploy();
        }

        String start(String processKey, String tenant, String auftragId) {
            return node.engine
                    .getRuntimeService()
                    .createProcessInstanceBuilder()
                    .processDefinitionKey(processKey)
                    .tenantId(tenant)
                    .variable("auftragId", auftragId)
                    .start()
                    .getId();
        }

        String publish(String topic, String tenant, String auftragId) {
            String body = "{\"mandant\": \"%s\", \"auftragId\": \"%s\"}".formatted(tenant, auftragId);
            return server.publish(topic, body, Map.of());
        }

        long tasks(String instance) {
            return node.engine
                    .getTaskService()
                    .createTaskQuery()
                    .processInstanceId(instance)
                    .count();
        }

        String tenantOf(String messageId) {
            return String.valueOf(
                    database.strings("select TENANT_ID_ from FLW_PUBSUB_INBOX where MESSAGE_ID_ = '" + messageId + "'")
                            .get(0));
        }

        @Override
        public void close() {
            node.close();
        }
    }

    @AfterAll
    void stop() {
        tenants.close();
        server.close();
    }

    private static String waiting(String processKey, String event) {
        return Models.chain(processKey, Models.catchEvent("warten", event), Models.userTask("danach"));
    }

    private void bothTenants(String event) {
        for (String tenant : List.of("nord", "sued")) {
            tenants.event(tenant, event);
            tenants.process(tenant, waiting(event, event));
        }
    }

    @Test
    void aFixedTenantReachesNoOthersInstance() {
        bothTenants("fest");
        tenants.channel("", "fest", "fest", ", \"channelEventTenantIdDetection\": {\"fixedValue\": \"nord\"}");
        String north = tenants.start("fest", "nord", "1");
        String south = tenants.start("fest", "sued", "1");
        String id = tenants.publish("fest", "egal", "1");
        tenants.inbox.messageInState(id, "DONE");
        assertThat(tenants.tenantOf(id)).isEqualTo("nord");
        assertThat(tenants.tasks(north)).isEqualTo(1);
        assertThat(tenants.tasks(south)).isZero();
    }

    @Test
    void aDetectedTenantReachesNoOthersInstance_alsoWhenItWaits() {
        bothTenants("erkannt");
        tenants.channel("", "erkannt", "erkannt", DETECTED);
        String south = tenants.publish("erkannt", "sued", "1");
        tenants.inbox.messageInState(south, "WAITING");
        String north = tenants.start("erkannt", "nord", "1");
        String northern = tenants.publish("erkannt", "nord", "1");
        tenants.inbox.messageInState(northern, "DONE");
        assertThat(tenants.tasks(north)).isEqualTo(1);
        assertThat(tenants.inbox.messageInState(south, "WAITING").reason()).isEqualTo("NO_MATCH");
        String instance = tenants.start("erkannt", "sued", "1");
        tenants.inbox.messageInState(south, "DONE");
        assertThat(tenants.tasks(instance)).isEqualTo(1);
    }

    @Test
    void theTenantOfXmlIsDetectedByXPath() {
        bothTenants("xml");
        tenants.channel(
                "",
                "xml",
                "xml",
                ", \"deserializerType\": \"xml\","
                        + " \"channelEventTenantIdDetection\": {\"xPathExpression\": \"/m/@mandant\"}");
        String north = tenants.start("xml", "nord", "1");
        String south = tenants.start("xml", "sued", "1");
        String id = server.publish("xml", "<m mandant=\"sued\"><auftragId>1</auftragId></m>", Map.of());
        tenants.inbox.messageInState(id, "DONE");
        assertThat(tenants.tenantOf(id)).isEqualTo("sued");
        assertThat(tenants.tasks(south)).isEqualTo(1);
        assertThat(tenants.tasks(north)).isZero();
    }

    /** As in Flowable: without a tenant there is no condition on it. */
    @Test
    void anEventWithoutTenantReachesEveryTenant() {
        tenants.event("", "ohne");
        tenants.process("nord", waiting("ohne", "ohne"));
        tenants.process("", waiting("ohne", "ohne"));
        tenants.channel("", "ohne", "ohne", "");
        String north = tenants.start("ohne", "nord", "1");
        String without = tenants.start("ohne", "", "1");
        String id = tenants.publish("ohne", "nord", "1");
        tenants.inbox.messageInState(id, "DONE");
        assertThat(tenants.tenantOf(id)).isEmpty();
        assertThat(tenants.tasks(north)).isEqualTo(1);
        assertThat(tenants.tasks(without)).isEqualTo(1);
    }

    /** Another tenant's definition of the event does not make it known to this one. */
    @Test
    void anEventThatItsTenantDoesNotKnowYetWaitsForTheDeployment() {
        tenants.event("nord", "spaet");
        tenants.channel("", "spaet", "spaet", DETECTED);
        String id = tenants.publish("spaet", "west", "1");
        assertThat(tenants.inbox.messageInState(id, "WAITING").reason()).isEqualTo("NO_EVENT_DEFINITION");
        tenants.event("west", "spaet");
        tenants.process("west", waiting("spaet", "spaet"));
        String instance = tenants.start("spaet", "west", "1");
        tenants.inbox.messageInState(id, "DONE");
        assertThat(tenants.tasks(instance)).isEqualTo(1);
    }

    @Test
    void channelsOfOneKeyInTwoTenantsAreTwo() {
        tenants.event("", "geteilt");
        tenants.process("", waiting("geteilt", "geteilt"));
        for (String tenant : List.of("nord", "sued")) {
            server.createTopic("geteilt-" + tenant);
            server.createSubscription("geteilt-" + tenant + "-sub", "geteilt-" + tenant);
            tenants.channel(tenant, "geteilt", "geteilt-" + tenant + "-sub", "geteilt", "");
        }
        for (String tenant : List.of("nord", "sued")) {
            String instance = tenants.start("geteilt", "", tenant);
            String id = tenants.publish("geteilt-" + tenant, "", tenant);
            tenants.inbox.messageInState(id, "DONE");
            assertThat(tenants.tasks(instance)).isEqualTo(1);
            assertThat(tenants.database.strings(
                            "select CHANNEL_TENANT_ID_ from FLW_PUBSUB_INBOX where MESSAGE_ID_ = '" + id + "'"))
                    .containsExactly(tenant);
        }
    }

    @Test
    void theDefaultTenantHelpsOutUntilATenantHasItsOwn() {
        String start =
                """
                <startEvent id="beginn"><extensionElements><flowable:eventType>eingang</flowable:eventType>
                  <flowable:eventOutParameter source="auftragId" target="auftragId"/>
                </extensionElements></startEvent>
                """
                        + Models.flow("beginn", "warten")
                        + Models.catchEvent("warten", "weiter")
                        + Models.flow("warten", "danach")
                        + "<userTask id=\"danach\"/>";
        try (Tenants fallback = new Tenants(server, true)) {
            fallback.event("", "eingang");
            fallback.event("", "weiter");
            fallback.process("", Models.definitions("bearbeiten", start));
            fallback.channel("", "eingang", "eingang", DETECTED);
            fallback.channel("", "weiter", "weiter", DETECTED);
            String first = fallback.publish("eingang", "nord", "1");
            fallback.inbox.messageInState(first, "DONE");
            assertThat(fallback.tenantOf(first)).isEqualTo("nord");
            assertThat(instance(fallback, "nord").getProcessDefinitionKey()).isEqualTo("bearbeiten");
            String other = fallback.publish("weiter", "sued", "1");
            assertThat(fallback.inbox.messageInState(other, "WAITING").reason()).isEqualTo("NO_MATCH");
            fallback.inbox.messageInState(fallback.publish("weiter", "nord", "1"), "DONE");
            assertThat(fallback.tasks(instance(fallback, "nord").getId())).isEqualTo(1);

            // The tenant's own definition of the same key takes the default's place.
            fallback.process("ost", Models.definitions("bearbeiten", start.replace("danach", "anders")));
            fallback.inbox.messageInState(fallback.publish("eingang", "ost", "2"), "DONE");
            fallback.inbox.messageInState(fallback.publish("weiter", "ost", "2"), "DONE");
            assertThat(fallback.node
                            .engine
                            .getTaskService()
                            .createTaskQuery()
                            .processInstanceId(instance(fallback, "ost").getId())
                            .singleResult()
                            .getTaskDefinitionKey())
                    .isEqualTo("anders");
        }
    }

    private static ProcessInstance instance(Tenants of, String tenant) {
        return of.node
                .engine
                .getRuntimeService()
                .createProcessInstanceQuery()
                .processInstanceTenantId(tenant)
                .singleResult();
    }
}
