package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Delete;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.jspecify.annotations.Nullable;

/** Statements that find due work over all lanes of a channel, and wake waiting rows. Used inside an engine command. */
public interface DueMapper {

    /** In place of a configuration: the event was unknown, so any subscription of it may be the one. */
    String ANY_CONFIGURATION = "?";

    /**
     * Where to look for due rows of a channel.
     *
     * @param from not before this time: what lies before it is known to be finished, but as long as a transaction is open
     *     that began earlier, the database has to pass its remains (PostgreSQL)
     */
    record DueFrom(ChannelId channel, OffsetDateTime from) {}

    /** A row whose time has come. */
    record DueRow(
            Long id,
            String channelKey,
            String channelTenantId,
            String orderKey,
            MessageState state,
            OffsetDateTime dueAt) {
        /** The lane that it queues in. */
        public Lane lane() {
            return new Lane(channelKey, channelTenantId, orderKey);
        }
    }

    /** A row that is due, in a channel that is known. */
    record DueKey(Long id, String orderKey) {}

    /** A waiting row that is to be looked at. */
    record WaitingRow(Long id, String channelKey, String channelTenantId, String orderKey) {
        /** The lane that it queues in. */
        public Lane lane() {
            return new Lane(channelKey, channelTenantId, orderKey);
        }
    }

    /**
     * The oldest due rows of several channels, of each state and channel up to the limit: open ones, and waiting ones whose
     * time has come (expired, or to be looked at again). One statement, for it is what an idle node does. The lower bound of
     * the waiting ones keeps H2 from reading all that have no next attempt.
     */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            <foreach collection="channels" item="c" index="i" separator=" union all ">
            select * from (
                select ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_, STATE_, [micros NEXT_ATTEMPT_] DUE_AT_
                from ${prefix}FLW_PUBSUB_INBOX
                where CHANNEL_KEY_ = #{c.channel.key} and CHANNEL_TENANT_ID_ = [text #{c.channel.tenantId}]
                    and STATE_ = 'OPEN' and NEXT_ATTEMPT_ >= [time #{c.from,jdbcType=BIGINT,javaType=java.time.OffsetDateTime}]
                    and NEXT_ATTEMPT_ &lt;= [now]
                order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, NEXT_ATTEMPT_ [first #{limit}]) o_${i}
            union all
            select * from (
                select ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_, STATE_, [micros NEXT_ATTEMPT_] DUE_AT_
                from ${prefix}FLW_PUBSUB_INBOX
                where CHANNEL_KEY_ = #{c.channel.key} and CHANNEL_TENANT_ID_ = [text #{c.channel.tenantId}]
                    and STATE_ = 'WAITING' and NEXT_ATTEMPT_ >= [time 0] and NEXT_ATTEMPT_ &lt;= [now]
                order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, NEXT_ATTEMPT_ [first #{limit}]) w_${i}
            </foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<DueRow> due(@Param("channels") List<DueFrom> channels, @Param("limit") int limit);

    /** The open rows of a channel that are due longest; of one key there may be several. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ID_, ORDER_KEY_ from ${prefix}FLW_PUBSUB_INBOX
            where CHANNEL_KEY_ = #{from.channel.key} and CHANNEL_TENANT_ID_ = [text #{from.channel.tenantId}]
                and STATE_ = 'OPEN' and NEXT_ATTEMPT_ >= [time #{from.from,jdbcType=BIGINT,javaType=java.time.OffsetDateTime}]
                and NEXT_ATTEMPT_ <= [now]
            order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, NEXT_ATTEMPT_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<DueKey> dueOrderKeys(@Param("from") DueFrom from, @Param("limit") int limit);

    /** The database's clock. */
    @Lang(DialectSql.class)
    @Select("select [clock] NOW_ from ${prefix}ACT_GE_PROPERTY where NAME_ = 'pubsub.schema.version'")
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    OffsetDateTime now();

    /** The next order key after this one that has an open row: one step of a walk over the keys, whatever their backlog. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ORDER_KEY_ from ${prefix}FLW_PUBSUB_INBOX
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = [text #{channel.tenantId}] and STATE_ = 'OPEN'
                and ORDER_KEY_ > #{after}
            order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, ORDER_KEY_ [first 1]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    String nextOrderKey(@Param("channel") ChannelId channel, @Param("after") String after);

    /**
     * Waiting rows after this id that a new subscription matches, see {@link #addMatchKeys}. An outer join, though a row without
     * its message never counts: H2 would else begin with all that waits, when its statistics say so.
     */
    @Lang(DialectSql.class)
    @Select(
            """
            select i.ID_, i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.ORDER_KEY_
            from ${prefix}FLW_PUBSUB_MATCH_KEY k left join ${prefix}FLW_PUBSUB_INBOX i on i.ID_ = k.INBOX_ID_
            where k.EVENT_KEY_ = #{eventKey} and k.CONFIGURATION_ = #{configuration} and k.INBOX_ID_ > #{after}
                and [unindexed i.STATE_] = 'WAITING' and i.REASON_ <> 'HELD_BACK'
            order by k.EVENT_KEY_, k.CONFIGURATION_, k.INBOX_ID_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<WaitingRow> waitingFor(
            @Param("eventKey") String eventKey,
            @Param("configuration") String configuration,
            @Param("after") long after,
            @Param("limit") int limit);

    /**
     * The end of a page of waiting rows. The reason stands in the statement: planned for any reason, PostgreSQL may walk the
     * whole table for one that no row has.
     *
     * @param reason {@code NO_MATCH}, {@code SUSPENDED} or {@code HELD_BACK}
     * @return the last id of the page, null when there is no row after this one
     */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select max(ID_) from (
                select ID_ from ${prefix}FLW_PUBSUB_INBOX
                where STATE_ = 'WAITING' and ID_ > #{after} and REASON_ =
                <choose><when test="reason.name() == 'HELD_BACK'">'HELD_BACK'</when>
                <when test="reason.name() == 'SUSPENDED'">'SUSPENDED'</when><otherwise>'NO_MATCH'</otherwise></choose>
                order by STATE_, REASON_, ID_ [first #{limit}]) p
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    Long pageEnd(@Param("reason") Reason reason, @Param("after") long after, @Param("limit") int limit);

    /** Waiting rows of a page for which a subscription stands in the engine's table: their wake-up was lost in a crash. */
    @Lang(DialectSql.class)
    @Select(
            """
            select distinct i.ID_, i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.ORDER_KEY_
            from ${prefix}FLW_PUBSUB_MATCH_KEY k
            join ${prefix}ACT_RU_EVENT_SUBSCR s
                on s.EVENT_TYPE_ = k.EVENT_KEY_ and coalesce(s.CONFIGURATION_, '*') = k.CONFIGURATION_
            join ${prefix}FLW_PUBSUB_INBOX i on i.ID_ = k.INBOX_ID_
            where k.INBOX_ID_ > #{after} and k.INBOX_ID_ <= #{end}
                and [unindexed i.STATE_] = 'WAITING' and i.REASON_ = 'NO_MATCH'
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<WaitingRow> missedWakeUps(@Param("after") long after, @Param("end") long end);

    /** Locks those of these rows that wait and that nobody else holds, in the order of their ids. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ID_ from ${prefix}FLW_PUBSUB_INBOX [locking table]
            where [unindexed STATE_] = 'WAITING' and ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            order by ID_ [skip locked]
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Long> lockWaiting(@Param("ids") Collection<Long> ids);

    /**
     * Makes waiting rows open and due now; guarded, returns how many. The only statement that opens what waits: one whose time
     * to live is over by now keeps its reason, which tells the relay to park it, whoever opened it and however late (rule
     * R5). What is only held back does not expire.
     */
    @Lang(DialectSql.class)
    @Update(
            """
            <script>
            update ${prefix}FLW_PUBSUB_INBOX
            set STATE_ = 'OPEN', NEXT_ATTEMPT_ = [now],
                REASON_ = case when EXPIRES_AT_ &lt;= [now] and REASON_ &lt;> 'HELD_BACK' then REASON_ else null end
            where [unindexed STATE_] = 'WAITING' and ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    int open(@Param("ids") Collection<Long> ids);

    /** The same for one row. */
    default boolean open(long id) {
        return open(List.of(id)) == 1;
    }

    /** Opens those of these rows that still wait and that nobody else holds; returns their ids. */
    default List<Long> openUnlocked(Collection<Long> ids) {
        List<Long> locked = ids.isEmpty() ? List.of() : lockWaiting(ids);
        if (!locked.isEmpty()) {
            open(locked);
        }
        return locked;
    }

    /** Remembers which subscriptions a waiting row would match, see {@link Awaited}. */
    @Lang(DialectSql.class)
    @Insert(
            """
            <script>
            insert into ${prefix}FLW_PUBSUB_MATCH_KEY (INBOX_ID_, EVENT_KEY_, CONFIGURATION_) values
            <foreach collection="configurations" item="c" separator=",">(#{id}, #{eventKey}, #{c})</foreach>
            </script>
            """)
    int addMatchKeys(
            @Param("id") long id,
            @Param("eventKey") String eventKey,
            @Param("configurations") Collection<String> configurations);

    /** Forgets them when the row waits no longer. */
    @Lang(DialectSql.class)
    @Delete("delete from ${prefix}FLW_PUBSUB_MATCH_KEY where INBOX_ID_ = #{id}")
    int removeMatchKeys(@Param("id") long id);
}
