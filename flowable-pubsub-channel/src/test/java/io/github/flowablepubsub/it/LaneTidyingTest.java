package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.operations.LaneTidying;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lock rows go when nobody needs them, and a lane whose lock row went works on. */
class LaneTidyingTest {

    private static final ChannelId CHANNEL = new ChannelId("lanes", "");

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void idleOldUnlockedLockRowsGoAndNoOthers(TestDatabase kind) throws SQLException {
        try (Lab lab = Lab.start(kind)) {
            lab.channel("lanes", "{}");
            lab.node.deployProcess(Models.PROCESS);
            LaneTidying tidying = new LaneTidying(RetentionTest.transactions(lab.node));
            for (String order : new String[] {"fertig", "gesperrt", "neu"}) {
                lab.startOrder("auftrag-ausfuehrung", order);
                lab.inbox.messageInState(lab.publish("lanes", Models.completion(order, 1)), "DONE");
            }
            lab.inbox.messageInState(lab.publish("lanes", Models.completion("wartend", 1)), "WAITING");
            assertThat(lanes(lab)).isEqualTo(4);
            tidying.step(CHANNEL, "");
            assertThat(lanes(lab)).as("none is a day old").isEqualTo(4);

            lab.inbox.sql("update FLW_PUBSUB_LANE set CREATED_AT_ = CURRENT_TIMESTAMP - interval '2' day"
                    + " where ORDER_KEY_ <> 'neu'");
            try (Connection worker = lab.database.source().getConnection();
                    Statement lock = worker.createStatement()) {
                worker.setAutoCommit(false);
                worker.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                lock.execute("select * from FLW_PUBSUB_LANE where CHANNEL_KEY_ = 'lanes' and CHANNEL_TENANT_ID_ = ''"
                        + " and ORDER_KEY_ = 'gesperrt' for update");
                assertThat(tidying.step(CHANNEL, "")).as("last page").isEmpty();
                assertThat(lanes(lab)).isEqualTo(3);
                assertThat(lab.inbox.count("select count(*) from FLW_PUBSUB_LANE where ORDER_KEY_ = 'fertig'"))
                        .isZero();
                worker.rollback();
            }
            tidying.step(CHANNEL, "");
            assertThat(lanes(lab)).isEqualTo(2);
            assertThat(lab.inbox.count("select count(*) from FLW_PUBSUB_LANE where ORDER_KEY_ in ('wartend', 'neu')"))
                    .isEqualTo(2);

            // Opened again, its lane has no lock row any more.
            lab.startOrder("auftrag-ausfuehrung", "fertig");
            lab.inbox.sql(
                    "UPDATE FLW_PUBSUB_INBOX SET STATE_ = 'OPEN', ATTEMPTS_ = 0, NEXT_ATTEMPT_ = CURRENT_TIMESTAMP"
                            + " where ORDER_KEY_ = 'fertig'");
            Lab.eventually(
                    "done again",
                    () -> lab.inbox
                                    .rows("ORDER_KEY_ = 'fertig' and STATE_ = 'DONE' and ATTEMPTS_ = 1")
                                    .size()
                            == 1);
        }
    }

    private static long lanes(Lab lab) {
        return lab.inbox.count("select count(*) from FLW_PUBSUB_LANE where CHANNEL_KEY_ = 'lanes'");
    }
}
