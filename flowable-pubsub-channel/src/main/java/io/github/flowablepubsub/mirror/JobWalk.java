package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.JobMapper.JobRow;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.MirrorMapper.Standing;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Slow walks, a page at a time: over our dead-letter and timer jobs, for those whose row was deleted by plain SQL, has another
 * job, or is in another state; and over the parked and waiting rows that have a job, for those whose job is gone. Confined to its thread.
 */
final class JobWalk {

    private static final int PAGE = 500;

    private final InboxTransactions transactions;
    private final Mirrors mirrors;
    private String job = "";
    private String row = "";
    private String timer = "";
    private String waitingRow = "";

    JobWalk(InboxTransactions transactions, Mirrors mirrors) {
        this.transactions = transactions;
        this.mirrors = mirrors;
    }

    /**
     * The next page of each walk.
     *
     * @param begin false to go on only with walks that have begun and are not through
     */
    void step(boolean begin) {
        if (begin || !job.isEmpty()) {
            job = transactions.call(this::jobs);
        }
        if (begin || !row.isEmpty()) {
            row = transactions.call(this::rows);
        }
        if (begin || !timer.isEmpty()) {
            timer = transactions.call(this::timers);
        }
        if (begin || !waitingRow.isEmpty()) {
            waitingRow = transactions.call(this::waitingRows);
        }
    }

    private String jobs(InboxSession session) {
        List<JobRow> page = session.jobs().deadLetters(job.isEmpty() ? JobIds.FIRST : job, JobIds.LAST, PAGE);
        check(session, page);
        return page.size() < PAGE ? "" : page.get(PAGE - 1).correlationId();
    }

    private String timers(InboxSession session) {
        List<JobRow> page = session.jobs().timers(timer.isEmpty() ? JobIds.FIRST : timer, JobIds.LAST, PAGE);
        check(session, page);
        return page.size() < PAGE ? "" : page.get(PAGE - 1).correlationId();
    }

    /** A job of a parked message that was moved and failed is a timer job for a while. */
    private static MessageState right(JobRow found) {
        return found.handlerType().equals(LookHandler.WAITING) ? MessageState.WAITING : MessageState.PARKED;
    }

    /** Removes jobs whose row has another one, or is in another state; one that is open the relay is about to look at. */
    private void check(InboxSession session, List<JobRow> page) {
        if (page.isEmpty()) {
            return;
        }
        // Read after the jobs: one that is made meanwhile is not among them.
        Map<Long, Standing> rows = session
                .mirrors()
                .find(page.stream().map(JobIds::row).toList())
                .stream()
                .collect(Collectors.toMap(Standing::id, found -> found));
        for (JobRow found : page) {
            Standing standing = rows.get(JobIds.row(found));
            if (JobIds.row(found) < 0) {
                continue; // somebody else's
            }
            boolean linked = standing != null && found.id().equals(standing.jobId());
            if (!linked || standing == null) {
                mirrors.jobs().remove(found.id());
            } else if (standing.state() != right(found) && standing.state() != MessageState.OPEN) {
                mirrors.drop(session, standing.id(), found.id());
                lookAgain(session, standing);
            }
        }
    }

    private String rows(InboxSession session) {
        List<Standing> page = session.mirrors().parkedWithJob(row.isEmpty() ? " " : row, PAGE);
        unlinkMissing(session, page);
        return page.size() < PAGE ? "" : String.valueOf(page.get(PAGE - 1).jobId());
    }

    private String waitingRows(InboxSession session) {
        List<Standing> page = session.mirrors().waitingWithJob(waitingRow.isEmpty() ? " " : waitingRow, PAGE);
        unlinkMissing(session, page);
        return page.size() < PAGE ? "" : String.valueOf(page.get(PAGE - 1).jobId());
    }

    private static void unlinkMissing(InboxSession session, List<Standing> page) {
        if (page.isEmpty()) {
            return;
        }
        List<String> ids = page.stream().map(Standing::jobId).toList();
        Set<String> existing = new HashSet<>(session.jobs().existing(ids));
        for (Standing standing : page) {
            String id = String.valueOf(standing.jobId());
            if (!existing.contains(id) && session.mirrors().unlink(standing.id(), id) == 1) {
                lookAgain(session, standing);
            }
        }
    }

    /** A waiting row is given a new job by the relay, which looks at it; a parked one by {@link MissingJobs}. */
    private static void lookAgain(InboxSession session, Standing standing) {
        if (standing.state() == MessageState.WAITING) {
            session.due().open(standing.id());
        }
    }
}
