package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.jspecify.annotations.Nullable;

/** Statements on rows and the engine's jobs that mirror them ({@code JOB_ID_}). Used inside an engine command. */
public interface MirrorMapper {

    /** Where a walk over a channel's parked rows goes on: behind this row. */
    record From(ChannelId channel, long after) {}

    /** A parked row without a job. */
    record Bare(Long id, String channelKey, String channelTenantId, @Nullable String eventKey) {
        /** Its channel. */
        public ChannelId channel() {
            return new ChannelId(channelKey, channelTenantId);
        }
    }

    /** A row as its job sees it. */
    record Standing(
            Long id,
            String channelKey,
            String channelTenantId,
            String orderKey,
            String messageId,
            MessageState state,
            @Nullable String jobId) {

        /** The lane that it queues in. */
        public Lane lane() {
            return new Lane(channelKey, channelTenantId, orderKey);
        }

        /** How operators find it: channel, row and message. */
        public String describe() {
            return "channel " + lane().channel() + ", row " + id + ", message " + messageId;
        }
    }

    /**
     * What a job tells of its message.
     *
     * @param reason {@code REASON_}, whatever a person may have written there
     * @param payload body as text, see {@link Payload}; null when it was not asked for
     * @param payloadBytes body as bytes, see {@link Payload}; null when it was not asked for
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Facts(
            Long id,
            String tenantId,
            String channelKey,
            String channelTenantId,
            String messageId,
            @Nullable String eventKey,
            @Nullable String correlationKey,
            String orderKey,
            @Nullable String orderingKey,
            @Nullable String reason,
            Integer attempts,
            Integer duplicates,
            OffsetDateTime publishedAt,
            OffsetDateTime receivedAt,
            @Nullable OffsetDateTime expiresAt,
            @Nullable OffsetDateTime waitingSince,
            @Nullable OffsetDateTime failedSince,
            @Nullable String error,
            String attributes,
            Boolean cleared,
            @Nullable String payload,
            byte @Nullable [] payloadBytes) {}

    /** What a look for work may find. */
    enum Work {
        /** A parked row without a job. */
        MISSING,
        /** A job of a row that is parked no longer. */
        LEFTOVER,
        /** A job of ours that is to be executed. */
        EXECUTABLE,
        /** A parked row with a job, or a dead-letter job of ours: one may be without the other. */
        PAIR
    }

    /** Whether there is work of each kind: one statement, so that a node that has nothing to do says little. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            <foreach collection="channels" item="c" index="i">
            select 'MISSING' WORK_ from (
                select ID_ from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'PARKED' and JOB_ID_ is null and CHANNEL_KEY_ = #{c.channel.key}
                    and CHANNEL_TENANT_ID_ = [text #{c.channel.tenantId}] and ID_ &gt; #{c.after}
                order by STATE_, JOB_ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, ID_ [first 1]) m_${i} union all
            </foreach>
            select 'LEFTOVER' WORK_ from (select ID_ from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'OPEN' and JOB_ID_ &gt; ' ' order by STATE_, JOB_ID_ [first 1]) o union all
            select 'LEFTOVER' WORK_ from (select ID_ from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'DONE' and JOB_ID_ &gt; ' ' order by STATE_, JOB_ID_ [first 1]) f union all
            select 'LEFTOVER' WORK_ from (select ID_ from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'DISCARDED' and JOB_ID_ &gt; ' ' order by STATE_, JOB_ID_ [first 1]) d union all
            select 'EXECUTABLE' WORK_ from (select ID_ from ${prefix}ACT_RU_JOB
                where CORRELATION_ID_ &gt; #{after} and CORRELATION_ID_ &lt;= #{last}
                order by CORRELATION_ID_ [first 1]) e
            union all select 'PAIR' WORK_ from (select ID_ from ${prefix}ACT_RU_DEADLETTER_JOB
                where CORRELATION_ID_ &gt; #{after} and CORRELATION_ID_ &lt;= #{last}
                order by CORRELATION_ID_ [first 1]) j
            union all select 'PAIR' WORK_ from (select ID_ from ${prefix}ACT_RU_TIMER_JOB
                where CORRELATION_ID_ &gt; #{after} and CORRELATION_ID_ &lt;= #{last}
                order by CORRELATION_ID_ [first 1]) t
            union all select 'PAIR' WORK_ from (select ID_ from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'PARKED' and JOB_ID_ &gt; ' ' order by STATE_, JOB_ID_ [first 1]) p
            union all select 'PAIR' WORK_ from (select ID_ from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'WAITING' and JOB_ID_ &gt; ' ' order by STATE_, JOB_ID_ [first 1]) w
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Work> work(@Param("channels") List<From> channels, @Param("after") String after, @Param("last") String last);

    /** Parked rows without a job, of each channel up to the limit, in the order of their ids. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            <foreach collection="channels" item="c" index="i" separator=" union all ">
            select * from (
                select ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, EVENT_KEY_
                from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'PARKED' and JOB_ID_ is null and CHANNEL_KEY_ = #{c.channel.key}
                    and CHANNEL_TENANT_ID_ = [text #{c.channel.tenantId}] and ID_ > #{c.after}
                order by STATE_, JOB_ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, ID_ [first #{limit}]) p_${i}
            </foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Bare> withoutJob(@Param("channels") List<From> channels, @Param("limit") int limit);

    /** Rows that are neither parked nor waiting but have a job, of each state up to the limit. */
    @Lang(DialectSql.class)
    @Select(
            """
            select * from (select ID_ from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'OPEN' and JOB_ID_ > ' ' order by STATE_, JOB_ID_ [first #{limit}]) o
            union all select * from (select ID_ from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'DONE' and JOB_ID_ > ' ' order by STATE_, JOB_ID_ [first #{limit}]) f
            union all select * from (select ID_ from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'DISCARDED' and JOB_ID_ > ' ' order by STATE_, JOB_ID_ [first #{limit}]) d
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Long> withJobNoMore(@Param("limit") int limit);

    /** Parked rows with a job behind this job's id: one page of a walk. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_, MESSAGE_ID_, STATE_, JOB_ID_
            from ${prefix}FLW_PUBSUB_INBOX
            where STATE_ = 'PARKED' and JOB_ID_ > #{after}
            order by STATE_, JOB_ID_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Standing> parkedWithJob(@Param("after") String after, @Param("limit") int limit);

    /** Waiting rows with a job behind this job's id: one page of a walk. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_, MESSAGE_ID_, STATE_, JOB_ID_
            from ${prefix}FLW_PUBSUB_INBOX
            where STATE_ = 'WAITING' and JOB_ID_ > #{after}
            order by STATE_, JOB_ID_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Standing> waitingWithJob(@Param("after") String after, @Param("limit") int limit);

    /** Locks those of these rows that nobody else holds, in the order of their ids. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_, MESSAGE_ID_, STATE_, JOB_ID_
            from ${prefix}FLW_PUBSUB_INBOX [locking table] where ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            order by ID_ [skip locked]
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Standing> lock(@Param("ids") Collection<Long> ids);

    /** These rows, as far as they are there. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_, MESSAGE_ID_, STATE_, JOB_ID_
            from ${prefix}FLW_PUBSUB_INBOX where ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Standing> find(@Param("ids") Collection<Long> ids);

    /** What a job tells of this row; the body only if it is asked for. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ID_, TENANT_ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, MESSAGE_ID_, EVENT_KEY_, CORRELATION_KEY_, ORDER_KEY_,
                ORDERING_KEY_, REASON_, ATTEMPTS_, DUPLICATES_, [micros PUBLISHED_AT_] PUBLISHED_AT_,
                [micros RECEIVED_AT_] RECEIVED_AT_, [micros EXPIRES_AT_] EXPIRES_AT_,
                [micros WAITING_SINCE_] WAITING_SINCE_, [micros FAILED_SINCE_] FAILED_SINCE_, LAST_ERROR_, ATTRIBUTES_, CLEARED_,
                <choose><when test="body">PAYLOAD_, PAYLOAD_BYTES_</when>
                <otherwise>null PAYLOAD_, null PAYLOAD_BYTES_</otherwise></choose>
            from ${prefix}FLW_PUBSUB_INBOX where ID_ = #{id}
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    Facts facts(@Param("id") long id, @Param("body") boolean body);

    /** Gives a row that is in this state and has no job this one; guarded, returns 1 or 0. So two nodes make one job. */
    @Lang(DialectSql.class)
    @Update(
            """
            update ${prefix}FLW_PUBSUB_INBOX set JOB_ID_ = #{jobId}
            where ID_ = #{id} and [unindexed STATE_] = #{state} and [unindexed JOB_ID_] is null
            """)
    int link(@Param("id") long id, @Param("state") MessageState state, @Param("jobId") String jobId);

    /** The row has this job no longer; guarded, returns 1 or 0. */
    @Lang(DialectSql.class)
    @Update(
            """
            update ${prefix}FLW_PUBSUB_INBOX set JOB_ID_ = null
            where ID_ = #{id} and [unindexed JOB_ID_] = #{jobId}
            """)
    int unlink(@Param("id") long id, @Param("jobId") String jobId);

    /** The repair of a parked row: open, due now, as if it were new; guarded, returns 1 or 0. */
    @Lang(DialectSql.class)
    @Update(
            """
            update ${prefix}FLW_PUBSUB_INBOX set STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = [now]
            where ID_ = #{id} and [unindexed STATE_] = 'PARKED'
            """)
    int reopen(@Param("id") long id);

    /**
     * Discards a parked or waiting row whose job this is, or one that waits and was opened to be looked at; guarded, returns 1
     * or 0. One that was repaired is not discarded. Its reason and error stay.
     */
    @Lang(DialectSql.class)
    @Update(
            """
            update ${prefix}FLW_PUBSUB_INBOX
            set STATE_ = 'DISCARDED', FINISHED_AT_ = [now], FINISHED_BY_ = #{by,jdbcType=VARCHAR}, JOB_ID_ = null
            where ID_ = #{id} and [unindexed JOB_ID_] = #{jobId} and ([unindexed STATE_] in ('PARKED', 'WAITING')
                or [unindexed STATE_] = 'OPEN' and ATTEMPTS_ > 0 and ALARMED_AT_ is not null)
            """)
    int discard(@Param("id") long id, @Param("jobId") String jobId, @Param("by") @Nullable String by);
}
