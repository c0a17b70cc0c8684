package io.github.flowablepubsub.bench;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Something that works through a table of messages which are stored beforehand. */
interface Side {

    /**
     * What a run came to.
     *
     * @param seconds from the start of the work to the last message
     * @param cost of the database in that time
     */
    record Run(double seconds, Cost cost) {}

    /** For the table. */
    String name();

    /**
     * Stores one message for each of these keys, in this order, and has them worked through.
     *
     * @param db an empty database
     * @param nodes each with a pool and threads of its own
     * @param threads of each node
     */
    Run run(Db db, int nodes, int threads, List<String> keys) throws Exception;

    /** Counts messages down; thread safe. */
    final class Countdown {
        private final CountDownLatch latch;

        Countdown(int messages) {
            latch = new CountDownLatch(messages);
        }

        void one() {
            latch.countDown();
        }

        long left() {
            return latch.getCount();
        }

        /** Waits for the last one; returns seconds since this {@link System#nanoTime}. */
        double await(long startNanos) throws InterruptedException {
            if (!latch.await(15, TimeUnit.MINUTES)) {
                throw new IllegalStateException(latch.getCount() + " messages are left after 15 minutes");
            }
            return (System.nanoTime() - startNanos) / 1e9;
        }
    }
}
