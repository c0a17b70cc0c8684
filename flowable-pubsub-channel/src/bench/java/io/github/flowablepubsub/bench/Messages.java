package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.MessageStore;
import io.github.flowablepubsub.inbox.NewMessage;
import io.github.flowablepubsub.inbox.Payload;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Messages as the consumer would store them. */
final class Messages {

    static final ChannelId CHANNEL = new ChannelId(Models.CHANNEL, "");

    private static final AtomicLong IDS = new AtomicLong();
    private static final OffsetDateTime START = OffsetDateTime.parse("2026-01-01T00:00:00Z");
    private static final int BATCH = 500;

    private Messages() {}

    /** A completion of this order, published after all before it. */
    static NewMessage completion(String order) {
        long id = IDS.incrementAndGet();
        byte[] body = Models.completion(order).getBytes(StandardCharsets.UTF_8);
        return new NewMessage(
                CHANNEL.key(),
                CHANNEL.tenantId(),
                "",
                Long.toString(id),
                Models.EVENT_KEY,
                order,
                order,
                Payload.of(body),
                Keys.sha256(body),
                "{}",
                null,
                START.plusNanos(1000 * id));
    }

    /** So many of each order, the orders mixed, the same mixture each time. */
    static List<String> mixed(int orders, int each) {
        List<String> keys = new ArrayList<>();
        for (int order = 0; order < orders; order++) {
            keys.addAll(Collections.nCopies(each, "A" + order));
        }
        Collections.shuffle(keys, new Random(42));
        return keys;
    }

    static void store(MessageStore store, List<String> orders) {
        for (int from = 0; from < orders.size(); from += BATCH) {
            List<String> part = orders.subList(from, Math.min(from + BATCH, orders.size()));
            store.store(CHANNEL, part.stream().map(Messages::completion).toList());
        }
    }
}
