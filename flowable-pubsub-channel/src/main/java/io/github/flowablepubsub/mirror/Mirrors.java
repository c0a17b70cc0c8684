package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.channel.ChannelPolicy;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.MirrorMapper.Facts;
import io.github.flowablepubsub.inbox.MirrorMapper.Standing;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.inbox.Waiting;
import java.util.List;
import java.util.Objects;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;

/**
 * Keeps rows and the jobs that mirror them together: all of it in the running transaction of the engine, which changes both or
 * neither. Locks are taken in one order, the row's before the job's. Thread safe.
 */
public final class Mirrors {

    private final EngineJobs jobs;
    private final boolean showPayload;

    /** With the jobs of this engine. */
    public Mirrors(ProcessEngineConfigurationImpl engine, MirrorSettings settings) {
        this.jobs = new EngineJobs(engine);
        this.showPayload = settings.showPayload();
    }

    /**
     * The change of a row with the job that it is to have: a parked row a dead-letter job, and one that has raised the alarm
     * and waits a timer job, the same as long as its time to live is the same. None while its receiver is suspended: that has no
     * end. Written with the change itself: on PostgreSQL a parked row without a job would leave remains in the index of those,
     * even if it had none for a moment only.
     *
     * @param row as it was read
     * @param policy that holds for the row
     */
    public static RowChange plan(InboxRow row, RowChange change, ChannelPolicy policy) {
        boolean waits = isAlarmed(change);
        if (!policy.parking().deadLetterJob() || !(waits || change.state() == MessageState.PARKED)) {
            return change;
        }
        boolean keeps = waits && !change.alarm() && Objects.equals(row.expiresAt(), change.expiresAt());
        return change.withJob(keeps && row.jobId() != null ? row.jobId() : JobIds.newId());
    }

    private static boolean isAlarmed(RowChange change) {
        Waiting waiting = change.waiting();
        return change.state() == MessageState.WAITING
                && change.reason() != Reason.SUSPENDED
                && waiting != null
                && waiting.alarmedAt() != null;
    }

    /**
     * Makes the job that was planned, and removes the one that the row had.
     *
     * @param row as it was read
     * @param change what was written
     */
    public void follow(InboxSession session, InboxRow row, RowChange change) {
        String before = row.jobId();
        String after = change.jobId();
        if (before != null && !before.equals(after)) {
            jobs.remove(before);
        }
        if (after == null) {
            return;
        }
        if (change.state() == MessageState.PARKED) {
            insert(session, row.id(), after);
        } else if (!after.equals(before)
                || session.jobs().existing(List.of(after)).isEmpty()) {
            Facts facts = facts(session, row.id());
            jobs.insertTimer(after, facts, new JobText(facts, showPayload));
        }
    }

    /** A row was just parked: stored so, or by hand. */
    public void parked(InboxSession session, long row, ChannelPolicy policy) {
        if (policy.parking().deadLetterJob()) {
            create(session, row);
        }
    }

    /**
     * Gives a parked row its dead-letter job, unless it has one, or is parked no longer.
     *
     * @return whether it was given one
     */
    boolean create(InboxSession session, long row) {
        String jobId = JobIds.newId();
        if (session.mirrors().link(row, MessageState.PARKED, jobId) != 1) {
            return false;
        }
        insert(session, row, jobId);
        return true;
    }

    private Facts facts(InboxSession session, long row) {
        Facts facts = session.mirrors().facts(row, showPayload);
        if (facts == null) {
            throw new IllegalStateException("Inbox row " + row + " was just changed, and is not there");
        }
        return facts;
    }

    private void insert(InboxSession session, long row, String jobId) {
        Facts facts = facts(session, row);
        jobs.insertDeadLetter(jobId, facts, new JobText(facts, showPayload));
    }

    /** A person has just changed the row: whatever job it has goes. */
    public void forget(InboxSession session, long row) {
        for (Standing standing : session.mirrors().find(List.of(row))) {
            String jobId = standing.jobId();
            if (jobId != null) {
                drop(session, row, jobId);
            }
        }
    }

    /** The row has this job no longer, and the job goes. */
    void drop(InboxSession session, long row, String jobId) {
        session.mirrors().unlink(row, jobId);
        jobs.remove(jobId);
    }

    /** A job of this row runs right now: the row forgets it, and any other job that it has goes. */
    void executed(InboxSession session, Standing row, String jobId) {
        String linked = row.jobId();
        if (jobId.equals(linked)) {
            session.mirrors().unlink(row.id(), jobId);
        } else if (linked != null) {
            drop(session, row.id(), linked);
        }
    }

    EngineJobs jobs() {
        return jobs;
    }
}
