package io.github.flowablepubsub.it;

import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.flowable.cmmn.api.CmmnRuntimeService;
import org.flowable.cmmn.engine.CmmnEngineConfiguration;
import org.flowable.cmmn.engine.configurator.CmmnEngineConfigurator;

/** A node with a CMMN engine beside its process engine, and no sweep that could find what a wake-up has missed. */
final class CaseLab implements AutoCloseable {

    final PubSubServer server = PubSubServer.start();
    final Database database = TestDatabase.H2.create();
    final InboxTable inbox = new InboxTable(database);
    final Node node;
    private final CmmnEngineConfiguration cmmn = new CmmnEngineConfiguration();

    CaseLab(Map<Object, Object> beans) {
        cmmn.setDisableEventRegistry(true); // it uses the process engine's, as under Spring Boot
        cmmn.setDisableIdmEngine(true);
        cmmn.setBeans(new HashMap<>(beans));
        node = Node.start(
                database,
                Node.settings(server.endpoint()).withRelay(new RelaySettings(true, 4, Duration.ofMinutes(5))),
                configuration ->
                        configuration.addConfigurator(new CmmnEngineConfigurator().setCmmnEngineConfiguration(cmmn)));
    }

    void deployCase(String xml) {
        cmmn.getCmmnRepositoryService()
                .createDeployment()
                .addString("c.cmmn", xml)
                .deploy();
    }

    CmmnRuntimeService cases() {
        return cmmn.getCmmnRuntimeService();
    }

    String startCase(String caseKey, String auftragId) {
        return cases().createCaseInstanceBuilder()
                .caseDefinitionKey(caseKey)
                .businessKey("Auftrag " + auftragId)
                .variable("auftragId", auftragId)
                .start()
                .getId();
    }

    long cases(String caseKey) {
        return cases().createCaseInstanceQuery().caseDefinitionKey(caseKey).count();
    }

    /** Whether the task behind the event has begun. */
    boolean isPast(String caseInstanceId) {
        return cmmn.getCmmnTaskService()
                        .createTaskQuery()
                        .scopeId(caseInstanceId)
                        .taskDefinitionKey("danach")
                        .count()
                == 1;
    }

    @Override
    public void close() {
        node.close();
        server.close();
    }
}
