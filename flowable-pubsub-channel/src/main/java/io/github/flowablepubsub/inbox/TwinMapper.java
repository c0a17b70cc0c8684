package io.github.flowablepubsub.inbox;

import java.util.Date;
import java.util.List;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.jspecify.annotations.Nullable;

/** A look at the engine's subscriptions that compete for the same messages. Used inside an engine command. */
public interface TwinMapper {

    /**
     * A subscription of a process or a case.
     *
     * @param definition key of the process definition; of a case the definition's id
     * @param instance null for a start
     * @param execution execution or plan item instance; null for a start
     * @param since the engine's time
     */
    record Twin(
            String id,
            String eventKey,
            String configuration,
            @Nullable String definition,
            @Nullable String tenantId,
            @Nullable String instance,
            @Nullable String execution,
            @Nullable String activity,
            @Nullable String businessKey,
            @Nullable Date since) {}

    /**
     * Subscriptions with this event and configuration, any of them up to the limit. By the engine's index of configurations;
     * the order is no order at all, and costs nothing.
     */
    @Lang(DialectSql.class)
    @Select(
            """
            select s.ID_, s.EVENT_TYPE_, s.CONFIGURATION_, coalesce(d.KEY_, s.PROC_DEF_ID_, s.SCOPE_DEFINITION_ID_) DEFINITION_,
                s.TENANT_ID_, coalesce(s.PROC_INST_ID_, s.SCOPE_ID_) INSTANCE_,
                coalesce(s.EXECUTION_ID_, s.SUB_SCOPE_ID_) EXECUTION_, s.ACTIVITY_ID_, e.BUSINESS_KEY_, s.CREATED_
            from ${prefix}ACT_RU_EVENT_SUBSCR s
            left join ${prefix}ACT_RE_PROCDEF d on d.ID_ = s.PROC_DEF_ID_
            left join ${prefix}ACT_RU_EXECUTION e on e.ID_ = s.PROC_INST_ID_
            where s.CONFIGURATION_ = #{configuration} and s.EVENT_TYPE_ = #{eventKey}
            order by s.CONFIGURATION_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Twin> find(
            @Param("eventKey") String eventKey,
            @Param("configuration") String configuration,
            @Param("limit") int limit);
}
