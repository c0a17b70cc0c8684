package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.events.InboxEvent;
import io.github.flowablepubsub.inbox.AfterCommit;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Keys;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.MirrorMapper.Standing;
import java.util.List;
import java.util.function.Consumer;
import org.flowable.common.engine.api.delegate.event.FlowableEngineEventType;
import org.flowable.common.engine.api.delegate.event.FlowableEntityEvent;
import org.flowable.common.engine.api.delegate.event.FlowableEvent;
import org.flowable.common.engine.api.delegate.event.FlowableEventListener;
import org.flowable.common.engine.api.delegate.event.FlowableEventType;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.common.engine.impl.identity.Authentication;
import org.flowable.job.api.Job;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Discards the row of a job that a person deletes, in the transaction of the deletion. The engine tells of a deletion by a
 * person as canceled: neither a move nor our own removals are.
 */
public final class DiscardListener implements FlowableEventListener {

    private static final int MAX_USER = 255;

    private static final Logger log = LoggerFactory.getLogger(DiscardListener.class);

    private final Consumer<Lane> relay;
    private final Consumer<InboxEvent> events;

    /**
     * @param relay hears of lanes whose held-back rows may go on, after the commit and in the committing thread; must neither
     *     block nor throw
     * @param events hears of discarded messages, in the same way
     */
    public DiscardListener(Consumer<Lane> relay, Consumer<InboxEvent> events) {
        this.relay = relay;
        this.events = events;
    }

    /** The events to register it for. */
    public static FlowableEventType[] types() {
        return new FlowableEventType[] {FlowableEngineEventType.JOB_CANCELED};
    }

    @Override
    public void onEvent(FlowableEvent event) {
        if (event instanceof FlowableEntityEvent deleted
                && deleted.getEntity() instanceof Job job
                && JobIds.isOurs(job.getJobHandlerType())) {
            discard(
                    InboxSession.of(Context.getCommandContext()),
                    Long.parseLong(job.getJobHandlerConfiguration()),
                    job.getId());
        }
    }

    private void discard(InboxSession session, long id, String jobId) {
        String user = Authentication.getAuthenticatedUserId();
        String by = user == null ? null : Keys.text(user, MAX_USER);
        if (session.mirrors().discard(id, jobId, by) != 1) {
            return; // it has been repaired, or is of another job by now
        }
        session.due().removeMatchKeys(id);
        for (Standing row : session.mirrors().find(List.of(id))) {
            AfterCommit.run(() -> {
                log.info(
                        "Message discarded by {}, who deleted its job ({})",
                        Keys.printable(by == null ? "an unknown user" : by),
                        row.describe());
                relay.accept(row.lane());
                events.accept(new InboxEvent.Discarded(InboxEvent.Message.of(row), null, by));
            });
        }
    }

    /** A row that can't be discarded must not lose its job. */
    @Override
    public boolean isFailOnException() {
        return true;
    }

    @Override
    public boolean isFireOnTransactionLifecycleEvent() {
        return false;
    }

    @Override
    public @Nullable String getOnTransaction() {
        return null;
    }
}
