package io.github.flowablepubsub.inbox;

import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.jspecify.annotations.Nullable;

/** Statements on one lane; all but the first three are allowed only under its lock. Used inside an engine command. */
public interface LaneMapper {

    /** Which of these lanes have a lock row. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ORDER_KEY_ from ${prefix}FLW_PUBSUB_LANE
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = [text #{channel.tenantId}] and ORDER_KEY_ in
            <foreach collection="orderKeys" item="key" open="(" separator="," close=")">#{key}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<String> existing(@Param("channel") ChannelId channel, @Param("orderKeys") Collection<String> orderKeys);

    /** Makes lock rows; the caller orders the keys, so that two writers can't wait for each other in a circle. */
    @Lang(DialectSql.class)
    @Insert(
            """
            <script>
            insert into ${prefix}FLW_PUBSUB_LANE (CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_) values
            <foreach collection="orderKeys" item="key" separator=",">
                (#{channel.key}, [text #{channel.tenantId}], #{key})
            </foreach>
            </script>
            """)
    int create(@Param("channel") ChannelId channel, @Param("orderKeys") Collection<String> orderKeys);

    /** Locks the lane until the transaction ends. Empty: locked elsewhere, or there is no lock row. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ORDER_KEY_ from ${prefix}FLW_PUBSUB_LANE [locking table]
            where CHANNEL_KEY_ = #{channelKey} and CHANNEL_TENANT_ID_ = [text #{channelTenantId}] and ORDER_KEY_ = #{orderKey}
            [skip locked]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<String> lock(Lane lane);

    /**
     * The oldest open row, by publish time, then receipt. A statement of its own after the lock: it must see what the last
     * holder did. Its questions are asked as ordered reads of the first row: for {@code exists} PostgreSQL's generic plan
     * scans the table when one lane has most of the rows.
     */
    @Lang(DialectSql.class)
    @Select(
            """
            select r.ID_, r.CHANNEL_KEY_, r.CHANNEL_TENANT_ID_, r.ORDER_KEY_, r.MESSAGE_ID_, r.EVENT_KEY_,
                r.CORRELATION_KEY_,
                case when r.REASON_ in ('NO_MATCH', 'NO_EVENT_DEFINITION', 'SUSPENDED') then r.REASON_ end REASON_,
                r.ATTEMPTS_, [micros r.PUBLISHED_AT_] PUBLISHED_AT_, [micros r.NEXT_ATTEMPT_] NEXT_ATTEMPT_, [micros r.EXPIRES_AT_] EXPIRES_AT_, [micros r.FAILED_SINCE_] FAILED_SINCE_, r.PAYLOAD_, r.PAYLOAD_BYTES_,
                r.ATTRIBUTES_, r.ORDERING_KEY_, r.CLEARED_, r.JOB_ID_,
                [micros r.WAITING_SINCE_] WAITING_SINCE_, [micros r.ALARMED_AT_] ALARMED_AT_,
                case when (select w.ID_ from ${prefix}FLW_PUBSUB_INBOX w
                    where w.CHANNEL_KEY_ = #{channelKey} and w.CHANNEL_TENANT_ID_ = [text #{channelTenantId}]
                    and w.STATE_ = 'WAITING' and w.ORDER_KEY_ = #{orderKey} and w.EVENT_KEY_ = r.EVENT_KEY_
                    and w.PUBLISHED_AT_ <= r.PUBLISHED_AT_
                    and (w.PUBLISHED_AT_ < r.PUBLISHED_AT_ or w.ID_ < r.ID_)
                    order by w.CHANNEL_KEY_, w.CHANNEL_TENANT_ID_, w.STATE_, w.ORDER_KEY_, w.EVENT_KEY_,
                        w.PUBLISHED_AT_, w.ID_ [first 1]) is null then 0 else 1 end BLOCKED_,
                case when (select h.ID_ from ${prefix}FLW_PUBSUB_INBOX h
                    where h.CHANNEL_KEY_ = #{channelKey} and h.CHANNEL_TENANT_ID_ = [text #{channelTenantId}]
                    and h.STATE_ = 'WAITING' and h.ORDER_KEY_ = #{orderKey} and h.EVENT_KEY_ = r.EVENT_KEY_
                    and [unindexed h.REASON_] = 'HELD_BACK'
                    order by h.CHANNEL_KEY_, h.CHANNEL_TENANT_ID_, h.STATE_, h.ORDER_KEY_, h.EVENT_KEY_,
                        h.PUBLISHED_AT_, h.ID_ [first 1]) is null then 0 else 1 end HOLDS_BACK_,
                case when (select m.ID_ from ${prefix}FLW_PUBSUB_INBOX m
                    where m.CHANNEL_KEY_ = #{channelKey} and m.CHANNEL_TENANT_ID_ = [text #{channelTenantId}]
                    and m.STATE_ = 'OPEN' and m.ORDER_KEY_ = #{orderKey}
                    and m.PUBLISHED_AT_ >= r.PUBLISHED_AT_ and m.ID_ <> r.ID_
                    order by m.CHANNEL_KEY_, m.CHANNEL_TENANT_ID_, m.STATE_, m.ORDER_KEY_, m.PUBLISHED_AT_, m.ID_
                    [first 1]) is null then 0 else 1 end MORE_,
                [clock] NOW_
            from ${prefix}FLW_PUBSUB_INBOX r
            where r.CHANNEL_KEY_ = #{channelKey} and r.CHANNEL_TENANT_ID_ = [text #{channelTenantId}]
                and r.ORDER_KEY_ = #{orderKey} and r.STATE_ = 'OPEN'
            order by r.CHANNEL_KEY_, r.CHANNEL_TENANT_ID_, r.STATE_, r.ORDER_KEY_, r.PUBLISHED_AT_, r.ID_
            [first 1]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    InboxRow oldestOpen(Lane lane);

    /** Guarded change of the row that was read: it must still be open and not have been touched. Returns 1 or 0. */
    default int change(long id, int attempts, RowChange change) {
        return changeFrom(MessageState.OPEN, id, attempts, attempts, change);
    }

    /** The same for a row that {@link AheadMapper#take} has set to {@code DONE} in this transaction. */
    default int changeTaken(long id, int attempts, RowChange change) {
        return changeFrom(MessageState.DONE, id, attempts, attempts + 1, change);
    }

    /** Guarded change; the attempts that were read, and those that the row has now. */
    @Lang(DialectSql.class)
    @Update(
            """
            update ${prefix}FLW_PUBSUB_INBOX
            set STATE_ = #{change.state}, ATTEMPTS_ = #{attempts} + 1,
                REASON_ = #{change.reason,javaType=io.github.flowablepubsub.inbox.Reason,jdbcType=VARCHAR},
                NEXT_ATTEMPT_ = coalesce(
                    [time #{change.nextAttempt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}],
                    NEXT_ATTEMPT_),
                EXPIRES_AT_ = [time #{change.expiresAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}],
                FAILED_SINCE_ = [time #{change.failedSince,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}],
                LAST_ERROR_ = coalesce(#{change.error,jdbcType=VARCHAR}, LAST_ERROR_),
                JOB_ID_ = #{change.jobId,jdbcType=VARCHAR},
                WAITING_SINCE_ = [time #{change.waiting.since,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}],
                ALARMED_AT_ = [time #{change.waiting.alarmedAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}],
                FINISHED_AT_ = case when #{change.state} in ('DONE', 'DISCARDED') then [now] else null end
            where ID_ = #{id} and [unindexed STATE_] = #{from} and ATTEMPTS_ = #{now}
            """)
    int changeFrom(
            @Param("from") MessageState from,
            @Param("id") long id,
            @Param("attempts") int attempts,
            @Param("now") int now,
            @Param("change") RowChange change);
}
