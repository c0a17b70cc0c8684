package io.github.flowablepubsub.inbox;

import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Delete;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.jspecify.annotations.Nullable;

/** Statements on who holds a business key. Used inside an engine command. */
interface DedupMapper {

    /**
     * A key that is held.
     *
     * @param dedupKey the key
     * @param messageId of the message that came first
     * @param rowId its row, null when somebody deleted that
     * @param bodyHash of its body
     * @param free its row is gone, or was finished longer ago than the window
     */
    record Holder(String dedupKey, String messageId, @Nullable Long rowId, @Nullable String bodyHash, Boolean free) {}

    /** A key and the message that takes it. */
    record Claim(String dedupKey, String messageId) {}

    /** Which of these keys are held, by the database's clock (rule R5): not only until a clean-up comes by. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select d.DEDUP_KEY_, d.MESSAGE_ID_, i.ID_, i.BODY_HASH_,
                case when i.ID_ is null or (i.STATE_ in ('DONE', 'DISCARDED') and i.FINISHED_AT_ &lt;= [ago #{window}])
                    then 1 else 0 end FREE_
            from ${prefix}FLW_PUBSUB_DEDUP d left join ${prefix}FLW_PUBSUB_INBOX i
                on i.CHANNEL_KEY_ = d.CHANNEL_KEY_ and i.CHANNEL_TENANT_ID_ = d.CHANNEL_TENANT_ID_
                and i.MESSAGE_ID_ = d.MESSAGE_ID_
            where d.CHANNEL_KEY_ = #{channel.key} and d.CHANNEL_TENANT_ID_ = [text #{channel.tenantId}] and d.DEDUP_KEY_ in
            <foreach collection="keys" item="key" open="(" separator="," close=")">#{key}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Holder> holders(
            @Param("channel") ChannelId channel, @Param("keys") Collection<String> keys, @Param("window") long window);

    /** Takes keys; the caller orders them, so that two writers can't wait for each other in a circle. */
    @Lang(DialectSql.class)
    @Insert(
            """
            <script>
            insert into ${prefix}FLW_PUBSUB_DEDUP (CHANNEL_KEY_, CHANNEL_TENANT_ID_, DEDUP_KEY_, MESSAGE_ID_) values
            <foreach collection="claims" item="claim" separator=",">
                (#{channel.key}, [text #{channel.tenantId}], #{claim.dedupKey}, #{claim.messageId})
            </foreach>
            </script>
            """)
    int take(@Param("channel") ChannelId channel, @Param("claims") Collection<Claim> claims);

    /** Gives keys back, if still these messages hold them. */
    @Lang(DialectSql.class)
    @Delete(
            """
            <script>
            delete from ${prefix}FLW_PUBSUB_DEDUP
            where CHANNEL_KEY_ = #{channel.key} and CHANNEL_TENANT_ID_ = [text #{channel.tenantId}] and DEDUP_KEY_ in
            <foreach collection="keys" item="key" open="(" separator="," close=")">#{key}</foreach>
            and MESSAGE_ID_ in
            <foreach collection="messageIds" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    int release(
            @Param("channel") ChannelId channel,
            @Param("keys") Collection<String> keys,
            @Param("messageIds") Collection<String> messageIds);
}
