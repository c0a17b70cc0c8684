package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DedupRule;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.it.CountedSource.Counted;
import io.github.flowablepubsub.relay.RelaySettings;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What storing a batch takes: only channels with business keys pay for them. */
class StoreStatementsTest {

    private static final ChannelId CHANNEL = new ChannelId("zaehlen", "");
    private static final DedupRule RULE = new DedupRule(true, Duration.ofHours(1));

    @Test
    void aBusinessKeyIsTwoMoreStatementsABatch_andNoneForOthers() {
        Database database = TestDatabase.H2.create();
        CountedSource counted = new CountedSource(TestDatabase.H2, database.pool());
        try (Node node = Node.start(
                database,
                Node.settings("127.0.0.1:9").withRelay(new RelaySettings(false, 1, Duration.ofHours(1))),
                configuration -> configuration.setDataSource(counted.source()))) {
            MessageStore store = new MessageStore(RetentionTest.transactions(node));
            List<NewMessage> plain = IntStream.range(0, 20)
                    .mapToObj(i -> InboxBench.message(CHANNEL, "p" + i, "key" + i))
                    .toList();
            List<NewMessage> keyed = plain.stream()
                    .map(message -> InboxBench.message(CHANNEL, "k" + message.messageId(), message.orderKey() + "k")
                            .withDedupKey(message.messageId()))
                    .toList();
            counted.begin(Thread.currentThread().getName()::equals);
            store.store(CHANNEL, plain, RULE);
            List<Counted> without = counted.end();
            counted.begin(Thread.currentThread().getName()::equals);
            store.store(CHANNEL, keyed, RULE);
            List<Counted> with = counted.end();
            assertThat(without)
                    .hasSize(4)
                    .noneMatch(statement -> statement.is("DEDUP"))
                    .anyMatch(statement -> statement.is("insert into FLW_PUBSUB_INBOX"));
            assertThat(with).hasSize(6);
            assertThat(with.stream().filter(statement -> statement.is("FLW_PUBSUB_DEDUP")))
                    .hasSize(2);
        }
    }
}
