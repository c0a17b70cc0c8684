package io.github.flowablepubsub.crash;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;

/** An asynchronous step before the catch event that takes as long as a test wants. */
public final class Preparation implements JavaDelegate {

    private static final Map<String, CountDownLatch> LATCHES = new ConcurrentHashMap<>();

    /** Makes the step of this order wait for the latch. */
    static CountDownLatch hold(String order) {
        CountDownLatch latch = new CountDownLatch(1);
        LATCHES.put(order, latch);
        return latch;
    }

    @Override
    public void execute(DelegateExecution execution) {
        CountDownLatch latch = LATCHES.get((String) execution.getVariable("auftragId"));
        try {
            if (latch != null && !latch.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Never let go");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
