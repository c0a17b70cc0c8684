package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are read many at once, before their lanes are locked, and the one statement that locks a lane and takes such a
 * row. Only where the dialect can, see {@link InboxSession#readsAhead()}. Used inside an engine command.
 */
public interface AheadMapper {

    /**
     * What taking a row found.
     *
     * @param more the lane has another open row
     * @param now the database's clock
     */
    record Taken(Boolean more, OffsetDateTime now) {}

    /** As {@link LaneMapper#oldestOpen} has them, large bodies without: they would be kept in memory. */
    String ROWS =
            """
            select r.ID_, r.CHANNEL_KEY_, r.CHANNEL_TENANT_ID_, r.ORDER_KEY_, r.MESSAGE_ID_, r.EVENT_KEY_,
                r.CORRELATION_KEY_, case when r.REASON_ = 'SUSPENDED' then r.REASON_ end REASON_, r.ATTEMPTS_, [micros r.PUBLISHED_AT_] PUBLISHED_AT_,
                [micros r.NEXT_ATTEMPT_] NEXT_ATTEMPT_, [micros r.EXPIRES_AT_] EXPIRES_AT_,
                [micros r.FAILED_SINCE_] FAILED_SINCE_,
                case when length(r.PAYLOAD_) &lt;= 8000 and length(r.ATTRIBUTES_) &lt;= 8000 then r.PAYLOAD_ end PAYLOAD_,
                null PAYLOAD_BYTES_, r.ATTRIBUTES_, r.ORDERING_KEY_, r.CLEARED_, r.JOB_ID_,
                [micros r.WAITING_SINCE_] WAITING_SINCE_, [micros r.ALARMED_AT_] ALARMED_AT_,
                0 BLOCKED_, 0 HOLDS_BACK_, 0 MORE_, [clock] NOW_
            from ${prefix}FLW_PUBSUB_INBOX r
            """;

    /** Rows of these ids, of any lanes. */
    @Lang(DialectSql.class)
    @Select(
            "<script>" + ROWS
                    + """
            where r.ID_ in <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<InboxRow> byId(@Param("ids") Collection<Long> ids);

    /** Open rows of the same lane behind this one, in their order. */
    @Lang(DialectSql.class)
    @Select(
            "<script>" + ROWS
                    + """
            where r.CHANNEL_KEY_ = #{row.channelKey} and r.CHANNEL_TENANT_ID_ = [text #{row.channelTenantId}]
                and r.ORDER_KEY_ = #{row.orderKey} and r.STATE_ = 'OPEN'
                and r.PUBLISHED_AT_ >= [time #{row.publishedAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}]
                and (r.PUBLISHED_AT_ > [time #{row.publishedAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}] or r.ID_ > #{row.id})
            order by r.CHANNEL_KEY_, r.CHANNEL_TENANT_ID_, r.STATE_, r.ORDER_KEY_, r.PUBLISHED_AT_, r.ID_ [first #{limit}]
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<InboxRow> behind(@Param("row") InboxRow row, @Param("limit") int limit);

    /**
     * Locks the row's lane and sets the row to {@code DONE}, ahead of its delivery in the same transaction: if the lane is
     * free, the row is as it was read, due, has no time to live that may be over, is still the oldest open one of its lane, and
     * no message of its event waits before or behind it. Else nothing is changed. The statement's snapshot is older than
     * the lock: what another node finished in between it still sees as open, and takes nothing.
     *
     * @return null when it was not taken
     */
    @Lang(DialectSql.class)
    @Select(
            affectData = true,
            value =
                    """
            with lane as materialized (
                select ORDER_KEY_ from ${prefix}FLW_PUBSUB_LANE
                where CHANNEL_KEY_ = #{channelKey} and CHANNEL_TENANT_ID_ = [text #{channelTenantId}]
                    and ORDER_KEY_ = #{orderKey}
                [skip locked])
            update ${prefix}FLW_PUBSUB_INBOX r
            set STATE_ = 'DONE', ATTEMPTS_ = #{attempts} + 1, REASON_ = null, FAILED_SINCE_ = null, FINISHED_AT_ = [now],
                JOB_ID_ = null, WAITING_SINCE_ = null, ALARMED_AT_ = null
            where r.ID_ = #{id} and [unindexed r.STATE_] = 'OPEN' and r.ATTEMPTS_ = #{attempts}
                and r.EXPIRES_AT_ is null and r.CLEARED_ = 0 and r.NEXT_ATTEMPT_ <= [now]
                and exists (select 1 from lane)
                and r.ID_ = (select o.ID_ from ${prefix}FLW_PUBSUB_INBOX o
                    where o.CHANNEL_KEY_ = #{channelKey} and o.CHANNEL_TENANT_ID_ = [text #{channelTenantId}]
                    and o.STATE_ = 'OPEN' and o.ORDER_KEY_ = #{orderKey}
                    order by o.CHANNEL_KEY_, o.CHANNEL_TENANT_ID_, o.STATE_, o.ORDER_KEY_, o.PUBLISHED_AT_, o.ID_
                    [first 1])
                and (select w.ID_ from ${prefix}FLW_PUBSUB_INBOX w
                    where w.CHANNEL_KEY_ = #{channelKey} and w.CHANNEL_TENANT_ID_ = [text #{channelTenantId}]
                    and w.STATE_ = 'WAITING' and w.ORDER_KEY_ = #{orderKey} and w.EVENT_KEY_ = #{eventKey,jdbcType=VARCHAR}
                    order by w.CHANNEL_KEY_, w.CHANNEL_TENANT_ID_, w.STATE_, w.ORDER_KEY_, w.EVENT_KEY_,
                        w.PUBLISHED_AT_, w.ID_ [first 1]) is null
            returning case when (select m.ID_ from ${prefix}FLW_PUBSUB_INBOX m
                    where m.CHANNEL_KEY_ = #{channelKey} and m.CHANNEL_TENANT_ID_ = [text #{channelTenantId}]
                    and m.STATE_ = 'OPEN' and m.ORDER_KEY_ = #{orderKey}
                    and m.PUBLISHED_AT_ >= r.PUBLISHED_AT_ and m.ID_ <> r.ID_
                    order by m.CHANNEL_KEY_, m.CHANNEL_TENANT_ID_, m.STATE_, m.ORDER_KEY_, m.PUBLISHED_AT_, m.ID_
                    [first 1]) is null then 0 else 1 end MORE_,
                [clock] NOW_
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    Taken take(InboxRow row);
}
