package io.github.flowablepubsub.inbox;

import org.flowable.common.engine.impl.db.DbSqlSession;

/** The statements on the inbox, within one running transaction. Must not leave it. */
public final class InboxSession {

    private final DbSqlSession session;

    InboxSession(DbSqlSession session) {
        this.session = session;
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

    /** Statements over all lanes. */
    public DueMapper due() {
        return session.getCustomMapper(DueMapper.class);
    }

    /** Statements on finished rows and on lock rows that nobody needs. */
    public RetentionMapper retention() {
        return session.getCustomMapper(RetentionMapper.class);
    }

    Dialect dialect() {
        return DialectSql.dialect(session.getSqlSession().getConfiguration());
    }

    StoreMapper store() {
        return session.getCustomMapper(StoreMapper.class);
    }
}
