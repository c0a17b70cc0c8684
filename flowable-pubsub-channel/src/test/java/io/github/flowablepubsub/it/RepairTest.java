package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.db.DbSqlSession;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The contract's one line of SQL repairs a parked message, whatever the reason, once its cause is mended. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepairTest {

    private final SwallowedFailure step = new SwallowedFailure();
    private final Lab lab = Lab.start(TestDatabase.POSTGRES, Map.of("schritt", step));

    /** Runs a statement that fails in the engine's transaction, and hides it: PostgreSQL aborts the transaction. */
    private static final class SwallowedFailure implements JavaDelegate {
        private final AtomicBoolean broken = new AtomicBoolean(true);

        @Override
        public void execute(DelegateExecution execution) {
            if (broken.get()) {
                Connection connection = Objects.requireNonNull(Context.getCommandContext())
                        .getSession(DbSqlSession.class)
                        .getSqlSession()
                        .getConnection();
                try (Statement statement = connection.createStatement()) {
                    statement.execute("select * from GIBT_ES_NICHT");
                } catch (SQLException expected) {
                    execution.setVariable("verschluckt", true);
                }
            }
        }
    }

    @BeforeAll
    void start() {
        String policy = "{\"buffer\": {\"timeToLive\": \"PT0S\"}, \"retry\": {\"giveUpAfter\": \"PT0S\"}}";
        lab.channel("sofort", policy).channel("typen", policy, "{\"jsonField\": \"typ\"}");
        lab.node.deployProcess(Models.PROCESS);
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private InboxTable.Row parked(String messageId, String reason) {
        InboxTable.Row row = lab.inbox.messageInState(messageId, "PARKED");
        assertThat(row.reason()).as(row.toString()).isEqualTo(reason);
        return row;
    }

    private void repairedTo(String state, InboxTable.Row row) {
        assertThat(lab.inbox.sql("UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0,"
                        + " NEXT_ATTEMPT_ = CURRENT_TIMESTAMP WHERE ID_ = " + row.id()))
                .isEqualTo(1);
        lab.inbox.messageInState(row.messageId(), state);
    }

    @Test
    void noMatch() {
        InboxTable.Row row = parked(lab.publish("sofort", Models.completion("r1", 1)), "NO_MATCH");
        String instance = lab.startOrder("auftrag-ausfuehrung", "r1");
        repairedTo("DONE", row);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void ambiguous() {
        String kept = lab.startOrder("auftrag-ausfuehrung", "r2");
        String removed = lab.startOrder("auftrag-ausfuehrung", "r2");
        InboxTable.Row row = parked(lab.publish("sofort", Models.completion("r2", 1)), "AMBIGUOUS");
        lab.node.engine.getRuntimeService().deleteProcessInstance(removed, "doppelt");
        repairedTo("DONE", row);
        assertThat(lab.tasks(kept)).isEqualTo(1);
    }

    @Test
    void noEventDefinition() {
        InboxTable.Row row =
                parked(lab.publish("typen", "{\"typ\": \"neu\", \"auftragId\": \"r3\"}"), "NO_EVENT_DEFINITION");
        lab.node.deployEvents(Map.of("n.event", Models.event("neu")));
        lab.node.deployProcess(Models.chain("neu", Models.catchEvent("w", "neu"), Models.userTask("t")));
        String instance = lab.startOrder("neu", "r3");
        repairedTo("DONE", row);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void unreadable_afterTheBodyWasMended() {
        String instance = lab.startOrder("auftrag-ausfuehrung", "r4");
        InboxTable.Row row = parked(lab.publish("sofort", "{\"auftragId\": \"r4\""), "UNREADABLE");
        lab.inbox.sql("update FLW_PUBSUB_INBOX set PAYLOAD_ = PAYLOAD_ || '}' where ID_ = " + row.id());
        repairedTo("DONE", row);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void noCorrelationValue_afterTheBodyWasMended() {
        String instance = lab.startOrder("auftrag-ausfuehrung", "r5");
        InboxTable.Row row = parked(lab.publish("sofort", "{\"auftragId\": \"\"}"), "NO_CORRELATION_VALUE");
        lab.inbox.sql("update FLW_PUBSUB_INBOX set PAYLOAD_ = '{\"auftragId\": \"r5\"}' where ID_ = " + row.id());
        repairedTo("DONE", row);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    @Test
    void aRepairWithoutMendingParksAgain() {
        InboxTable.Row row = parked(lab.publish("sofort", "kaputt"), "UNREADABLE");
        repairedTo("PARKED", row);
        Lab.eventually(
                "looked at once",
                () -> lab.inbox.rows("ID_ = " + row.id()).get(0).attempts() == 1);
    }

    @Test
    void processFailed_alsoWhenItsTransactionWasAborted() {
        lab.node.deployEvents(Map.of("s.event", Models.event("schritt")));
        lab.node.deployProcess(Models.chain(
                "schritte", Models.catchEvent("w", "schritt"), Models.service("s", "schritt"), Models.userTask("t")));
        String instance = lab.startOrder("schritte", "r6");
        InboxTable.Row row =
                parked(lab.publish("typen", "{\"typ\": \"schritt\", \"auftragId\": \"r6\"}"), "PROCESS_FAILED");
        assertThat(lab.tasks(instance)).isZero();
        step.broken.set(false);
        repairedTo("DONE", row);
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }
}
