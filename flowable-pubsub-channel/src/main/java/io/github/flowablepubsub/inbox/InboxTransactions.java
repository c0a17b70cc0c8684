package io.github.flowablepubsub.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.type.JdbcType;
import org.flowable.common.engine.api.FlowableException;
import org.flowable.common.engine.impl.db.DbSqlSession;
import org.flowable.common.engine.impl.interceptor.CommandConfig;
import org.flowable.common.engine.impl.interceptor.CommandContext;
import org.flowable.common.engine.impl.interceptor.CommandExecutor;

/**
 * Runs work in an engine command of its own: one transaction, with the engine's connection, so that inbox rows and
 * process instances change together or not at all (rule R2). Works alike with and without Spring.
 *
 * <p>All statements go through MyBatis: in a plain engine a session that only saw raw JDBC writes commits them even when
 * the command fails.
 */
public final class InboxTransactions {

    private static final CommandConfig NEW_TRANSACTION = new CommandConfig().transactionRequiresNew();

    private final CommandExecutor commandExecutor;
    private final boolean externallyManaged;
    private final int isolation;

    /**
     * With the process engine's executor.
     *
     * @param dataSource the engine's; asked once for the isolation that its connections have, which on PostgreSQL is a
     *     statement
     * @param externallyManaged transactions are Spring's: it, or its pool, resets the connection, and only after the
     *     command
     */
    public InboxTransactions(CommandExecutor commandExecutor, DataSource dataSource, boolean externallyManaged) {
        this.commandExecutor = commandExecutor;
        this.externallyManaged = externallyManaged;
        try (Connection connection = dataSource.getConnection()) {
            this.isolation = connection.getTransactionIsolation();
        } catch (SQLException e) {
            throw new IllegalStateException("Can't ask the database for its transaction isolation", e);
        }
    }

    /**
     * Makes our statements, and others, known to the engine's MyBatis; may be called again.
     *
     * @param databaseType as Flowable names it
     * @throws FlowableException when our statements have no dialect for it
     */
    public static void registerMappers(SqlSessionFactory sqlSessionFactory, String databaseType, Class<?>... others) {
        Configuration configuration = sqlSessionFactory.getConfiguration();
        DialectSql.use(configuration, Dialect.of(databaseType));
        for (JdbcType numeric : List.of(JdbcType.BIGINT, JdbcType.NUMERIC, JdbcType.DECIMAL)) {
            configuration.getTypeHandlerRegistry().register(OffsetDateTime.class, numeric, new MicrosTypeHandler());
        }
        List<Class<?>> mappers = new ArrayList<>(List.of(
                StoreMapper.class,
                DedupMapper.class,
                LaneMapper.class,
                HeldMapper.class,
                EvidenceMapper.class,
                AheadMapper.class,
                DueMapper.class,
                SuspendedMapper.class,
                TwinMapper.class,
                StateMapper.class,
                MessageMapper.class,
                JobMapper.class,
                MirrorMapper.class,
                RetentionMapper.class,
                LookMapper.class,
                RepairMapper.class));
        mappers.addAll(List.of(others));
        for (Class<?> mapper : mappers) {
            if (!configuration.hasMapper(mapper)) {
                configuration.addMapper(mapper);
            }
        }
    }

    /**
     * Runs the work in a new transaction and commits; an exception rolls back and comes out.
     *
     * <p>Never swallow an exception of the engine inside {@code work}: half of its effects would be committed.
     */
    public <T> T call(Function<InboxSession, T> work) {
        return commandExecutor.execute(NEW_TRANSACTION, context -> {
            DbSqlSession session = context.getSession(DbSqlSession.class);
            readCommitted(session, context);
            return quietly(work, new InboxSession(session));
        });
    }

    /** The engine logs every failed command as an error with its stack; ours are judged and logged by their callers. */
    private static <T> T quietly(Function<InboxSession, T> work, InboxSession session) {
        try {
            return work.apply(session);
        } catch (FlowableException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new StatementFailedException(e);
        }
    }

    /** Under REPEATABLE READ a look after the lane's lock would see the rows as they were before it. */
    private void readCommitted(DbSqlSession session, CommandContext context) {
        if (isolation == Connection.TRANSACTION_READ_COMMITTED) {
            return;
        }
        Connection connection = session.getSqlSession().getConnection();
        try {
            if (!connection.getAutoCommit()) {
                connection.commit(); // with a schema of its own the engine has begun one, to name it
            }
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            if (!externallyManaged) {
                context.addCloseListener(new RestoreIsolation(connection, isolation));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Can't switch the connection to READ COMMITTED", e);
        }
    }
}
