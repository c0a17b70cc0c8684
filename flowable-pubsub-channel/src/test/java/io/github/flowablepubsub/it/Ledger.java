package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;

/** Writes down which message moved an order, and whether two did at once; fails on demand; holds "langsam" back. */
final class Ledger implements JavaDelegate {
    private final Map<String, List<Object>> lines = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch open = new CountDownLatch(1);
    final List<String> overlaps = new CopyOnWriteArrayList<>();
    private final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();

    void fail(String order, int position, int times) {
        failures.put(order + "/" + position, new AtomicInteger(times));
    }

    @Override
    public void execute(DelegateExecution execution) {
        String order = String.valueOf(execution.getVariable("auftragId"));
        Object position = execution.getVariable("erledigtePositionen");
        AtomicInteger entered = inside.computeIfAbsent(order, key -> new AtomicInteger());
        if (entered.incrementAndGet() > 1) {
            overlaps.add(order);
        }
        try {
            if (order.startsWith("langsam")) {
                begun.countDown();
                assertThat(open.await(20, TimeUnit.SECONDS)).isTrue();
            }
            AtomicInteger failing = failures.get(order + "/" + position);
            if (failing != null && failing.decrementAndGet() >= 0) {
                throw new IllegalStateException("secret-body of " + order);
            }
            lines.computeIfAbsent(order, key -> new CopyOnWriteArrayList<>()).add(position);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            entered.decrementAndGet();
        }
    }

    List<Object> of(String order) {
        return lines.getOrDefault(order, List.of());
    }
}
