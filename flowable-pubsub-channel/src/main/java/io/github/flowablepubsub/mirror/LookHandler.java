package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.inbox.AfterCommit;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MirrorMapper.Standing;
import java.util.List;
import java.util.function.Consumer;
import org.flowable.common.engine.impl.interceptor.CommandContext;
import org.flowable.job.service.JobHandler;
import org.flowable.job.service.impl.persistence.entity.JobEntity;
import org.flowable.variable.api.delegate.VariableScope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the timer job of a message that waits for long, moved by a person or due: the row is opened, in the transaction in
 * which the engine removes the job, and the relay is woken after the commit. Looked at in vain it has a new job. Does nothing
 * when the row waits no longer.
 */
public final class LookHandler implements JobHandler {

    /** Handler type of a waiting row's job. */
    public static final String WAITING = "pubsub-waiting-message";

    private static final Logger log = LoggerFactory.getLogger(LookHandler.class);

    private final Consumer<Lane> relay;

    /**
     * @param relay hears of lanes with opened rows, after the commit and in the committing thread; must neither block nor throw
     */
    public LookHandler(Consumer<Lane> relay) {
        this.relay = relay;
    }

    @Override
    public String getType() {
        return WAITING;
    }

    @Override
    public void execute(JobEntity job, String configuration, VariableScope scope, CommandContext context) {
        execute(InboxSession.of(context), job);
    }

    void execute(InboxSession session, JobEntity job) {
        long id = Long.parseLong(job.getJobHandlerConfiguration());
        session.mirrors().unlink(id, job.getId()); // first: it takes the row's lock, and what follows sees its state
        if (!session.due().open(id)) {
            return;
        }
        for (Standing row : session.mirrors().find(List.of(id))) {
            AfterCommit.run(() -> {
                log.info("Waiting message is looked at now, as its timer job was run ({})", row.describe());
                relay.accept(row.lane());
            });
        }
    }
}
