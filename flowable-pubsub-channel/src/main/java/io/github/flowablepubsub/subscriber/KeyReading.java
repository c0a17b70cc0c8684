package io.github.flowablepubsub.subscriber;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.NewMessage;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the keys of a batch. A message that can't be read is kept raw (rule R8). */
final class KeyReading {

    private static final Logger log = LoggerFactory.getLogger(KeyReading.class);

    /** A message as it came, and as its row will have it. */
    record Item(Received received, NewMessage message) {}

    private final MessageConverter converter;
    private final Runnable probe;

    /**
     * @param probe throws when the database does not answer
     */
    KeyReading(MessageConverter converter, Runnable probe) {
        this.converter = converter;
        this.probe = probe;
    }

    /** In their order; those that are missing at the end can't be read as the database is away. */
    List<Item> read(RegisteredChannel channel, List<Received> batch) {
        List<Item> items = new ArrayList<>(batch.size());
        converter.begin();
        try {
            for (Received received : batch) {
                items.add(new Item(received, convert(channel, received)));
            }
        } catch (RuntimeException e) {
            log.warn("Can't read keys for channel {}: {}", channel.id(), DatabaseFailures.summary(e));
        }
        return items;
    }

    private NewMessage convert(RegisteredChannel channel, Received received) {
        try {
            return converter.convert(channel, received.message());
        } catch (RuntimeException | Error e) {
            if (e instanceof RuntimeException && isAway(e)) {
                throw e;
            }
            log.warn(
                    "The keys of message {} of channel {} can't be read; it is stored raw: {}",
                    received.message().getMessageId(),
                    channel.id(),
                    e.getClass().getName());
            return converter.raw(channel, received.message());
        }
    }

    /** A filter or deserializer of the app may fail with an SQLException for this message alone. */
    private boolean isAway(Throwable failure) {
        if (DatabaseFailures.isTransient(failure)) {
            return true;
        }
        if (!DatabaseFailures.isDatabaseAway(failure)) {
            return false;
        }
        try {
            probe.run();
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }
}
