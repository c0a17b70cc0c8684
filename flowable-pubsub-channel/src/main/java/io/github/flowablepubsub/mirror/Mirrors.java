package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.channel.ChannelPolicy;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.MirrorMapper.Facts;
import io.github.flowablepubsub.inbox.MirrorMapper.Standing;
import io.github.flowablepubsub.inbox.RowChange;
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
     * The change of a row with the job that it is to have. Written with the change itself: on PostgreSQL a parked row without
     * a job would leave remains in the index of those, even if it had none for a moment only.
     *
     * @param policy that holds for the row
     */
    public static RowChange plan(RowChange change, ChannelPolicy policy) {
        boolean job = change.state() == MessageState.PARKED && policy.parking().deadLetterJob();
        return job ? change.withJob(JobIds.newId()) : change;
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
        if (after != null && !after.equals(before)) {
            insert(session, row.id(), after);
        }
    }

    /** A row was just stored as parked. */
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

    private void insert(InboxSession session, long row, String jobId) {
        Facts facts = session.mirrors().facts(row, showPayload);
        if (facts == null) {
            throw new IllegalStateException("Inbox row " + row + " was just changed, and is not there");
        }
        jobs.insertDeadLetter(jobId, facts, new JobText(facts, showPayload));
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
