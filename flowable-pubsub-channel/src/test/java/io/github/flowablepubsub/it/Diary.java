package io.github.flowablepubsub.it;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;

/** Writes down the text of each message that a process got, by order. */
final class Diary implements JavaDelegate {

    private final Map<String, List<String>> texts = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();

    /** The next deliveries to this order fail, so many. */
    void failing(String order, int times) {
        failures.put(order, new AtomicInteger(times));
    }

    @Override
    public void execute(DelegateExecution execution) {
        String order = String.valueOf(execution.getVariable("auftragId"));
        AtomicInteger failing = failures.get(order);
        if (failing != null && failing.decrementAndGet() >= 0) {
            throw new IllegalStateException("noch nicht");
        }
        texts.computeIfAbsent(order, key -> new CopyOnWriteArrayList<>())
                .add(String.valueOf(execution.getVariable("text")));
    }

    List<String> of(String order) {
        return List.copyOf(texts.getOrDefault(order, List.of()));
    }

    /** A process that waits for this event, has it written down, and waits again. */
    static String process(String key, String event) {
        return Models.definitions(
                key,
                "<startEvent id=\"s\"/>"
                        + Models.flow("s", "w")
                        + "<intermediateCatchEvent id=\"w\">"
                        + Models.eventOf(event)
                                .replace(
                                        "</extensionElements>",
                                        "<flowable:eventOutParameter source=\"text\" target=\"text\"/>"
                                                + "</extensionElements>")
                        + "</intermediateCatchEvent>"
                        + Models.service("b", "buch")
                        + Models.flow("w", "b")
                        + Models.flow("b", "w"));
    }
}
