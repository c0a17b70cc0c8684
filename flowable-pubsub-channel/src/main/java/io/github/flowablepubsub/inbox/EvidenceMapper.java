package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import java.util.List;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.jspecify.annotations.Nullable;

/** What other messages tell about one that nobody took. Used inside an engine command. */
public interface EvidenceMapper {

    /** How many of a key's newest messages are looked at: a busy key must not make parking dear (rule R9). */
    int NEWEST = 100;

    /** A message that was delivered. */
    record Delivered(Long id, String messageId, @Nullable OffsetDateTime finishedAt) {}

    /** Delivered messages of this row's channel, tenant, event and key, among the newest of the key; newest first. */
    @Lang(DialectSql.class)
    @Select(
            """
            select n.ID_, n.MESSAGE_ID_, n.FINISHED_AT_ from (
                select ID_, MESSAGE_ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, TENANT_ID_, EVENT_KEY_, STATE_,
                    [micros FINISHED_AT_] FINISHED_AT_
                from ${prefix}FLW_PUBSUB_INBOX where CORRELATION_KEY_ = #{row.correlationKey}
                order by CORRELATION_KEY_ desc, ID_ desc [first #{newest}]) n
            where n.CHANNEL_KEY_ = #{row.channelKey} and n.CHANNEL_TENANT_ID_ = [text #{row.channelTenantId}]
                and n.TENANT_ID_ = (select TENANT_ID_ from ${prefix}FLW_PUBSUB_INBOX where ID_ = #{row.id}) and n.EVENT_KEY_ = #{row.eventKey} and n.STATE_ = 'DONE'
                and n.ID_ <> #{row.id}
            order by n.ID_ desc
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Delivered> delivered(@Param("row") InboxRow row, @Param("newest") int newest);
}
