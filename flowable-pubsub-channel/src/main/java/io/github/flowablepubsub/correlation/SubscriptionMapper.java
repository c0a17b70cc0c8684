package io.github.flowablepubsub.correlation;

import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;

/** A look at the engine's subscriptions that no cache answers. */
public interface SubscriptionMapper {

    /** Whether this subscription still hangs on this execution, as last committed. */
    @Select(
            """
            select count(*) from ${prefix}ACT_RU_EVENT_SUBSCR
            where ID_ = #{subscriptionId} and EXECUTION_ID_ = #{executionId}
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    int stillThere(@Param("subscriptionId") String subscriptionId, @Param("executionId") String executionId);

    /** Whether this subscription still hangs on this plan item instance, as last committed. */
    @Select(
            """
            select count(*) from ${prefix}ACT_RU_EVENT_SUBSCR
            where ID_ = #{subscriptionId} and SUB_SCOPE_ID_ = #{planItemInstanceId}
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    int stillInCase(
            @Param("subscriptionId") String subscriptionId, @Param("planItemInstanceId") String planItemInstanceId);
}
