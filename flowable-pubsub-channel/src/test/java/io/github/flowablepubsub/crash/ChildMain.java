package io.github.flowablepubsub.crash;

import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** The main class of a {@link ChildNode}. */
public final class ChildMain {

    /** A point where a node hangs after it has told so, until it is released; everything else goes on. */
    enum Hang {
        NEVER,
        /** In the process's own step, before and after its effect is written. */
        BEFORE_EFFECT,
        AFTER_EFFECT,
        /** The row is marked {@code DONE}, nothing is committed. */
        BEFORE_COMMIT,
        /** Committed, and the node does not know it yet. */
        AFTER_COMMIT,
        /** As the last two, of the transaction that stores. */
        BEFORE_STORE_COMMIT,
        AFTER_STORE_COMMIT
    }

    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    private ChildMain() {}

    /** Runs a node until it is killed or its standard input ends. */
    public static void main(String[] args) throws IOException {
        String name = args[0];
        Hang hang = Hang.valueOf(args[4]);
        Database database = new Database(TestDatabase.valueOf(args[2]), args[3], false);
        DataSource source = InterceptedDataSource.wrap(database.pool(name), call -> onCall(hang, call));
        Effect.hook(name, (moment, order, seq) -> {
            if ((hang == Hang.BEFORE_EFFECT && moment.equals(Effect.BEFORE))
                    || (hang == Hang.AFTER_EFFECT && moment.equals(Effect.AFTER))) {
                hang(order);
            }
        });
        CrashNode node = CrashNode.start(
                name,
                args[1],
                database,
                source,
                new CrashNode.Role(true, Boolean.parseBoolean(args[5]), false, Duration.parse(args[6])));
        tell("started " + name);
        while (System.in.read() >= 0) {
            RELEASED.countDown();
        }
        node.close();
        Runtime.getRuntime().halt(0);
    }

    private static void onCall(Hang hang, InterceptedDataSource.Call call) {
        boolean correlated = call.isCommitOf("flw_pubsub_inbox", "attempts_ = ? + 1");
        boolean stored = call.isCommitOf("insert into flw_pubsub_inbox");
        if ((hang == Hang.BEFORE_COMMIT && correlated && !call.done())
                || (hang == Hang.AFTER_COMMIT && correlated && call.done())
                || (hang == Hang.BEFORE_STORE_COMMIT && stored && !call.done())
                || (hang == Hang.AFTER_STORE_COMMIT && stored && call.done())) {
            hang(Thread.currentThread().getName());
        }
    }

    private static void hang(String what) {
        tell("hangs " + what);
        try {
            RELEASED.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tell(String what) {
        System.out.println(ChildNode.SIGNAL + what);
        System.out.flush();
    }
}
