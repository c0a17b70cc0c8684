package io.github.flowablepubsub.server;

import java.util.regex.Pattern;

/** Short and full names of topics and subscriptions, and the service's rules for them. */
final class ResourceNames {

    /** What a subscription shows as its topic after the topic was deleted. */
    static final String DELETED_TOPIC = "_deleted-topic_";

    private static final String ID = "(?!goog)[A-Za-z][-A-Za-z0-9_.~+%]{2,254}";
    private static final Pattern TOPIC = Pattern.compile("projects/[^/]+/topics/" + ID);
    private static final Pattern SUBSCRIPTION = Pattern.compile("projects/[^/]+/subscriptions/" + ID);
    private static final Pattern PROJECT = Pattern.compile("projects/[^/]+");

    private ResourceNames() {}

    static String topic(String name) {
        return full(name, "topics");
    }

    static String subscription(String name) {
        return full(name, "subscriptions");
    }

    static void requireTopic(String name) {
        require(TOPIC, name, "projects/P/topics/T");
    }

    static void requireSubscription(String name) {
        require(SUBSCRIPTION, name, "projects/P/subscriptions/S");
    }

    /** The prefix that all names of a kind in a project start with. */
    static String prefix(String project, String kind) {
        require(PROJECT, project, "projects/P");
        return project + "/" + kind + "/";
    }

    /** The last part of a full name. */
    static String id(String fullName) {
        return fullName.substring(fullName.lastIndexOf('/') + 1);
    }

    /** The project's id in a full name. */
    static String project(String fullName) {
        return fullName.split("/", 3)[1];
    }

    private static String full(String name, String kind) {
        return name.contains("/") ? name : "projects/" + PubSubServer.PROJECT + "/" + kind + "/" + name;
    }

    private static void require(Pattern pattern, String name, String form) {
        if (!pattern.matcher(name).matches()) {
            throw Errors.invalid("Invalid resource name \"" + name + "\": expected " + form);
        }
    }
}
