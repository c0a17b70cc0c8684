package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.events.InboxEvent;
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
 * Runs a dead-letter job that a person has moved: the parked row is opened as if it were new, in the transaction in which the
 * engine removes the job, and the relay is woken after the commit. Does nothing when the row is parked no longer.
 */
public final class RetryHandler implements JobHandler {

    /** Handler type of a parked row's job. */
    public static final String PARKED = "pubsub-parked-message";

    private static final Logger log = LoggerFactory.getLogger(RetryHandler.class);

    private final Mirrors mirrors;
    private final Consumer<Lane> relay;
    private final Consumer<InboxEvent> events;

    /**
     * @param mirrors of the same engine
     * @param relay hears of lanes with opened rows, after the commit and in the committing thread; must neither block nor throw
     * @param events hears of repaired messages, in the same way
     */
    public RetryHandler(Mirrors mirrors, Consumer<Lane> relay, Consumer<InboxEvent> events) {
        this.mirrors = mirrors;
        this.relay = relay;
        this.events = events;
    }

    @Override
    public String getType() {
        return PARKED;
    }

    @Override
    public void execute(JobEntity job, String configuration, VariableScope scope, CommandContext context) {
        execute(InboxSession.of(context), job);
    }

    void execute(InboxSession session, JobEntity job) {
        long id = Long.parseLong(job.getJobHandlerConfiguration());
        if (session.mirrors().reopen(id) != 1) { // first: it takes the row's lock
            session.mirrors().unlink(id, job.getId());
            return;
        }
        for (Standing row : session.mirrors().find(List.of(id))) {
            mirrors.executed(session, row, job.getId());
            AfterCommit.run(() -> {
                log.info("Message is tried again, as its dead-letter job was moved ({})", row.describe());
                relay.accept(row.lane());
                events.accept(new InboxEvent.Repaired(InboxEvent.Message.of(row)));
            });
        }
    }
}
