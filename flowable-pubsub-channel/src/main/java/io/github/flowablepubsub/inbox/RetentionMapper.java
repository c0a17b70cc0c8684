package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Delete;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.jspecify.annotations.Nullable;

/**
 * Statements that keep the tables small. Each takes locks only where nobody else holds them, and only on rows that the relay
 * does not touch. Used inside an engine command.
 */
public interface RetentionMapper {

    /** A lock row. */
    record LockRow(String orderKey, Boolean idle) {}

    /**
     * The rows of a channel that were finished longest ago.
     *
     * @param cleared of those whose body was cleared (1), or of the others (0)
     * @param micros finished at least so many microseconds ago, by the database's clock (rule R5)
     */
    @Lang(DialectSql.class)
    @Select(
            """
            select ID_ from ${prefix}FLW_PUBSUB_INBOX
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = [text #{channel.tenantId}]
                and CLEARED_ = #{cleared} and FINISHED_AT_ <= [ago #{micros}]
            order by CHANNEL_KEY_, CHANNEL_TENANT_ID_, CLEARED_, FINISHED_AT_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Long> finished(
            @Param("channel") ChannelId channel,
            @Param("cleared") int cleared,
            @Param("micros") long micros,
            @Param("limit") int limit);

    /**
     * A finished row that is locked.
     *
     * @param id row id
     * @param messageId Pub/Sub's message id
     * @param dedupKey business key, null when it has none
     */
    record Finished(Long id, String messageId, @Nullable String dedupKey) {}

    /**
     * A finished row without body and attributes.
     *
     * @param id row id
     * @param channelKey key of the channel definition
     * @param channelTenantId tenant of the channel definition, empty when there is none
     * @param tenantId tenant of the event, empty when there is none
     * @param messageId Pub/Sub's message id
     * @param eventKey key of the event definition, null when it could not be read
     * @param correlationKey readable correlation key, null when there is none
     * @param orderingKey Pub/Sub's ordering key, null when there is none
     * @param state {@code DONE} or {@code DISCARDED}
     * @param reason why it is in this state; null for a message that was delivered
     * @param attempts look-ups
     * @param duplicates redeliveries and repetitions that were counted
     * @param publishedAt Pub/Sub's publish time
     * @param receivedAt when it was stored
     * @param finishedAt when it was delivered or discarded
     * @param finishedBy who discarded or repaired it by hand, null when nobody did
     */
    record FinishedRow(
            Long id,
            String channelKey,
            String channelTenantId,
            String tenantId,
            String messageId,
            @Nullable String eventKey,
            @Nullable String correlationKey,
            @Nullable String orderingKey,
            MessageState state,
            @Nullable String reason,
            Integer attempts,
            Integer duplicates,
            OffsetDateTime publishedAt,
            OffsetDateTime receivedAt,
            @Nullable OffsetDateTime finishedAt,
            @Nullable String finishedBy) {}

    /** Body and attributes of a row. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Content(@Nullable String payload, byte @Nullable [] payloadBytes, String attributes) {}

    /**
     * Changes nothing. MyBatis rolls back only what it knows to be changed: without a statement of its own it would commit what
     * a hook wrote on the connection before it failed.
     */
    @Lang(DialectSql.class)
    @Update("update ${prefix}FLW_PUBSUB_INBOX set CLEARED_ = CLEARED_ where ID_ = 0")
    int beginToChange();

    /** Rows that are locked, in the order in which they were finished. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, TENANT_ID_, MESSAGE_ID_, EVENT_KEY_, CORRELATION_KEY_,
                ORDERING_KEY_, STATE_, REASON_, ATTEMPTS_, DUPLICATES_, [micros PUBLISHED_AT_] PUBLISHED_AT_,
                [micros RECEIVED_AT_] RECEIVED_AT_, [micros FINISHED_AT_] FINISHED_AT_, FINISHED_BY_
            from ${prefix}FLW_PUBSUB_INBOX where ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            order by FINISHED_AT_, ID_
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<FinishedRow> rows(@Param("ids") Collection<Long> ids);

    /** Body and attributes of one row. */
    @Lang(DialectSql.class)
    @Select("select PAYLOAD_, PAYLOAD_BYTES_, ATTRIBUTES_ from ${prefix}FLW_PUBSUB_INBOX where ID_ = #{id}")
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    Content content(@Param("id") long id);

    /** Locks those of these rows that are finished and that nobody else holds; one that was opened again is not among them. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ID_, MESSAGE_ID_, DEDUP_KEY_ from ${prefix}FLW_PUBSUB_INBOX [locking table]
            where [unindexed STATE_] in ('DONE', 'DISCARDED') and ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            order by ID_ [skip locked]
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Finished> lockFinished(@Param("ids") Collection<Long> ids);

    /** Clears bodies, attributes, and errors, which may quote them, of rows that are locked. */
    @Lang(DialectSql.class)
    @Update(
            """
            <script>
            update ${prefix}FLW_PUBSUB_INBOX
            set PAYLOAD_ = null, PAYLOAD_BYTES_ = null, ATTRIBUTES_ = '{}', LAST_ERROR_ = null, CLEARED_ = 1
            where ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    int clear(@Param("ids") Collection<Long> ids);

    /** Removes rows that are locked. */
    @Lang(DialectSql.class)
    @Delete(
            """
            <script>
            delete from ${prefix}FLW_PUBSUB_INBOX where ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    int remove(@Param("ids") Collection<Long> ids);

    /** Lock rows of a channel in key order; idle are those that are a day old and of which no message is to be correlated. */
    @Lang(DialectSql.class)
    @Select(
            """
            select l.ORDER_KEY_,
                case when l.CREATED_AT_ <= [ago #{micros}] and not exists (
                        select 1 from ${prefix}FLW_PUBSUB_INBOX o
                        where o.CHANNEL_KEY_ = l.CHANNEL_KEY_ and o.CHANNEL_TENANT_ID_ = l.CHANNEL_TENANT_ID_
                            and o.ORDER_KEY_ = l.ORDER_KEY_ and o.STATE_ = 'OPEN')
                    and not exists (
                        select 1 from ${prefix}FLW_PUBSUB_INBOX w
                        where w.CHANNEL_KEY_ = l.CHANNEL_KEY_ and w.CHANNEL_TENANT_ID_ = l.CHANNEL_TENANT_ID_
                            and w.ORDER_KEY_ = l.ORDER_KEY_ and w.STATE_ = 'WAITING')
                    then 1 else 0 end IDLE_
            from ${prefix}FLW_PUBSUB_LANE l
            where l.CHANNEL_KEY_ = #{channel.key} and l.CHANNEL_TENANT_ID_ = [text #{channel.tenantId}]
                and l.ORDER_KEY_ > #{after}
            order by l.CHANNEL_KEY_, l.CHANNEL_TENANT_ID_, l.ORDER_KEY_ [first #{limit}]
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<LockRow> lockRows(
            @Param("channel") ChannelId channel,
            @Param("after") String after,
            @Param("micros") long micros,
            @Param("limit") int limit);

    /** Locks those of these lanes that nobody else holds. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ORDER_KEY_ from ${prefix}FLW_PUBSUB_LANE [locking table]
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = [text #{channel.tenantId}] and ORDER_KEY_ in
            <foreach collection="orderKeys" item="key" open="(" separator="," close=")">#{key}</foreach>
            order by ORDER_KEY_ [skip locked]
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<String> lockLanes(@Param("channel") ChannelId channel, @Param("orderKeys") Collection<String> orderKeys);

    /** Removes lock rows that are locked; whoever needs one again makes it. */
    @Lang(DialectSql.class)
    @Delete(
            """
            <script>
            delete from ${prefix}FLW_PUBSUB_LANE
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = [text #{channel.tenantId}] and ORDER_KEY_ in
            <foreach collection="orderKeys" item="key" open="(" separator="," close=")">#{key}</foreach>
            </script>
            """)
    int removeLanes(@Param("channel") ChannelId channel, @Param("orderKeys") Collection<String> orderKeys);
}
