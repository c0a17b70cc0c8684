package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.MirrorMapper.JobRow;
import io.github.flowablepubsub.inbox.MirrorMapper.Standing;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Two slow walks, a page at a time: over our dead-letter jobs, for those whose row was deleted by plain SQL or has another job;
 * and over the parked rows that have a job, for those whose job is gone. Confined to its thread.
 */
final class JobWalk {

    private static final int PAGE = 500;

    private final InboxTransactions transactions;
    private final Mirrors mirrors;
    private String job = "";
    private String row = "";

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
    }

    private String jobs(InboxSession session) {
        List<JobRow> page = session.mirrors().deadLetters(job.isEmpty() ? JobIds.FIRST : job, JobIds.LAST, PAGE);
        if (page.isEmpty()) {
            return "";
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
            } else if (standing.state() != MessageState.PARKED) {
                mirrors.drop(session, standing.id(), found.id());
            }
        }
        return page.size() < PAGE ? "" : page.get(PAGE - 1).correlationId();
    }

    private String rows(InboxSession session) {
        List<Standing> page = session.mirrors().parkedWithJob(row.isEmpty() ? " " : row, PAGE);
        if (page.isEmpty()) {
            return "";
        }
        List<String> ids = page.stream().map(Standing::jobId).toList();
        Set<String> existing = new HashSet<>(session.mirrors().existing(ids));
        page.stream().filter(standing -> !existing.contains(standing.jobId())).forEach(standing -> session.mirrors()
                .unlink(standing.id(), String.valueOf(standing.jobId())));
        return page.size() < PAGE ? "" : String.valueOf(page.get(PAGE - 1).jobId());
    }
}
