package io.github.flowablepubsub.inbox;

import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;

/** Reads jobs of ours in the engine's tables, by their correlation id. Used inside an engine command. */
public interface JobMapper {

    /**
     * A job of ours in one of the engine's tables.
     *
     * @param handlerType what it is for
     */
    record JobRow(String id, String correlationId, String handlerType) {}

    /** Jobs of this range that are to be executed and that no executor has taken. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ID_, CORRELATION_ID_, HANDLER_TYPE_ from ${prefix}ACT_RU_JOB
            where CORRELATION_ID_ > #{after} and CORRELATION_ID_ <= #{last} and LOCK_OWNER_ is null
            order by CORRELATION_ID_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<JobRow> executable(@Param("after") String after, @Param("last") String last, @Param("limit") int limit);

    /** Dead-letter jobs of this range: one page of a walk. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ID_, CORRELATION_ID_, HANDLER_TYPE_ from ${prefix}ACT_RU_DEADLETTER_JOB
            where CORRELATION_ID_ > #{after} and CORRELATION_ID_ <= #{last}
            order by CORRELATION_ID_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<JobRow> deadLetters(@Param("after") String after, @Param("last") String last, @Param("limit") int limit);

    /** Timer jobs of this range: one page of a walk. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ID_, CORRELATION_ID_, HANDLER_TYPE_ from ${prefix}ACT_RU_TIMER_JOB
            where CORRELATION_ID_ > #{after} and CORRELATION_ID_ <= #{last}
            order by CORRELATION_ID_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<JobRow> timers(@Param("after") String after, @Param("last") String last, @Param("limit") int limit);

    /** Which of these jobs are in any of the engine's tables. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ID_ from ${prefix}ACT_RU_DEADLETTER_JOB where ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach> union all
            select ID_ from ${prefix}ACT_RU_JOB where ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach> union all
            select ID_ from ${prefix}ACT_RU_TIMER_JOB where ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach> union all
            select ID_ from ${prefix}ACT_RU_SUSPENDED_JOB where ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<String> existing(@Param("ids") Collection<String> ids);
}
