package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool whose connections are REPEATABLE READ: works, and gets its connections back as they were. */
class IsolationTest {

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void worksUnderRepeatableReadAndLeavesItAsItWas(TestDatabase kind) throws SQLException {
        Database database = kind.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start()) {
            server.createTopic("rueckmeldungen");
            server.createSubscription("abgeschlossen-sub", "rueckmeldungen");
            var pool = database.pool();
            pool.setDefaultTransactionIsolationLevel(Connection.TRANSACTION_REPEATABLE_READ);
            try (Node node = Node.start(
                    database, Node.settings(server.endpoint()), configuration -> configuration.setDataSource(pool))) {
                node.deployEvents(Map.of("e.event", Models.EVENT, "c.channel", Models.channel("abgeschlossen-sub")));
                node.deployProcess(Models.PROCESS);
                for (int i = 0; i < 20; i++) {
                    node.engine
                            .getRuntimeService()
                            .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "A" + i));
                    server.publish(
                            "rueckmeldungen", ByteString.copyFromUtf8(Models.completion("A" + i, i)), Map.of(), "");
                }
                await().until(() -> inbox.rows("STATE_ = 'DONE'").size() == 20);
                node.pubsub.stop();
                List<Connection> idle = new ArrayList<>();
                int count = pool.getPoolState().getIdleConnectionCount();
                for (int i = 0; i < count; i++) {
                    Connection connection = pool.getConnection();
                    idle.add(connection);
                    assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
                }
                assertThat(idle).isNotEmpty();
                for (Connection connection : idle) {
                    connection.close();
                }
            }
        }
    }
}
