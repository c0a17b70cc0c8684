package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.JobMapper.JobRow;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.MirrorMapper.Standing;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.flowable.common.engine.api.FlowableOptimisticLockingException;
import org.flowable.job.service.impl.persistence.entity.JobEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs whose row neither is parked nor waits any more, as plain SQL repaired, finished or discarded it; and jobs that were moved where no
 * executor runs them. A look reads a page of each, from an index. Confined to its thread.
 */
final class LeftoverJobs {

    private static final int PAGE = 100;

    private static final Set<MessageState> OVER =
            EnumSet.of(MessageState.OPEN, MessageState.DONE, MessageState.DISCARDED);

    private static final Logger log = LoggerFactory.getLogger(LeftoverJobs.class);

    private final InboxTransactions transactions;
    private final Mirrors mirrors;
    private final RetryHandler handler;
    private final LookHandler look;
    private Set<String> waiting = Set.of();

    LeftoverJobs(InboxTransactions transactions, Mirrors mirrors, RetryHandler handler, LookHandler look) {
        this.transactions = transactions;
        this.mirrors = mirrors;
        this.handler = handler;
        this.look = look;
    }

    /** One page; returns whether another look at once is worth it. */
    boolean step() {
        List<Long> ids = transactions.call(session -> session.mirrors().withJobNoMore(PAGE));
        if (ids.isEmpty()) {
            return false;
        }
        int dropped = transactions.call(session -> {
            int count = 0;
            for (Standing row : session.mirrors().lock(ids)) {
                String job = row.jobId();
                if (job != null && OVER.contains(row.state())) {
                    mirrors.drop(session, row.id(), job);
                    count++;
                }
            }
            return count;
        });
        return dropped > 0 && ids.size() >= PAGE;
    }

    /**
     * Runs jobs of ours that wait to be executed since the last call: no node has an executor, or none that takes them. An
     * executor that is faster wins.
     *
     * @param any whether there are any
     * @return whether some wait
     */
    boolean executeWaiting(boolean any) {
        List<JobRow> found = any
                ? transactions.call(session -> session.jobs().executable(JobIds.FIRST, JobIds.LAST, PAGE))
                : List.of();
        Set<String> stillWaiting = new HashSet<>();
        for (JobRow job : found) {
            if (!waiting.contains(job.id())) {
                stillWaiting.add(job.id());
            } else {
                execute(job);
            }
        }
        waiting = stillWaiting;
        return !waiting.isEmpty();
    }

    private void execute(JobRow found) {
        try {
            transactions.call(session -> {
                JobEntity job = mirrors.jobs().executable(found.id());
                if (job != null && JobIds.isOurs(job.getJobHandlerType())) {
                    if (LookHandler.WAITING.equals(job.getJobHandlerType())) {
                        look.execute(session, job);
                    } else {
                        handler.execute(session, job);
                    }
                    mirrors.jobs().executed(job);
                }
                return null;
            });
        } catch (FlowableOptimisticLockingException e) {
            log.debug("An executor has taken job {}", found.id(), e);
        } catch (RuntimeException e) {
            log.warn(
                    "Job {} of inbox row {} can't be executed, which is tried again: {}",
                    found.id(),
                    JobIds.row(found),
                    DatabaseFailures.summary(e));
        }
    }
}
