package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.engine.PubSubRuntime;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.operations.TableState;
import io.github.flowablepubsub.operations.TableState.Snapshot;
import io.github.flowablepubsub.subscriber.ConsumerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Health as both generations of Spring Boot's API report it; from local state, never blocks (rule R10): the table's part is what
 * its last look brought.
 */
final class PubSubHealth {

    /** From worst to best; what an app calls otherwise is between. */
    private static final List<String> WORST = List.of("DOWN", "OUT_OF_SERVICE");

    private static final String UP = "UP";

    private final PubSubRuntime runtime;
    private final HealthProperties settings;

    PubSubHealth(PubSubRuntime runtime, HealthProperties settings) {
        this.runtime = runtime;
        this.settings = settings;
    }

    /**
     * What to report.
     *
     * @param status a status code of Spring Boot's, or the app's own
     */
    record Report(String status, Map<String, Object> details) {}

    Report report() {
        Snapshot table = runtime.table().look();
        Map<String, Object> details = details();
        Map<String, String> warnings = warnings(table);
        details.put("table", table(table));
        if (!warnings.isEmpty()) {
            details.put("warnings", List.copyOf(warnings.keySet()));
        }
        List<String> statuses = new ArrayList<>(warnings.values());
        statuses.add(isUp() ? UP : "DOWN");
        return new Report(worst(statuses), details);
    }

    /** Down when the plugin does not run, a consumer died, or the relay's threads did. A consumer that pauses is well. */
    private boolean isUp() {
        return runtime.isRunning()
                && runtime.isRelayRunning()
                && runtime.consumers().stream().allMatch(ConsumerStatus::isUp);
    }

    private static String worst(List<String> statuses) {
        return WORST.stream().filter(statuses::contains).findFirst().orElseGet(() -> statuses.stream()
                .filter(status -> !status.equals(UP))
                .findFirst()
                .orElse(UP));
    }

    /** What is beyond its limit, each with the status that it gives. */
    private Map<String, String> warnings(Snapshot table) {
        Map<String, String> warnings = new LinkedHashMap<>();
        Duration away = runtime.table().away();
        if (away.compareTo(TableState.PERIOD) > 0) {
            warnings.put(
                    "the database has not told for " + seconds(away)
                            + " how the inbox table stands: the numbers here are old, see the database and the log",
                    UP);
        }
        long parked = table.rows(MessageState.PARKED);
        if (settings.parkedAbove() >= 0 && parked > settings.parkedAbove()) {
            warnings.put(
                    parked + " messages are parked, more than " + settings.parkedAbove()
                            + ": see REASON_ and LAST_ERROR_, mend the cause, and repair or discard them",
                    settings.parkedStatus());
        }
        Duration open = table.oldest(MessageState.OPEN);
        if (!settings.oldestOpen().isZero() && open.compareTo(settings.oldestOpen()) > 0) {
            warnings.put(
                    "the oldest open message has been due for " + seconds(open) + ", more than " + settings.oldestOpen()
                            + ": the relay is behind, see its log lines and the database; or it is behind a failing one of its key",
                    settings.oldestOpenStatus());
        }
        Duration waiting = table.oldest(MessageState.WAITING);
        if (!settings.oldestWaiting().isZero() && waiting.compareTo(settings.oldestWaiting()) > 0) {
            warnings.put(
                    "the oldest waiting message came " + seconds(waiting) + " ago, more than "
                            + settings.oldestWaiting() + ": see whether its instance is missing or stuck",
                    settings.oldestWaitingStatus());
        }
        return warnings;
    }

    private static Map<String, Object> table(Snapshot table) {
        Map<String, Object> detail = new LinkedHashMap<>();
        if (table.at() == null) {
            detail.put("at", "not looked at yet");
            return detail;
        }
        detail.put("at", table.at().toString());
        for (MessageState state : List.of(MessageState.OPEN, MessageState.WAITING, MessageState.PARKED)) {
            detail.put(state.name().toLowerCase(Locale.ROOT), table.rows(state));
        }
        detail.put("oldestOpen", seconds(table.oldest(MessageState.OPEN)).toString());
        detail.put("oldestWaiting", seconds(table.oldest(MessageState.WAITING)).toString());
        return detail;
    }

    private static Duration seconds(Duration age) {
        return Duration.ofSeconds(age.toSeconds());
    }

    private Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("relay", runtime.isRelayRunning() ? "running" : "stopped");
        for (ConsumerStatus consumer : runtime.consumers()) {
            Map<String, Object> detail = new LinkedHashMap<>();
            detail.put("subscription", consumer.subscription());
            detail.put("state", consumer.state().name().toLowerCase(Locale.ROOT));
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
