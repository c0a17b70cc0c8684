package io.github.flowablepubsub.inbox;

import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Delete;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.jspecify.annotations.Nullable;

/** Statements that find due work over all lanes of a channel, and wake waiting rows. Used inside an engine command. */
public interface DueMapper {

    /** A waiting row that is to be looked at. */
    record WaitingRow(Long id, String channelKey, String channelTenantId, String orderKey) {
        /** The lane that it queues in. */
        public Lane lane() {
            return new Lane(channelKey, channelTenantId, orderKey);
        }
    }

    /** Order keys of the open rows that are due longest; one key may come several times. */
    @Select(
            """
            select ORDER_KEY_ from ${prefix}FLW_PUBSUB_INBOX
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = #{channel.tenantId} and STATE_ = 'OPEN'
                and NEXT_ATTEMPT_ <= CURRENT_TIMESTAMP(6)
            order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, NEXT_ATTEMPT_ limit #{limit}
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<String> dueOrderKeys(@Param("channel") ChannelId channel, @Param("limit") int limit);

    /** The next order key after this one that has an open row: one step of a walk over the keys, whatever their backlog. */
    @Select(
            """
            select min(ORDER_KEY_) from ${prefix}FLW_PUBSUB_INBOX
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = #{channel.tenantId} and STATE_ = 'OPEN'
                and ORDER_KEY_ > #{after}
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    String nextOrderKey(@Param("channel") ChannelId channel, @Param("after") String after);

    /** Waiting rows whose time has come (expired, or to be looked at again). */
    @Select(
            """
            select ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_ from ${prefix}FLW_PUBSUB_INBOX
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = #{channel.tenantId} and STATE_ = 'WAITING'
                and NEXT_ATTEMPT_ <= CURRENT_TIMESTAMP(6)
            order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, NEXT_ATTEMPT_ limit #{limit}
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<WaitingRow> dueWaiting(@Param("channel") ChannelId channel, @Param("limit") int limit);

    /** Waiting rows after this id that a new subscription matches, see {@link #addMatchKeys}. */
    @Select(
            """
            select i.ID_, i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.ORDER_KEY_ from ${prefix}FLW_PUBSUB_INBOX i
            where i.STATE_ = 'WAITING' and i.REASON_ <> 'HELD_BACK' and i.ID_ in (
                select k.INBOX_ID_ from ${prefix}FLW_PUBSUB_MATCH_KEY k
                where k.EVENT_KEY_ = #{eventKey} and k.CONFIGURATION_ = #{configuration})
                and i.ID_ > #{after}
            order by i.ID_ limit #{limit}
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<WaitingRow> waitingFor(
            @Param("eventKey") String eventKey,
            @Param("configuration") String configuration,
            @Param("after") long after,
            @Param("limit") int limit);

    /** Waiting rows for which a subscription stands in the engine's table: their wake-up was lost in a crash. */
    @Select(
            """
            select i.ID_, i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.ORDER_KEY_
            from ${prefix}FLW_PUBSUB_INBOX i
            where i.STATE_ = 'WAITING' and i.REASON_ <> 'HELD_BACK' and i.ID_ > #{after} and i.ID_ in (
                select k.INBOX_ID_ from ${prefix}FLW_PUBSUB_MATCH_KEY k
                join ${prefix}ACT_RU_EVENT_SUBSCR s
                    on s.EVENT_TYPE_ = k.EVENT_KEY_ and coalesce(s.CONFIGURATION_, '*') = k.CONFIGURATION_)
            order by i.ID_ limit #{limit}
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<WaitingRow> missedWakeUps(@Param("after") long after, @Param("limit") int limit);

    /** Rows that are held back behind nothing: what they waited for was finished or deleted by SQL. */
    @Select(
            """
            select h.ID_, h.CHANNEL_KEY_, h.CHANNEL_TENANT_ID_, h.ORDER_KEY_
            from ${prefix}FLW_PUBSUB_INBOX h
            where h.STATE_ = 'WAITING' and h.REASON_ = 'HELD_BACK' and h.ID_ > #{after} and not exists (
                select 1 from ${prefix}FLW_PUBSUB_INBOX w
                where w.CHANNEL_KEY_ = h.CHANNEL_KEY_ and w.CHANNEL_TENANT_ID_ = h.CHANNEL_TENANT_ID_
                    and w.ORDER_KEY_ = h.ORDER_KEY_ and w.EVENT_KEY_ = h.EVENT_KEY_
                    and (w.STATE_ = 'OPEN' or (w.STATE_ = 'WAITING' and w.REASON_ <> 'HELD_BACK')))
            order by h.ID_ limit #{limit}
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<WaitingRow> orphans(@Param("after") long after, @Param("limit") int limit);

    /**
     * Makes waiting rows open and due now; guarded, returns how many. One whose time to live is over by now keeps its
     * reason, which tells the relay to park it, whoever opened it and however late (rule R5).
     */
    @Update(
            """
            <script>
            update ${prefix}FLW_PUBSUB_INBOX
            set STATE_ = 'OPEN', NEXT_ATTEMPT_ = CURRENT_TIMESTAMP(6),
                REASON_ = case when EXPIRES_AT_ &lt;= CURRENT_TIMESTAMP(6) then REASON_ else null end
            where STATE_ = 'WAITING' and ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    int open(@Param("ids") Collection<Long> ids);

    /**
     * Remembers which subscriptions a waiting row would match: their configurations, and {@code *} for those without,
     * which take every message of the event.
     */
    @Insert(
            """
            <script>
            insert into ${prefix}FLW_PUBSUB_MATCH_KEY (INBOX_ID_, EVENT_KEY_, CONFIGURATION_) values
            (#{id}, #{eventKey}, '*')
            <foreach collection="configurations" item="c">, (#{id}, #{eventKey}, #{c})</foreach>
            </script>
            """)
    int addMatchKeys(
            @Param("id") long id,
            @Param("eventKey") String eventKey,
            @Param("configurations") Collection<String> configurations);

    /** Forgets them when the row waits no longer. */
    @Delete("delete from ${prefix}FLW_PUBSUB_MATCH_KEY where INBOX_ID_ = #{id}")
    int removeMatchKeys(@Param("id") long id);
}
