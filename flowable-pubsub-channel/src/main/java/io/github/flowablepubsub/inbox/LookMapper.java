package io.github.flowablepubsub.inbox;

import io.github.flowablepubsub.inbox.HeldMapper.Mark;
import io.github.flowablepubsub.inbox.RetentionMapper.Content;
import java.util.List;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.jspecify.annotations.Nullable;

/** Statements for people who look at messages; they read no bodies but where it is said. Used inside an engine command. */
public interface LookMapper {

    /** Columns of an {@link InboxMessage}. */
    String MESSAGE =
            """
            select i.ID_, i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.TENANT_ID_, i.MESSAGE_ID_, i.EVENT_KEY_,
                i.CORRELATION_KEY_, i.ORDER_KEY_, i.ORDERING_KEY_, i.STATE_, i.REASON_, i.ATTEMPTS_, i.DUPLICATES_,
                [micros i.PUBLISHED_AT_] PUBLISHED_AT_, [micros i.RECEIVED_AT_] RECEIVED_AT_,
                [micros i.NEXT_ATTEMPT_] NEXT_ATTEMPT_, [micros i.EXPIRES_AT_] EXPIRES_AT_,
                [micros i.FAILED_SINCE_] FAILED_SINCE_, [micros i.WAITING_SINCE_] WAITING_SINCE_,
                [micros i.ALARMED_AT_] ALARMED_AT_, [micros i.FINISHED_AT_] FINISHED_AT_, i.FINISHED_BY_,
                i.LAST_ERROR_, i.CLEARED_, i.JOB_ID_, [clock] NOW_
            from ${prefix}FLW_PUBSUB_INBOX i
            """;

    /**
     * The state {@code s} stands in the statement: planned for any, PostgreSQL uses no index of one. What is concatenated here
     * and below only checks rows that another column finds: H2 and MariaDB would else take its index, and sort.
     */
    String STATE =
            """
            <choose><when test="filter.correlationKey != null">concat(i.STATE_, '')</when><otherwise>i.STATE_</otherwise></choose> = <choose><when test="s.name() == 'OPEN'">'OPEN'</when><when test="s.name() == 'WAITING'">'WAITING'</when>
            <when test="s.name() == 'PARKED'">'PARKED'</when><when test="s.name() == 'DONE'">'DONE'</when>
            <otherwise>'DISCARDED'</otherwise></choose>
            """;

    /**
     * Messages in the order of their ids, which is that of their receipt: one page of each state, and of these the first.
     *
     * @param after only those behind this id, in the page's direction
     * @param newest the newest first
     */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            <foreach collection="filter.states" item="s" index="n" separator=" union all ">
            select * from (
            """
                    + MESSAGE + " where " + STATE
                    + """
                <if test="newest">and i.ID_ &lt; #{after}</if><if test="!newest">and i.ID_ &gt; #{after}</if>
                <if test="filter.channelKey != null">and
                    <choose><when test="filter.messageId != null">i.CHANNEL_KEY_</when>
                    <otherwise>concat(i.CHANNEL_KEY_, '')</otherwise></choose> = #{filter.channelKey}</if>
                <if test="filter.channelTenantId != null">and i.CHANNEL_TENANT_ID_ = [text #{filter.channelTenantId}]</if>
                <if test="filter.reason != null">and i.REASON_ = #{filter.reason}</if>
                <if test="filter.eventKey != null">and i.EVENT_KEY_ = #{filter.eventKey}</if>
                <if test="filter.correlationKey != null">and i.CORRELATION_KEY_ = #{filter.correlationKey}</if>
                <if test="filter.messageId != null">and i.MESSAGE_ID_ = #{filter.messageId}</if>
                <if test="age != null">and i.RECEIVED_AT_ &lt;= [ago #{age}]</if>
                <if test="text != null">and lower(i.LAST_ERROR_) like #{text} escape '!'</if>
                order by i.STATE_ <if test="newest">desc</if>, i.ID_ <if test="newest">desc</if> [first #{limit}]) p_${n}
            </foreach>
            order by 1 <if test="newest">desc</if> [first #{limit}]
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<InboxMessage> select(
            @Param("filter") InboxFilter filter,
            @Param("age") @Nullable Long age,
            @Param("text") @Nullable String text,
            @Param("after") long after,
            @Param("newest") boolean newest,
            @Param("limit") int limit);

    /** The same, with what the filter stands for. */
    default List<InboxMessage> page(InboxFilter filter, long after, boolean newest, int limit) {
        return select(filter, filter.olderThanMicros(), filter.errorPattern(), after, newest, limit);
    }

    /** One message, null when there is no such row. */
    @Lang(DialectSql.class)
    @Select(MESSAGE + " where i.ID_ = #{id}")
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    InboxMessage message(@Param("id") long id);

    /** Body and attributes of one message, null when there is no such row. */
    @Lang(DialectSql.class)
    @Select("select PAYLOAD_, PAYLOAD_BYTES_, ATTRIBUTES_ from ${prefix}FLW_PUBSUB_INBOX where ID_ = #{id}")
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    Content content(@Param("id") long id);

    /**
     * Unfinished messages by channel, state and reason.
     *
     * @param limit of each state no more rows are counted
     */
    @Lang(DialectSql.class)
    @Select(GROUP_BEGIN + "STATE_ = 'OPEN'" + GROUP_END
            + " o group by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, REASON_ union all "
            + GROUP_BEGIN + "STATE_ = 'WAITING'" + GROUP_END
            + " w group by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, REASON_ union all " + GROUP_BEGIN
            + "STATE_ = 'PARKED'" + GROUP_END + " p group by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, REASON_")
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<InboxGroup> groups(@Param("limit") int limit);

    /** Begins a group of {@link #groups}. */
    String GROUP_BEGIN =
            """
            select CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, REASON_, count(*) MESSAGES_, [micros min(RECEIVED_AT_)] OLDEST_
            from (select CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, REASON_, RECEIVED_AT_ from ${prefix}FLW_PUBSUB_INBOX where
            """;

    /** Ends it. */
    String GROUP_END = " order by STATE_ [first #{limit}])";

    /**
     * What stands before this message in its lane: the oldest open, waiting and parked row, and the oldest that waits for its
     * event, as far as there are such.
     */
    @Lang(DialectSql.class)
    @Select("select * from (" + HeldMapper.MARK + BEFORE + " and i.STATE_ = 'OPEN'" + FIRST
            + " o union all select * from ("
            + HeldMapper.MARK + BEFORE + " and i.STATE_ = 'WAITING'" + FIRST + " w union all select * from ("
            + HeldMapper.MARK + BEFORE + " and i.STATE_ = 'WAITING' and i.EVENT_KEY_ = #{m.eventKey,jdbcType=VARCHAR}"
            + FIRST + " e union all select * from (" + HeldMapper.MARK + BEFORE + " and i.STATE_ = 'PARKED'" + FIRST
            + " p")
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Mark> before(@Param("lane") Lane lane, @Param("m") InboxMessage message);

    /** Older than the message. */
    String BEFORE =
            """
                and i.PUBLISHED_AT_ <= [time #{m.publishedAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}]
                and (i.PUBLISHED_AT_ < [time #{m.publishedAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}]
                    or i.ID_ < #{m.id})
            """;

    /** The oldest of them. */
    String FIRST =
            " order by i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.STATE_, i.ORDER_KEY_, i.PUBLISHED_AT_, i.ID_ [first 1])";
}
