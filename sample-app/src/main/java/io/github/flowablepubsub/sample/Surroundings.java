package io.github.flowablepubsub.sample;

import io.github.flowablepubsub.server.PubSubServer;
import java.util.Objects;
import java.util.Optional;
import org.flowable.engine.ManagementService;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** What the story is played on. */
@Component
class Surroundings {

    private final Optional<PubSubServer> server;
    private final Environment environment;
    private final String engine;

    Surroundings(ObjectProvider<PubSubServer> server, Environment environment, ManagementService management) {
        this.server = Optional.ofNullable(server.getIfAvailable());
        this.environment = environment;
        this.engine = Objects.requireNonNullElse(management.getProperties().get("schema.version"), "?");
    }

    /** Pub/Sub in this process, when no other is configured. */
    Optional<PubSubServer> server() {
        return server;
    }

    /** Messages that Pub/Sub would deliver again; known for the server in this process only. */
    int unacked() {
        return server.map(s -> s.unacked(subscription())).orElse(0);
    }

    /** Nothing is left from an earlier run. */
    boolean fresh() {
        return server.isPresent() && database().startsWith("jdbc:h2:mem:");
    }

    /** Order numbers begin with it, so that runs on a database that stays do not meet. */
    String orderPrefix() {
        return fresh() ? "A-" : "A" + Long.toString(System.currentTimeMillis() / 1000, Character.MAX_RADIX) + "-";
    }

    String pubSub() {
        String emulator = environment.getProperty("flowable.pubsub.emulator-host");
        if (server.isPresent()) {
            return "server in this process, " + emulator;
        }
        String project = "project " + property("flowable.pubsub.project-id");
        return emulator == null ? "Google Cloud, " + project : "emulator " + emulator + ", " + project;
    }

    /** Without what follows the name: it may hold a password. */
    String database() {
        return property("spring.datasource.url").replaceFirst("[?;].*", "");
    }

    String engine() {
        return "Flowable " + engine.replaceFirst("^(\\d+\\.\\d+\\.\\d+).*", "$1");
    }

    String subscription() {
        return property("sample.subscription");
    }

    String topicAndSubscription() {
        return property("sample.topic") + " -> " + property("sample.subscription");
    }

    String healthUrl() {
        return "http://127.0.0.1:" + property("local.server.port") + "/actuator/health";
    }

    private String property(String name) {
        return environment.getRequiredProperty(name);
    }
}
