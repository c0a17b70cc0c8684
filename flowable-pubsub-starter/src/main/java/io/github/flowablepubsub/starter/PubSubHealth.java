package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.engine.PubSubRuntime;
import io.github.flowablepubsub.subscriber.ConsumerStatus;
import java.util.LinkedHashMap;
import java.util.Map;

/** Health as both generations of Spring Boot's API report it; from local state, never blocks (rule R10). */
final class PubSubHealth {

    private PubSubHealth() {}

    /** Down when the plugin does not run, a consumer died, or the relay's threads did. A consumer that pauses is well. */
    static boolean isUp(PubSubRuntime runtime) {
        return runtime.isRunning()
                && runtime.isRelayRunning()
                && runtime.consumers().stream().allMatch(ConsumerStatus::isUp);
    }

    static Map<String, Object> details(PubSubRuntime runtime) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("relay", runtime.isRelayRunning() ? "running" : "stopped");
        for (ConsumerStatus consumer : runtime.consumers()) {
            Map<String, Object> detail = new LinkedHashMap<>();
            detail.put("subscription", consumer.subscription());
            detail.put("state", consumer.state().name().toLowerCase(java.util.Locale.ROOT));
            detail.put("since", consumer.since().toString());
            if (consumer.error() != null) {
                detail.put("error", consumer.error());
            }
            if (consumer.lastMessage() != null) {
                detail.put("lastMessage", consumer.lastMessage().toString());
            }
            if (consumer.lastStall() != null) {
                detail.put("lastStall", consumer.lastStall().toString());
            }
            detail.put("stored", consumer.stored());
            detail.put("duplicates", consumer.duplicates());
            detail.put("nacked", consumer.nacked());
            details.put(consumer.channel().toString(), detail);
        }
        return details;
    }
}
