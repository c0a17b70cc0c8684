package io.github.flowablepubsub.inbox;

import io.github.flowablepubsub.inbox.RetentionMapper.Finished;
import java.util.Collection;
import java.util.List;
import org.flowable.common.engine.impl.db.DbSqlSession;
import org.flowable.common.engine.impl.interceptor.CommandContext;

/** The statements on the inbox, within one running transaction. Must not leave it. */
public final class InboxSession {

    private final DbSqlSession session;

    InboxSession(DbSqlSession session) {
        this.session = session;
    }

    /** Of a command of the engine that is running already; our work is a part of its transaction. */
    public static InboxSession of(CommandContext command) {
        return new InboxSession(command.getSession(DbSqlSession.class));
    }

    /** Statements on one lane. */
    public LaneMapper lanes() {
        return session.getCustomMapper(LaneMapper.class);
    }

    /** Statements on rows that are held back, and on what holds them. */
    public HeldMapper held() {
        return session.getCustomMapper(HeldMapper.class);
    }

    /** Statements on rows that are read many at once; only if {@link #readsAhead()}. */
    public AheadMapper ahead() {
        return session.getCustomMapper(AheadMapper.class);
    }

    /** Whether one statement can lock a lane and take a row that was read before. */
    public boolean readsAhead() {
        return dialect().readsAhead();
    }

    /** Gives the business keys of these rows back, if they have any. */
    public void releaseKeys(ChannelId channel, Collection<Finished> rows) {
        List<Finished> keyed =
                rows.stream().filter(row -> row.dedupKey() != null).toList();
        if (!keyed.isEmpty()) {
            dedup().release(
                            channel,
                            keyed.stream()
                                    .map(row -> String.valueOf(row.dedupKey()))
                                    .toList(),
                            keyed.stream().map(Finished::messageId).toList());
        }
    }

    /** Statements over all lanes. */
    public DueMapper due() {
        return session.getCustomMapper(DueMapper.class);
    }

    /** Statements for rows whose receiver is suspended. */
    public SuspendedMapper suspended() {
        return session.getCustomMapper(SuspendedMapper.class);
    }

    /** Statements that say how the table stands. */
    public StateMapper state() {
        return session.getCustomMapper(StateMapper.class);
    }

    /** Statements on subscriptions that compete for messages. */
    public TwinMapper twins() {
        return session.getCustomMapper(TwinMapper.class);
    }

    /** What other messages tell about one. */
    public EvidenceMapper evidence() {
        return session.getCustomMapper(EvidenceMapper.class);
    }

    /** Statements on receivers of plain BPMN messages. */
    public MessageMapper messages() {
        return session.getCustomMapper(MessageMapper.class);
    }

    /** Statements on finished rows and on lock rows that nobody needs. */
    public RetentionMapper retention() {
        return session.getCustomMapper(RetentionMapper.class);
    }

    /** Statements for people who look at messages. */
    public LookMapper looks() {
        return session.getCustomMapper(LookMapper.class);
    }

    /** What operators change. */
    public RepairMapper repairs() {
        return session.getCustomMapper(RepairMapper.class);
    }

    /** Statements on rows and the jobs that mirror them. */
    public MirrorMapper mirrors() {
        return session.getCustomMapper(MirrorMapper.class);
    }

    /** Statements on the engine's jobs. */
    public JobMapper jobs() {
        return session.getCustomMapper(JobMapper.class);
    }

    /**
     * Shows rows that are locked to the app.
     *
     * @throws HookFailedException when its hook failed
     */
    public void archive(ArchiveHook hook, Collection<Long> ids) {
        RetentionMapper rows = retention();
        int unused = rows.beginToChange();
        Hooks.archive(
                hook,
                session,
                rows.rows(ids).stream()
                        .map(row -> new FinishedMessage(row, rows::content))
                        .toList());
    }

    /** Shows messages that were inserted to the app. */
    void stored(StoreHook hook, List<NewMessage> messages) {
        Hooks.storing(hook, session, messages);
    }

    Dialect dialect() {
        return DialectSql.dialect(session.getSqlSession().getConfiguration());
    }

    DedupMapper dedup() {
        return session.getCustomMapper(DedupMapper.class);
    }

    StoreMapper store() {
        return session.getCustomMapper(StoreMapper.class);
    }
}
