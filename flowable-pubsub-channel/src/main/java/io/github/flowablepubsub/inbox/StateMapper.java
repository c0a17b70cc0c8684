package io.github.flowablepubsub.inbox;

import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.jspecify.annotations.Nullable;

/** Statements that say how the table stands, each a bounded part of an index. Used inside an engine command. */
public interface StateMapper {

    /** The waiting row of a reason that came first. The reason stands in the statement, see {@link DueMapper#pageEnd}. */
    String FIRST =
            """
            select 'WAITING' STATE_, [clock] - [micros AT_] AGE_ from (
                select RECEIVED_AT_ AT_ from ${prefix}FLW_PUBSUB_INBOX where STATE_ = 'WAITING' and REASON_ = '""";

    /** Ends it. */
    String OF_REASON = "' order by STATE_, REASON_, ID_ [first 1]) ";

    /**
     * Rows of a channel in a state.
     *
     * @param channelKey null where there are none
     */
    record Count(@Nullable String channelKey, MessageState state, Long rows) {}

    /**
     * The oldest row of a state.
     *
     * @param age of it in microseconds, by the database's clock; negative when its time is yet to come
     */
    record Oldest(MessageState state, Long age) {}

    /**
     * Open and waiting rows of these channels, of each state and channel counted up to the limit. Every key is beyond a blank;
     * it is the condition of PostgreSQL's partial indexes, of which a mere "not null" does not make sure.
     */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            <foreach collection="channels" item="c" index="i" separator=" union all ">
            select max(CHANNEL_KEY_) CHANNEL_KEY_, 'OPEN' STATE_, count(*) ROWS_ from (
                select CHANNEL_KEY_ from ${prefix}FLW_PUBSUB_INBOX
                where CHANNEL_KEY_ = #{c.key} and CHANNEL_TENANT_ID_ = [text #{c.tenantId}]
                    and STATE_ = 'OPEN' and ORDER_KEY_ >= ' '
                order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, ORDER_KEY_ [first #{limit}]) o_${i}
            union all
            select max(CHANNEL_KEY_) CHANNEL_KEY_, 'WAITING' STATE_, count(*) ROWS_ from (
                select CHANNEL_KEY_ from ${prefix}FLW_PUBSUB_INBOX
                where CHANNEL_KEY_ = #{c.key} and CHANNEL_TENANT_ID_ = [text #{c.tenantId}]
                    and STATE_ = 'WAITING' and ORDER_KEY_ >= ' '
                order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, ORDER_KEY_ [first #{limit}]) w_${i}
            </foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Count> unfinished(@Param("channels") Collection<ChannelId> channels, @Param("limit") int limit);

    /** The first channel key in the table behind this one, null when there is none: the table's channels are found one by one. */
    @Lang(DialectSql.class)
    @Select(
            """
            select CHANNEL_KEY_ from ${prefix}FLW_PUBSUB_INBOX where CHANNEL_KEY_ > #{after}
            order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, MESSAGE_ID_ [first 1]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    String channelBehind(@Param("after") String after);

    /** The same of the tenants of a channel key. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select CHANNEL_TENANT_ID_ from ${prefix}FLW_PUBSUB_INBOX where CHANNEL_KEY_ = #{key}
            <if test="after != null">and CHANNEL_TENANT_ID_ > #{after}</if>
            order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, MESSAGE_ID_ [first 1]
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    String tenantBehind(@Param("key") String key, @Param("after") @Nullable String after);

    /** Parked rows of any channel, counted up to the limit. Without the lower bound H2 takes another index, and sorts. */
    @Lang(DialectSql.class)
    @Select(
            """
            select CHANNEL_KEY_, 'PARKED' STATE_, count(*) ROWS_ from (
                select CHANNEL_KEY_ from ${prefix}FLW_PUBSUB_INBOX where STATE_ = 'PARKED' and ID_ > 0
                order by STATE_, ID_ [first #{limit}]) p
            group by CHANNEL_KEY_
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Count> parked(@Param("limit") int limit);

    /**
     * Of each channel the open row that is due for longest, and for how long; of each reason the waiting row that came first,
     * and how long ago it was received; the same of the parked row that came first.
     */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            <foreach collection="channels" item="c" index="i">
            select 'OPEN' STATE_, [clock] - [micros AT_] AGE_ from (
                select NEXT_ATTEMPT_ AT_ from ${prefix}FLW_PUBSUB_INBOX
                where CHANNEL_KEY_ = #{c.key} and CHANNEL_TENANT_ID_ = [text #{c.tenantId}]
                    and STATE_ = 'OPEN' and NEXT_ATTEMPT_ >= [time 0]
                order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, NEXT_ATTEMPT_ [first 1]) o_${i}
            union all
            </foreach>
            """
                    + FIRST + "NO_MATCH" + OF_REASON + "w1 union all "
                    + FIRST + "NO_EVENT_DEFINITION" + OF_REASON + "w2 union all "
                    + FIRST + "SUSPENDED" + OF_REASON + "w3 union all "
                    + FIRST + "HELD_BACK" + OF_REASON + "w4 union all "
                    + """
                    select 'PARKED' STATE_, [clock] - [micros AT_] AGE_ from (
                        select RECEIVED_AT_ AT_ from ${prefix}FLW_PUBSUB_INBOX where STATE_ = 'PARKED'
                        order by STATE_, ID_ [first 1]) p
                    </script>
                    """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Oldest> oldest(@Param("channels") Collection<ChannelId> channels);
}
