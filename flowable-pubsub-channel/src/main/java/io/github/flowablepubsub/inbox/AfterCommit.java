package io.github.flowablepubsub.inbox;

import org.flowable.common.engine.impl.cfg.TransactionContext;
import org.flowable.common.engine.impl.cfg.TransactionState;
import org.flowable.common.engine.impl.cfg.standalone.StandaloneMybatisTransactionContext;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.interceptor.CommandContext;
import org.flowable.common.engine.impl.interceptor.CommandContextCloseListener;

/**
 * Runs something after a plain engine's command committed, and not when it failed. Its transaction listeners would do so in
 * a command of their own, with a second connection while the first is still held: with a small pool the engine's threads
 * wait for each other.
 */
public final class AfterCommit implements CommandContextCloseListener {

    private final Runnable work;

    private AfterCommit(Runnable work) {
        this.work = work;
    }

    /** Runs the work once the running command has committed, in its thread; at once without a transaction. It must not throw. */
    public static void run(Runnable work) {
        TransactionContext transaction = Context.getTransactionContext();
        if (transaction == null) {
            work.run();
        } else if (transaction instanceof StandaloneMybatisTransactionContext) {
            Context.getCommandContext().addCloseListener(new AfterCommit(work));
        } else {
            transaction.addTransactionListener(TransactionState.COMMITTED, context -> work.run());
        }
    }

    @Override
    public void closed(CommandContext context) {
        work.run();
    }

    @Override
    public void closing(CommandContext context) {
        // not committed yet
    }

    @Override
    public void afterSessionsFlush(CommandContext context) {
        // commits right now
    }

    @Override
    public void closeFailure(CommandContext context) {
        // rolled back
    }

    @Override
    public Integer order() {
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean multipleAllowed() {
        return true;
    }
}
