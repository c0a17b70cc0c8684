package io.github.flowablepubsub.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Rule R5: a message whose time to live ended before anybody could take it is parked, also by the relay's second look. */
class ExpiryRaceTest {

    /** The subscription commits, and the time to live ends, between the commit that makes the row wait and the look once more. */
    @Test
    void aMessageThatExpiredBeforeTheSecondLookIsParkedAndNotDelivered() {
        try (Setting setting = new Setting(TestDatabase.H2)) {
            AtomicBoolean between = new AtomicBoolean();
            CrashNode node = setting.node("node", CrashNode.Role.FULL, call -> {
                        if (call.done()
                                && WakeUpSteps.COMMIT.equals(WakeUpSteps.of(call))
                                && between.compareAndSet(false, true)) {
                            setting.database.update(
                                    "update FLW_PUBSUB_INBOX set EXPIRES_AT_ = dateadd(hour, -1, CURRENT_TIMESTAMP)");
                            setting.database.update(
                                    "update ACT_RU_EVENT_SUBSCR set CONFIGURATION_ = substring(CONFIGURATION_, 2)");
                        }
                    })
                    .deploy(setting.database, "{}");
            node.startOrder("spaet", 0);
            setting.database.update("update ACT_RU_EVENT_SUBSCR set CONFIGURATION_ = concat('-', CONFIGURATION_)");
            setting.publish("spaet", 0);
            setting.awaitRows("PARKED", 1);
            assertThat(between).isTrue();
            assertThat(setting.database.strings("select REASON_ from FLW_PUBSUB_INBOX"))
                    .isEqualTo(List.of("NO_MATCH"));
            assertThat(setting.effects()).isZero();
        }
    }
}
