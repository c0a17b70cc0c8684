package io.github.flowablepubsub.inbox;

import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Lang;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.jspecify.annotations.Nullable;

/**
 * Statements on the engine's subscriptions of plain BPMN messages and on the variables they are found by. Used inside an
 * engine command.
 *
 * <p>The engine has no index on the name of a message, nor on the name or value of a variable. The way from a value to a
 * receiver reads all subscriptions, and of those with the message's name one variable each, or all variables, whichever the
 * database takes for less; the way from an instance to its values goes by indexes alone.
 */
public interface MessageMapper {

    /**
     * A subscription that may be the one.
     *
     * @param text the variable's, to be compared once more: the engine's columns may fold case and trailing blanks
     */
    record Receiver(String subscriptionId, @Nullable String text) {}

    /** A process variable of an instance that waits for a message. */
    record Variable(
            String messageName,
            String processDefinitionKey,
            String name,
            String type,
            @Nullable String text,
            @Nullable Long number,
            @Nullable Double decimal) {

        /** What a row that waits for it is known by. */
        public Awaiting awaiting() {
            VariableValue value = VariableValue.ofColumns(type, text, number, decimal);
            return new Awaiting(messageName, MessageMatch.variable(processDefinitionKey, name, value));
        }
    }

    /** A message start event. */
    record Start(String messageName, String processDefinitionKey) {

        /** What a row that waits for it is known by. */
        public Awaiting awaiting() {
            return new Awaiting(messageName, MessageMatch.start(processDefinitionKey));
        }
    }

    /** What rows are known by that may wait for a receiver. */
    record Awaiting(String messageName, String configuration) {}

    /** Subscriptions of instances that have this variable; those of a sub-process, an execution or a task do not count. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select s.ID_, v.TEXT_
            from ${prefix}ACT_RU_EVENT_SUBSCR s
            join ${prefix}ACT_RU_VARIABLE v on v.EXECUTION_ID_ = s.PROC_INST_ID_
            join ${prefix}ACT_RE_PROCDEF d on d.ID_ = s.PROC_DEF_ID_
            where s.EVENT_TYPE_ = 'message' and s.EVENT_NAME_ = #{messageName} and d.KEY_ = #{processDefinitionKey}
                and s.EXECUTION_ID_ is not null
                and v.TASK_ID_ is null and v.NAME_ = #{variable} and v.TYPE_ = #{value.type} and
                <choose><when test="value.text != null">v.TEXT_ = #{value.text}</when>
                <when test="value.number != null">v.LONG_ = #{value.number}</when>
                <otherwise>v.DOUBLE_ = #{value.decimal}</otherwise></choose>
                <if test="tenantId != null">and s.TENANT_ID_ = #{tenantId}</if>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Receiver> receivers(
            @Param("messageName") String messageName,
            @Param("processDefinitionKey") String processDefinitionKey,
            @Param("variable") String variable,
            @Param("value") VariableValue value,
            @Param("tenantId") @Nullable String tenantId);

    /** Subscriptions of message start events; only the newest version of a definition has one. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select s.ID_ from ${prefix}ACT_RU_EVENT_SUBSCR s join ${prefix}ACT_RE_PROCDEF d on d.ID_ = s.PROC_DEF_ID_
            where s.EXECUTION_ID_ is null and s.PROC_INST_ID_ is null
                and s.EVENT_TYPE_ = 'message' and s.EVENT_NAME_ = #{messageName} and d.KEY_ = #{processDefinitionKey}
                <if test="tenantId != null">and s.TENANT_ID_ = #{tenantId}</if>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<String> starts(
            @Param("messageName") String messageName,
            @Param("processDefinitionKey") String processDefinitionKey,
            @Param("tenantId") @Nullable String tenantId);

    /** The process variables of these instances, for each message that they wait for and that rows wait for, too. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select s.EVENT_NAME_, d.KEY_, v.NAME_, v.TYPE_, v.TEXT_, v.LONG_, v.DOUBLE_
            from ${prefix}ACT_RU_EVENT_SUBSCR s
            join ${prefix}ACT_RE_PROCDEF d on d.ID_ = s.PROC_DEF_ID_
            join ${prefix}ACT_RU_VARIABLE v on v.EXECUTION_ID_ = s.PROC_INST_ID_
            where s.PROC_INST_ID_ in
                <foreach collection="instances" item="id" open="(" separator="," close=")">#{id}</foreach>
                and s.EVENT_TYPE_ = 'message'
                and exists (select 1 from ${prefix}FLW_PUBSUB_MATCH_KEY k where k.EVENT_KEY_ = s.EVENT_NAME_)
                and v.TASK_ID_ is null and v.TYPE_ in ('string', 'integer', 'long', 'boolean', 'double')
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Variable> variables(@Param("instances") Collection<String> instances);

    /** Message start events of these process definitions. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select s.EVENT_NAME_, d.KEY_
            from ${prefix}ACT_RU_EVENT_SUBSCR s join ${prefix}ACT_RE_PROCDEF d on d.ID_ = s.PROC_DEF_ID_
            where s.EXECUTION_ID_ is null and s.EVENT_TYPE_ = 'message' and s.PROC_DEF_ID_ in
            <foreach collection="definitionIds" item="id" open="(" separator="," close=")">#{id}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Start> startsOf(@Param("definitionIds") Collection<String> definitionIds);

    /** Those of these configurations that rows wait for. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select distinct CONFIGURATION_ from ${prefix}FLW_PUBSUB_MATCH_KEY
            where EVENT_KEY_ = #{messageName} and CONFIGURATION_ in
            <foreach collection="configurations" item="c" open="(" separator="," close=")">#{c}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<String> awaited(
            @Param("messageName") String messageName, @Param("configurations") Collection<String> configurations);

    /**
     * The end of a page of message subscriptions.
     *
     * @return the last id of the page, null when there is none after this one
     */
    @Lang(DialectSql.class)
    @Select(
            """
            select max(ID_) from (
                select ID_ from ${prefix}ACT_RU_EVENT_SUBSCR where EVENT_TYPE_ = 'message' and ID_ > #{after}
                order by ID_ [first #{limit}]) p
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    @Nullable
    String pageEnd(@Param("after") String after, @Param("limit") int limit);

    /** As {@link #variables}, of a page of subscriptions of active executions, and only variables of these names. */
    @Lang(DialectSql.class)
    @Select(
            """
            <script>
            select s.EVENT_NAME_, d.KEY_, v.NAME_, v.TYPE_, v.TEXT_, v.LONG_, v.DOUBLE_
            from ${prefix}ACT_RU_EVENT_SUBSCR s
            join ${prefix}ACT_RE_PROCDEF d on d.ID_ = s.PROC_DEF_ID_
            join ${prefix}ACT_RU_EXECUTION e on e.ID_ = s.EXECUTION_ID_
            join ${prefix}ACT_RU_VARIABLE v on v.EXECUTION_ID_ = s.PROC_INST_ID_
            where s.ID_ > #{after} and s.ID_ &lt;= #{end} and s.EVENT_TYPE_ = 'message' and e.SUSPENSION_STATE_ = 1
                and exists (select 1 from ${prefix}FLW_PUBSUB_MATCH_KEY k where k.EVENT_KEY_ = s.EVENT_NAME_)
                and v.TASK_ID_ is null and v.TYPE_ in ('string', 'integer', 'long', 'boolean', 'double') and v.NAME_ in
                <foreach collection="names" item="name" open="(" separator="," close=")">#{name}</foreach>
            </script>
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Variable> variablesWithin(
            @Param("after") String after, @Param("end") String end, @Param("names") Collection<String> names);

    /** Message start events of a page of subscriptions, of active definitions. */
    @Lang(DialectSql.class)
    @Select(
            """
            select s.EVENT_NAME_, d.KEY_
            from ${prefix}ACT_RU_EVENT_SUBSCR s join ${prefix}ACT_RE_PROCDEF d on d.ID_ = s.PROC_DEF_ID_
            where s.ID_ > #{after} and s.ID_ <= #{end} and s.EVENT_TYPE_ = 'message' and s.EXECUTION_ID_ is null
                and d.SUSPENSION_STATE_ = 1
            """)
    @Options(flushCache = Options.FlushCachePolicy.TRUE, useCache = false)
    List<Start> startsWithin(@Param("after") String after, @Param("end") String end);
}
