package io.github.flowablepubsub.crash;

import org.jspecify.annotations.Nullable;

/** The steps of the relay and of a subscription that race for a wake-up, told by their statements. */
final class WakeUpSteps {

    /** The relay looks up subscriptions. */
    static final String LOOK_UP = "L";
    /** The relay commits the row as waiting. */
    static final String COMMIT = "C";
    /** The relay looks once more. */
    static final String LOOK_AGAIN = "K";
    /** The process commits its subscription. */
    static final String SUBSCRIBE = "S";
    /** The subscription's node looks for waiting rows. */
    static final String WAKE = "W";

    private WakeUpSteps() {}

    static @Nullable String of(InterceptedDataSource.Call call) {
        String thread = Thread.currentThread().getName();
        if (thread.startsWith("pubsub-relay-")) {
            if (call.isStatement("select", "act_ru_event_subscr")) {
                boolean locked = call.transaction().stream().anyMatch(sql -> sql.contains("flw_pubsub_lane"));
                return locked ? LOOK_UP : LOOK_AGAIN;
            }
            return call.isCommitOf("flw_pubsub_inbox", "attempts_ = ? + 1") ? COMMIT : null;
        }
        if (thread.startsWith("pubsub-wake-up")) {
            return call.isStatement("flw_pubsub_match_key k left join") ? WAKE : null;
        }
        return call.isCommitOf("insert into act_ru_event_subscr") ? SUBSCRIBE : null;
    }
}
