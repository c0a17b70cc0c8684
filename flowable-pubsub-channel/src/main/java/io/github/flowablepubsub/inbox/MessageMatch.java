package io.github.flowablepubsub.inbox;

/**
 * What receivers of plain BPMN messages are known by, in the column where others have the hash of their correlation: readable
 * as long as it fits.
 */
public final class MessageMatch {

    private static final String PREFIX = "message:";

    private MessageMatch() {}

    /** Of a waiting execution, by a variable of its process instance. */
    public static String variable(String processDefinitionKey, String variable, VariableValue value) {
        return Keys.column(PREFIX + processDefinitionKey + "/" + variable + "=" + value);
    }

    /** Of a message start event. */
    public static String start(String processDefinitionKey) {
        return Keys.column(PREFIX + processDefinitionKey + "/start");
    }
}
