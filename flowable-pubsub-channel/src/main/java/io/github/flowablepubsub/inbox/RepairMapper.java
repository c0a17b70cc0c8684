package io.github.flowablepubsub.inbox;

import io.github.flowablepubsub.inbox.InboxMessage.Seen;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.jspecify.annotations.Nullable;

/**
 * What operators change about a row: guarded by how they saw it, each returns 1 or 0. On rows that are open or wait they are
 * allowed only under the lock of their lane. The job of a row is another statement's, see {@link MirrorMapper}. Used inside an
 * engine command.
 */
public interface RepairMapper {

    /** The row is as it was seen. */
    String AS_SEEN = " where ID_ = #{seen.id} and [unindexed STATE_] = #{seen.state} and ATTEMPTS_ = #{seen.attempts}"
            + " and coalesce([micros NEXT_ATTEMPT_], -1) = #{seen.micros}";

    /** Open and due now, as if it were new. */
    @Lang(DialectSql.class)
    @Update(
            """
            update ${prefix}FLW_PUBSUB_INBOX
            set STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = [now], FINISHED_BY_ = #{by}
            """
                    + AS_SEEN)
    int open(@Param("seen") Seen seen, @Param("by") String by);

    /** Discarded; its reason stays. */
    @Lang(DialectSql.class)
    @Update(
            """
            update ${prefix}FLW_PUBSUB_INBOX
            set STATE_ = 'DISCARDED', FINISHED_AT_ = [now], FINISHED_BY_ = #{by}, LAST_ERROR_ = #{error},
                WAITING_SINCE_ = null, ALARMED_AT_ = null
            """
                    + AS_SEEN)
    int discard(@Param("seen") Seen seen, @Param("by") String by, @Param("error") String error);

    /** Parked by hand. */
    @Lang(DialectSql.class)
    @Update(
            """
            update ${prefix}FLW_PUBSUB_INBOX
            set STATE_ = 'PARKED', REASON_ = 'PARKED_BY_OPERATOR', EXPIRES_AT_ = null, FAILED_SINCE_ = null,
                WAITING_SINCE_ = null, ALARMED_AT_ = null, FINISHED_BY_ = #{by}, LAST_ERROR_ = #{error}
            """
                    + AS_SEEN)
    int park(@Param("seen") Seen seen, @Param("by") String by, @Param("error") String error);

    /** Which of these rows are open and were not looked at since they were opened. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ID_ from ${prefix}FLW_PUBSUB_INBOX
            where [unindexed STATE_] = 'OPEN' and ATTEMPTS_ = 0 and ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Long> notLookedAt(@Param("ids") Collection<Long> ids);

    /** The highest id in the table, null when it is empty. */
    @Lang(DialectSql.class)
    @Select("select max(ID_) from ${prefix}FLW_PUBSUB_INBOX")
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    Long lastId();
}
