package io.github.flowablepubsub.inbox;

import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;

/** Statements for rows whose receiver is suspended. Used inside an engine command. */
public interface SuspendedMapper {

    /** What a subscription waits for; the configuration is {@code *} when it takes every message of the event. */
    record Subscribed(String eventKey, String configuration) {}

    /** Subscriptions that hang on these executions. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select distinct EVENT_TYPE_ EVENT_KEY_, coalesce(CONFIGURATION_, '*') CONFIGURATION_
            from ${prefix}ACT_RU_EVENT_SUBSCR where EVENT_TYPE_ is not null and EXECUTION_ID_ in
            <foreach collection="executionIds" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Subscribed> ofExecutions(@Param("executionIds") Collection<String> executionIds);

    /** Start events of these process definitions. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select distinct EVENT_TYPE_ EVENT_KEY_, coalesce(CONFIGURATION_, '*') CONFIGURATION_
            from ${prefix}ACT_RU_EVENT_SUBSCR where EVENT_TYPE_ is not null and EXECUTION_ID_ is null
                and PROC_DEF_ID_ in
            <foreach collection="definitionIds" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Subscribed> ofStarts(@Param("definitionIds") Collection<String> definitionIds);

    /**
     * Rows of a page that wait for an activation, and no receiver that matches is suspended any more: their wake-up was lost
     * in a crash, or the receiver was deleted. Those of plain messages are not told by their keys; see {@link MessageMapper}.
     */
    @Lang(DialectSql.class)
    @Select(
            """
            select i.ID_, i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.ORDER_KEY_
            from ${prefix}FLW_PUBSUB_INBOX i
            where i.STATE_ = 'WAITING' and i.REASON_ = 'SUSPENDED' and i.ID_ > #{after} and i.ID_ <= #{end}
                and not exists (
                    select 1 from ${prefix}FLW_PUBSUB_MATCH_KEY k
                    join ${prefix}ACT_RU_EVENT_SUBSCR s
                        on s.EVENT_TYPE_ = k.EVENT_KEY_ and coalesce(s.CONFIGURATION_, '*') = k.CONFIGURATION_
                    left join ${prefix}ACT_RU_EXECUTION e on e.ID_ = s.EXECUTION_ID_
                    left join ${prefix}ACT_RE_PROCDEF d on d.ID_ = s.PROC_DEF_ID_
                    where k.INBOX_ID_ = i.ID_
                        and (e.SUSPENSION_STATE_ = 2 or (s.EXECUTION_ID_ is null and d.SUSPENSION_STATE_ = 2)))
                and not exists (
                    select 1 from ${prefix}FLW_PUBSUB_MATCH_KEY m
                    where m.INBOX_ID_ = i.ID_ and m.CONFIGURATION_ like 'message:%')
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<WaitingRow> activated(@Param("after") long after, @Param("end") long end);
}
