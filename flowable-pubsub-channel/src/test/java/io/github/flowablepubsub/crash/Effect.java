package io.github.flowablepubsub.crash;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.db.DbSqlSession;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.flowable.engine.impl.util.CommandContextUtil;

/** The process's own work behind the catch event: one row in the ledger, in the engine's transaction. */
public final class Effect implements JavaDelegate {

    /** What a test does in the middle of it. */
    interface Hook {
        /** Before and after the ledger is written. */
        void reached(String moment, String order, int seq);
    }

    private static final Map<String, Hook> HOOKS = new ConcurrentHashMap<>();

    static final String BEFORE = "before";
    static final String AFTER = "after";

    /** For the processes that this node works on. */
    static void hook(String node, Hook hook) {
        HOOKS.put(node, hook);
    }

    @Override
    public void execute(DelegateExecution execution) {
        String node = CommandContextUtil.getProcessEngineConfiguration().getEngineName();
        String order = (String) Objects.requireNonNull(execution.getVariable("auftragId"));
        int seq = ((Number) Objects.requireNonNull(execution.getVariable("nummer"))).intValue();
        Hook hook = HOOKS.getOrDefault(node, (moment, o, s) -> {});
        hook.reached(BEFORE, order, seq);
        Context.getCommandContext()
                .getSession(DbSqlSession.class)
                .getCustomMapper(LedgerMapper.class)
                .add(order, seq, node);
        hook.reached(AFTER, order, seq);
    }
}
