package io.github.flowablepubsub.inbox;

import io.github.flowablepubsub.inbox.DueMapper.WaitingRow;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.jspecify.annotations.Nullable;

/**
 * Statements on rows that are held back, and on those that hold them; on one lane they are allowed only under its lock. Used
 * inside an engine command.
 */
public interface HeldMapper {

    /**
     * A row that may stand before others of its lane.
     *
     * @param state {@code WAITING} or {@code PARKED}
     * @param eventKey key of the event definition, null when it could not be read
     * @param heldBack it only waits for what is before it
     */
    record Mark(Long id, MessageState state, @Nullable String eventKey, OffsetDateTime publishedAt, Boolean heldBack) {

        /** Whether it is older than this row, by publish time, then receipt. */
        public boolean before(InboxRow row) {
            return before(row.publishedAt(), row.id());
        }

        /** The same for a row that is not open. */
        public boolean before(Mark other) {
            return before(other.publishedAt, other.id);
        }

        private boolean before(OffsetDateTime otherTime, Long otherId) {
            int time = publishedAt.compareTo(otherTime);
            return time < 0 || (time == 0 && id < otherId);
        }
    }

    /** Columns of a {@link Mark}. */
    String MARK =
            """
            select i.ID_, i.STATE_, i.EVENT_KEY_, [micros i.PUBLISHED_AT_] PUBLISHED_AT_,
                case when i.REASON_ = 'HELD_BACK' then 1 else 0 end HELD_BACK_
            from ${prefix}FLW_PUBSUB_INBOX i
            where i.CHANNEL_KEY_ = #{lane.channelKey} and i.CHANNEL_TENANT_ID_ = [text #{lane.channelTenantId}]
                and i.ORDER_KEY_ = #{lane.orderKey}
            """;

    /**
     * Sets this row and all open ones of its event behind it to {@code WAITING}, {@code HELD_BACK}. They take no
     * part in what is due and have no next attempt: they are opened one by one, as the one before them is finished.
     *
     * @return how many
     */
    default int holdBack(InboxRow row) {
        return holdPages(() -> behind(row, 500));
    }

    /** The same for all open rows of the lane, of whatever event, from this row on. */
    default int holdBackAll(InboxRow row) {
        return holdPages(() -> allBehind(row, 500));
    }

    private int holdPages(Supplier<List<Long>> pages) {
        int count = 0;
        // By their ids: an update that looks for them in an index locks its entry behind them on MariaDB, of another
        // lane.
        for (List<Long> page = pages.get(); !page.isEmpty(); page = pages.get()) {
            count += hold(page);
        }
        return count;
    }

    /** Open rows of this row's event, from this row on. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ID_ from ${prefix}FLW_PUBSUB_INBOX
            where CHANNEL_KEY_ = #{row.channelKey} and CHANNEL_TENANT_ID_ = [text #{row.channelTenantId}]
                and ORDER_KEY_ = #{row.orderKey} and STATE_ = 'OPEN' and EVENT_KEY_ = #{row.eventKey}
                and PUBLISHED_AT_ >= [time #{row.publishedAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}]
                and (PUBLISHED_AT_ > [time #{row.publishedAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}] or ID_ >= #{row.id})
            order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, ORDER_KEY_, PUBLISHED_AT_, ID_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Long> behind(@Param("row") InboxRow row, @Param("limit") int limit);

    /** Open rows of any event, from this row on. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ID_ from ${prefix}FLW_PUBSUB_INBOX
            where CHANNEL_KEY_ = #{row.channelKey} and CHANNEL_TENANT_ID_ = [text #{row.channelTenantId}]
                and ORDER_KEY_ = #{row.orderKey} and STATE_ = 'OPEN'
                and PUBLISHED_AT_ >= [time #{row.publishedAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}]
                and (PUBLISHED_AT_ > [time #{row.publishedAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}] or ID_ >= #{row.id})
            order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, ORDER_KEY_, PUBLISHED_AT_, ID_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Long> allBehind(@Param("row") InboxRow row, @Param("limit") int limit);

    /** Holds these open rows back; returns how many. */
    @Lang(DialectSql.class)
    @Update(
            """
            <script>
            update ${prefix}FLW_PUBSUB_INBOX
            set STATE_ = 'WAITING', REASON_ = 'HELD_BACK', NEXT_ATTEMPT_ = null
            where [unindexed STATE_] = 'OPEN' and ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    int hold(@Param("ids") Collection<Long> ids);

    /** The oldest held-back row of an event in this lane. */
    @Lang(DialectSql.class)
    @Select(
            """
            select ID_ from ${prefix}FLW_PUBSUB_INBOX
            where CHANNEL_KEY_ = #{lane.channelKey} and CHANNEL_TENANT_ID_ = [text #{lane.channelTenantId}]
                and ORDER_KEY_ = #{lane.orderKey} and STATE_ = 'WAITING' and EVENT_KEY_ = #{eventKey}
                and [unindexed REASON_] = 'HELD_BACK'
            order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, ORDER_KEY_, EVENT_KEY_, PUBLISHED_AT_, ID_ [first 1]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    Long oldestHeldBack(@Param("lane") Lane lane, @Param("eventKey") String eventKey);

    /**
     * A row of this lane that is held back though nothing of its event waits before it any more (it was repaired, discarded or
     * deleted by SQL): the oldest one of such an event. Looks at all that is held back; see {@link #nextEvent}.
     */
    @Lang(DialectSql.class)
    @Select(
            """
            select h.ID_ from ${prefix}FLW_PUBSUB_INBOX h
            where h.CHANNEL_KEY_ = #{channelKey} and h.CHANNEL_TENANT_ID_ = [text #{channelTenantId}]
                and h.ORDER_KEY_ = #{orderKey} and h.STATE_ = 'WAITING' and [unindexed h.REASON_] = 'HELD_BACK'
                and (h.EVENT_KEY_ is null or h.ID_ = (select w.ID_ from ${prefix}FLW_PUBSUB_INBOX w
                    where w.CHANNEL_KEY_ = #{channelKey} and w.CHANNEL_TENANT_ID_ = [text #{channelTenantId}]
                    and w.STATE_ = 'WAITING' and w.ORDER_KEY_ = #{orderKey} and w.EVENT_KEY_ = h.EVENT_KEY_
                    order by w.CHANNEL_KEY_, w.CHANNEL_TENANT_ID_, w.STATE_, w.ORDER_KEY_, w.EVENT_KEY_,
                        w.PUBLISHED_AT_, w.ID_ [first 1]))
            order by h.CHANNEL_KEY_, h.CHANNEL_TENANT_ID_, h.STATE_, h.ORDER_KEY_, h.EVENT_KEY_, h.PUBLISHED_AT_, h.ID_
            [first 1]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    Long orphan(Lane lane);

    /** The oldest waiting row of this lane and its oldest parked one, as far as there are such. */
    @Lang(DialectSql.class)
    @Select(
            "select * from (" + MARK
                    + """
                and i.STATE_ = 'WAITING'
            order by i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.STATE_, i.ORDER_KEY_, i.PUBLISHED_AT_, i.ID_ [first 1]) w
            union all select * from (
            """
                    + MARK
                    + """
                and i.STATE_ = 'PARKED'
            order by i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.STATE_, i.ORDER_KEY_, i.PUBLISHED_AT_, i.ID_ [first 1]) p
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Mark> marks(@Param("lane") Lane lane);

    /**
     * The oldest waiting row of the next event after this one that has any: one step of a walk over the lane's events,
     * whatever their backlog. With it that of the rows without event.
     */
    @Lang(DialectSql.class)
    @Select(
            "select * from (" + MARK
                    + """
                and i.STATE_ = 'WAITING' and i.EVENT_KEY_ > [text #{after}]
            order by i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.STATE_, i.ORDER_KEY_, i.EVENT_KEY_, i.PUBLISHED_AT_, i.ID_
            [first 1]) e
            union all select * from (
            """
                    + MARK
                    + """
                and i.STATE_ = 'WAITING' and i.EVENT_KEY_ is null
            order by i.CHANNEL_KEY_, i.CHANNEL_TENANT_ID_, i.STATE_, i.ORDER_KEY_, i.EVENT_KEY_, i.PUBLISHED_AT_, i.ID_
            [first 1]) n
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Mark> nextEvent(@Param("lane") Lane lane, @Param("after") String after);

    /**
     * Rows of a page that are held back behind nothing: what they waited for was finished or deleted by SQL.
     *
     * @param except channels where more than that holds back, see {@link #orphansOf}
     */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select h.ID_, h.CHANNEL_KEY_, h.CHANNEL_TENANT_ID_, h.ORDER_KEY_
            from ${prefix}FLW_PUBSUB_INBOX h
            where h.STATE_ = 'WAITING' and h.REASON_ = 'HELD_BACK' and h.ID_ > #{after} and h.ID_ &lt;= #{end}
                and not exists (
                    select 1 from ${prefix}FLW_PUBSUB_INBOX w
                    where w.CHANNEL_KEY_ = h.CHANNEL_KEY_ and w.CHANNEL_TENANT_ID_ = h.CHANNEL_TENANT_ID_
                        and w.ORDER_KEY_ = h.ORDER_KEY_ and w.EVENT_KEY_ = h.EVENT_KEY_
                        and w.STATE_ = 'WAITING' and [unindexed w.REASON_] &lt;> 'HELD_BACK')
                and not exists (
                    select 1 from ${prefix}FLW_PUBSUB_INBOX o
                    where o.CHANNEL_KEY_ = h.CHANNEL_KEY_ and o.CHANNEL_TENANT_ID_ = h.CHANNEL_TENANT_ID_
                        and o.ORDER_KEY_ = h.ORDER_KEY_ and o.EVENT_KEY_ = h.EVENT_KEY_ and o.STATE_ = 'OPEN')
                <foreach collection="except" item="c">
                and not ([unindexed h.CHANNEL_KEY_] = #{c.key} and [unindexed h.CHANNEL_TENANT_ID_] = [text #{c.tenantId}])
                </foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<WaitingRow> orphans(
            @Param("after") long after, @Param("end") long end, @Param("except") Collection<ChannelId> except);

    /**
     * The same for channels where more than a waiting row of the same event holds back: the first ones, of their lane or of
     * their event, of which nothing that is before them holds them back and nothing that is open will open them.
     *
     * @param strict a waiting row holds back all of its lane
     * @param parked a parked row holds back all of its lane
     */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select h.ID_, h.CHANNEL_KEY_, h.CHANNEL_TENANT_ID_, h.ORDER_KEY_
            from ${prefix}FLW_PUBSUB_INBOX h
            where h.STATE_ = 'WAITING' and h.REASON_ = 'HELD_BACK' and h.ID_ > #{after} and h.ID_ &lt;= #{end}
                and <foreach collection="channels" item="c" open="(" separator=" or " close=")">
                ([unindexed h.CHANNEL_KEY_] = #{c.key} and [unindexed h.CHANNEL_TENANT_ID_] = [text #{c.tenantId}])
                </foreach>
                <choose><when test="strict">
                and h.ID_ = (select w.ID_ from ${prefix}FLW_PUBSUB_INBOX w
                    where w.CHANNEL_KEY_ = h.CHANNEL_KEY_ and w.CHANNEL_TENANT_ID_ = h.CHANNEL_TENANT_ID_
                        and w.STATE_ = 'WAITING' and w.ORDER_KEY_ = h.ORDER_KEY_
                    order by w.CHANNEL_KEY_, w.CHANNEL_TENANT_ID_, w.STATE_, w.ORDER_KEY_, w.PUBLISHED_AT_, w.ID_
                    [first 1])
                </when><otherwise>
                and (h.EVENT_KEY_ is null or h.ID_ = (select w.ID_ from ${prefix}FLW_PUBSUB_INBOX w
                    where w.CHANNEL_KEY_ = h.CHANNEL_KEY_ and w.CHANNEL_TENANT_ID_ = h.CHANNEL_TENANT_ID_
                        and w.STATE_ = 'WAITING' and w.ORDER_KEY_ = h.ORDER_KEY_ and w.EVENT_KEY_ = h.EVENT_KEY_
                    order by w.CHANNEL_KEY_, w.CHANNEL_TENANT_ID_, w.STATE_, w.ORDER_KEY_, w.EVENT_KEY_,
                        w.PUBLISHED_AT_, w.ID_ [first 1]))
                </otherwise></choose>
                and (select o.ID_ from ${prefix}FLW_PUBSUB_INBOX o
                    where o.CHANNEL_KEY_ = h.CHANNEL_KEY_ and o.CHANNEL_TENANT_ID_ = h.CHANNEL_TENANT_ID_
                        and o.STATE_ = 'OPEN' and o.ORDER_KEY_ = h.ORDER_KEY_ and o.PUBLISHED_AT_ &lt;= h.PUBLISHED_AT_
                        and (o.PUBLISHED_AT_ &lt; h.PUBLISHED_AT_ or o.ID_ &lt; h.ID_)
                    order by o.CHANNEL_KEY_, o.CHANNEL_TENANT_ID_, o.STATE_, o.ORDER_KEY_, o.PUBLISHED_AT_, o.ID_
                    [first 1]) is null
                <if test="parked">
                and (select p.ID_ from ${prefix}FLW_PUBSUB_INBOX p
                    where p.CHANNEL_KEY_ = h.CHANNEL_KEY_ and p.CHANNEL_TENANT_ID_ = h.CHANNEL_TENANT_ID_
                        and p.STATE_ = 'PARKED' and p.ORDER_KEY_ = h.ORDER_KEY_ and p.PUBLISHED_AT_ &lt;= h.PUBLISHED_AT_
                        and (p.PUBLISHED_AT_ &lt; h.PUBLISHED_AT_ or p.ID_ &lt; h.ID_)
                    order by p.CHANNEL_KEY_, p.CHANNEL_TENANT_ID_, p.STATE_, p.ORDER_KEY_, p.PUBLISHED_AT_, p.ID_
                    [first 1]) is null
                </if>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<WaitingRow> orphansOf(
            @Param("after") long after,
            @Param("end") long end,
            @Param("channels") Collection<ChannelId> channels,
            @Param("strict") boolean strict,
            @Param("parked") boolean parked);
}
