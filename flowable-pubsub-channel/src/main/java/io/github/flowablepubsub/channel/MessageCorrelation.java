package io.github.flowablepubsub.channel;

/**
 * {@code correlation}: messages of the channel reach receivers of a plain BPMN message instead of subscriptions of the event
 * registry. An instance gets what it waits for when one of its process variables has the value, and the type, of the event's
 * correlation parameter.
 *
 * @param messageName name of the BPMN message
 * @param processDefinitionKey whose receivers count, in all versions
 * @param variable a variable of the process instance; those of a sub-process, an execution or a task do not count
 */
public record MessageCorrelation(String messageName, String processDefinitionKey, String variable) {}
