package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.db.DbSqlSession;
import org.flowable.engine.delegate.DelegateExecution;

/** {@link RepairContract} on this database, where the process fails in a way of its own. */
class RepairPostgresTest extends RepairContract {

    RepairPostgresTest() {
        super(TestDatabase.POSTGRES);
    }

    /** Runs a statement that fails in the engine's transaction, and hides it: PostgreSQL aborts the transaction. */
    @Override
    void fail(DelegateExecution execution) {
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
