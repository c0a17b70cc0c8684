package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.flowable.engine.impl.cfg.StandaloneProcessEngineConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flowable's {@code database-schema-update=false}: the operator runs the scripts. */
class SchemaTest {

    static Node start(Database database, PubSubServer server) {
        return Node.start(
                database,
                Node.settings(server.endpoint()),
                configuration -> configuration.setDatabaseSchemaUpdate("false"));
    }

    static void withoutPlugin(Database database) {
        StandaloneProcessEngineConfiguration configuration = new StandaloneProcessEngineConfiguration();
        database.configure(configuration);
        configuration.setDatabaseSchemaUpdate("true");
        configuration.setEnableConfiguratorServiceLoader(false);
        configuration.setEngineName("ohne" + System.nanoTime());
        configuration.buildProcessEngine().close();
    }

    static void run(Database database, String script) throws IOException, SQLException {
        try (InputStream stream = SchemaTest.class.getClassLoader().getResourceAsStream(script);
                Connection connection = database.source().getConnection();
                Statement statement = connection.createStatement()) {
            String sql = new String(Objects.requireNonNull(stream, script).readAllBytes(), StandardCharsets.UTF_8);
            for (String single : Pattern.compile(";").split(sql, -1)) {
                if (!single.isBlank()) {
                    statement.execute(single);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES"})
    void missingTablesNameTheScript_whichMakesItStart(TestDatabase kind) throws IOException, SQLException {
        Database database = kind.create();
        withoutPlugin(database);
        try (PubSubServer server = PubSubServer.start()) {
            Throwable refusal = catchThrowable(() -> start(database, server));
            assertThat(refusal).hasMessageContainingAll("FLW_PUBSUB_INBOX", "database-schema-update");
            Matcher script =
                    Pattern.compile("io/github/flowablepubsub/db/\\S+\\.sql").matcher(refusal.getMessage());
            assertThat(script.find()).as(refusal.getMessage()).isTrue();
            run(database, script.group());
            try (Node node = start(database, server)) {
                assertThat(node.pubsub.isRunning()).isTrue();
            }
            InboxTable table = new InboxTable(database);
            table.sql("update ACT_GE_PROPERTY set VALUE_ = '99' where NAME_ = 'pubsub.schema.version'");
            assertThatThrownBy(() -> start(database, server)).hasMessageContainingAll("99", "schema version");
        }
    }
}
