package io.github.flowablepubsub.correlation;

import org.flowable.common.engine.impl.interceptor.CommandContext;
import org.flowable.common.engine.impl.interceptor.CommandContextCloseListener;

/**
 * Runs something after a plain engine's command committed, and not when it failed. Its transaction listeners would do so in
 * a command of their own, with a second connection while the first is still held: with a small pool the engine's threads
 * wait for each other.
 */
final class AfterCommit implements CommandContextCloseListener {

    private final Runnable work;

    AfterCommit(Runnable work) {
        this.work = work;
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
