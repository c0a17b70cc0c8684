package io.github.flowablepubsub.bench;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * transaction-outbox with tasks that do nothing. The version that can be had here has no ordered mode.
 *
 * @param handedOver whether tasks go to the threads right after the commit; else nodes find them by flushing
 */
record TransactionOutboxSide(boolean handedOver) implements Side {

    private static final int FLUSH_BATCH = 1000;

    /** What is scheduled. */
    public interface Task {
        /** Does nothing. */
        void run(String payload);
    }

    @Override
    public String name() {
        return "transaction-outbox 4.2.268 (does not order" + (handedOver ? ", handed over)" : ", flush)");
    }

    @Override
    public Run run(Db db, int nodes, int threads, List<String> keys) throws Exception {
        Countdown countdown = new Countdown(keys.size());
        List<HikariDataSource> pools = new ArrayList<>();
        ExecutorService executors = Executors.newCachedThreadPool();
        List<ExecutorService> workers = new ArrayList<>();
        try {
            List<TransactionOutbox> outboxes = new ArrayList<>();
            List<ThreadLocalContextTransactionManager> managers = new ArrayList<>();
            for (int i = 0; i < nodes; i++) {
                pools.add(db.pool(threads + 3));
                workers.add(Executors.newFixedThreadPool(threads));
                managers.add(TransactionManager.fromDataSource(pools.get(i)));
                ExecutorService own = workers.get(i);
                outboxes.add(outbox(managers.get(i), Submitter.withExecutor(own), Duration.ofMinutes(5), countdown));
            }
            TransactionOutbox writer = handedOver
                    ? outboxes.get(0)
                    : outbox(managers.get(0), (entry, work) -> {}, Duration.ofHours(1), countdown);
            AtomicLong start = new AtomicLong();
            managers.get(0).inTransaction(() -> {
                keys.forEach(key -> writer.schedule(Task.class).run(Models.completion(key)));
                start.set(System.nanoTime());
            });
            if (!handedOver) {
                db.sql("update TXNO_OUTBOX set nextAttemptTime = now() - interval '1 day'", "vacuum analyze");
                start.set(System.nanoTime());
                outboxes.forEach(outbox -> executors.execute(() -> flush(outbox, countdown)));
            }
            Cost.reset(db);
            double seconds = countdown.await(start.get());
            return new Run(seconds, Cost.of(db));
        } finally {
            executors.shutdownNow();
            workers.forEach(ExecutorService::shutdownNow);
            pools.forEach(HikariDataSource::close);
        }
    }

    private static void flush(TransactionOutbox outbox, Countdown countdown) {
        try {
            while (countdown.left() > 0) {
                if (!outbox.flush()) {
                    Thread.sleep(5);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static TransactionOutbox outbox(
            ThreadLocalContextTransactionManager manager,
            Submitter submitter,
            Duration attemptFrequency,
            Countdown countdown) {
        Task task = payload -> countdown.one();
        return TransactionOutbox.builder()
                .transactionManager(manager)
                .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                .instantiator(Instantiator.using(type -> task))
                .submitter(submitter)
                .attemptFrequency(attemptFrequency)
                .flushBatchSize(FLUSH_BATCH)
                .build();
    }
}
