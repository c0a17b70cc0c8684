package io.github.flowablepubsub.inbox;

import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;

/** Statements that store what has come in. Used inside an engine command, by {@link MessageStore} only. */
interface StoreMapper {

    /** Begins an insert; more columns may follow. */
    String COLUMNS =
            """
            insert into ${prefix}FLW_PUBSUB_INBOX (CHANNEL_KEY_, CHANNEL_TENANT_ID_, TENANT_ID_, MESSAGE_ID_,
                BODY_HASH_, EVENT_KEY_, CORRELATION_KEY_, ORDER_KEY_, ATTEMPTS_, NEXT_ATTEMPT_, PAYLOAD_,
                PAYLOAD_BYTES_, ATTRIBUTES_, ORDERING_KEY_, PUBLISHED_AT_, RECEIVED_AT_, DUPLICATES_
            """;

    /** Values of these columns. */
    String ROW =
            """
                #{channelKey}, [text #{channelTenantId}], [text #{tenantId}], #{messageId},
                #{bodyHash}, #{eventKey,jdbcType=VARCHAR}, #{correlationKey,jdbcType=VARCHAR}, #{orderKey},
                0, [now], #{payload.text,jdbcType=VARCHAR},
                #{payload.bytes,javaType=_byte[],jdbcType=BINARY}, #{attributes}, #{orderingKey,jdbcType=VARCHAR},
                [time #{publishedAt,javaType=java.time.OffsetDateTime,jdbcType=BIGINT}], [now], 0
            """;

    /** A message that is there already. */
    record Known(String messageId, String bodyHash) {}

    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select MESSAGE_ID_, BODY_HASH_ from ${prefix}FLW_PUBSUB_INBOX
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = [text #{channel.tenantId}] and MESSAGE_ID_ in
            <foreach collection="messageIds" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Known> known(@Param("channel") ChannelId channel, @Param("messageIds") Collection<String> messageIds);

    /** For messages without a business key. */
    @Lang(RowsSql.class)
    @Insert(COLUMNS + ", STATE_) values (" + ROW + ", 'OPEN')")
    int insert(@Param("messages") List<NewMessage> messages);

    /** For any messages. */
    @Lang(RowsSql.class)
    @Insert(COLUMNS + ", STATE_, REASON_, LAST_ERROR_, DEDUP_KEY_) values (" + ROW
            + ", #{state}, #{reason,jdbcType=VARCHAR}, #{conflict,jdbcType=VARCHAR}, #{dedupKey,jdbcType=VARCHAR})")
    int insertKeyed(@Param("messages") List<NewMessage> messages);

    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select ID_ from ${prefix}FLW_PUBSUB_INBOX [locking table]
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = [text #{channel.tenantId}] and MESSAGE_ID_ in
            <foreach collection="messageIds" item="id" open="(" separator="," close=")">#{id}</foreach>
            order by ID_ [skip locked]
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Long> lockUnlocked(@Param("channel") ChannelId channel, @Param("messageIds") Collection<String> messageIds);

    @Lang(DialectSql.class)
    @Update(
            """
            <script>
            update ${prefix}FLW_PUBSUB_INBOX set DUPLICATES_ = DUPLICATES_ + 1 where ID_ in
            <foreach collection="ids" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    int countDuplicates(@Param("ids") Collection<Long> ids);
}
