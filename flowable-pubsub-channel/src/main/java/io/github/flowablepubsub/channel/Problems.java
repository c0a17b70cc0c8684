package io.github.flowablepubsub.channel;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.flowable.common.engine.api.FlowableIllegalArgumentException;
import org.jspecify.annotations.Nullable;

/** Everything wrong with one file, collected to be told at once. */
final class Problems {

    private static final int MAX_SHOWN = 30;

    private final List<String> lines = new ArrayList<>();
    private final Set<String> paths = new HashSet<>();
    private int count;

    /** A value that is not accepted. */
    void add(String path, @Nullable Object value, String message) {
        add(path, value, () -> message);
    }

    /** The same with a message that is only made when it will be shown: a hostile file may have any number of problems. */
    void add(String path, @Nullable Object value, Supplier<String> message) {
        addLine(path, () -> Printed.text(path) + " = " + Printed.value(value) + ": " + message.get());
    }

    /** Something that is not there. */
    void missing(String path, String message) {
        addLine(path, () -> path + ": " + message);
    }

    private void addLine(String path, Supplier<String> line) {
        count++;
        paths.add(path);
        if (lines.size() < MAX_SHOWN) {
            lines.add(line.get());
        }
    }

    /** Whether something was said about the property, or about one within it. */
    boolean concern(String path) {
        return paths.stream().anyMatch(p -> p.equals(path) || p.startsWith(path + "."));
    }

    /** Whether there was any. */
    boolean any() {
        return count > 0;
    }

    /** Fails with one message if there was any problem. */
    void throwIfAny(@Nullable Object channelKey) {
        if (any()) {
            String channel = channelKey == null ? "without key" : Printed.value(channelKey);
            throw new FlowableIllegalArgumentException(describe("Pub/Sub channel " + channel + " is refused"));
        }
    }

    /** All of them, under this title. */
    String describe(String title) {
        StringBuilder message = new StringBuilder(title).append(count == 1 ? ":" : " for " + count + " reasons:");
        lines.forEach(line -> message.append("\n - ").append(line));
        if (count > lines.size()) {
            message.append("\n - and ").append(count - lines.size()).append(" more");
        }
        return message.toString();
    }
}
