package io.github.flowablepubsub.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import org.flowable.common.engine.impl.interceptor.CommandContext;
import org.flowable.common.engine.impl.interceptor.CommandContextCloseListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives a connection back to the pool as it was found, after the engine committed or rolled back. */
final class RestoreIsolation implements CommandContextCloseListener {

    private static final Logger log = LoggerFactory.getLogger(RestoreIsolation.class);

    private final Connection connection;
    private final int isolation;

    RestoreIsolation(Connection connection, int isolation) {
        this.connection = connection;
        this.isolation = isolation;
    }

    @Override
    public void closed(CommandContext context) {
        restore();
    }

    @Override
    public void closeFailure(CommandContext context) {
        restore();
    }

    private void restore() {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback(); // what only read is not committed by MyBatis, and still open here
            }
            connection.setTransactionIsolation(isolation);
        } catch (SQLException e) {
            log.debug("Can't restore the transaction isolation; the pool does", e);
        }
    }

    @Override
    public void closing(CommandContext context) {
        // nothing yet
    }

    @Override
    public void afterSessionsFlush(CommandContext context) {
        // nothing yet
    }

    @Override
    public Integer order() {
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean multipleAllowed() {
        return true;
    }
}
