package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.inbox.MirrorMapper.Facts;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.Objects;
import org.flowable.common.engine.impl.persistence.entity.ByteArrayEntity;
import org.flowable.common.engine.impl.persistence.entity.ByteArrayRef;
import org.flowable.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.flowable.job.api.Job;
import org.flowable.job.service.JobServiceConfiguration;
import org.flowable.job.service.impl.persistence.entity.AbstractRuntimeJobEntity;
import org.flowable.job.service.impl.persistence.entity.DeadLetterJobEntity;
import org.flowable.job.service.impl.persistence.entity.JobEntity;
import org.flowable.job.service.impl.persistence.entity.TimerJobEntity;
import org.jspecify.annotations.Nullable;

/** The engine's jobs, in the running command: they are written when it commits. Thread safe. */
final class EngineJobs {

    private final ProcessEngineConfigurationImpl engine;

    EngineJobs(ProcessEngineConfigurationImpl engine) {
        this.engine = engine;
    }

    /** A dead-letter job of a parked row. Neither scope, category, definition nor execution: it belongs to none. */
    void insertDeadLetter(String id, Facts row, JobText text) {
        DeadLetterJobEntity job = jobs().getDeadLetterJobEntityManager().create();
        fill(job, id, row, RetryHandler.PARKED);
        job.setJobType(Job.JOB_TYPE_MESSAGE);
        job.setRetries(0);
        job.setExceptionMessage(text.message());
        job.setExceptionByteArrayRef(bytes(text.parked()));
        jobs().getDeadLetterJobEntityManager().insert(job);
    }

    /** A timer job of a waiting row, due when the row expires: if it fires before the relay has seen that, the row is looked at. */
    void insertTimer(String id, Facts row, JobText text) {
        TimerJobEntity job = jobs().getTimerJobEntityManager().create();
        fill(job, id, row, LookHandler.WAITING);
        job.setJobType(Job.JOB_TYPE_TIMER);
        job.setRetries(engine.getAsyncExecutorNumberOfRetries());
        job.setDuedate(Date.from(Objects.requireNonNull(row.expiresAt()).toInstant()));
        job.setExceptionMessage(text.message());
        job.setExceptionByteArrayRef(bytes(text.waiting()));
        jobs().getTimerJobEntityManager().insert(job);
    }

    private static void fill(AbstractRuntimeJobEntity job, String id, Facts row, String handler) {
        job.setId(id);
        job.setCorrelationId(JobIds.correlationId(row.id()));
        job.setJobHandlerType(handler);
        job.setJobHandlerConfiguration(String.valueOf(row.id()));
        job.setExclusive(false);
        job.setElementId(JobText.plane(row.channelKey()));
        job.setElementName(row.eventKey() == null ? null : JobText.plane(row.eventKey()));
        job.setTenantId(JobText.plane(row.tenantId().strip()));
    }

    private ByteArrayRef bytes(String text) {
        ByteArrayEntity bytes = engine.getByteArrayEntityManager().create();
        bytes.setId(JobIds.newId());
        bytes.setName("stacktrace");
        bytes.setBytes(text.getBytes(StandardCharsets.UTF_8));
        engine.getByteArrayEntityManager().insert(bytes);
        return new ByteArrayRef(bytes.getId(), engine.getCommandExecutor());
    }

    /**
     * Removes a job that waits for a person or for its time. One that is being executed is left: it finds nothing to do, and
     * the executor removes it.
     */
    void remove(String id) {
        DeadLetterJobEntity deadLetter = jobs().getDeadLetterJobEntityManager().findById(id);
        if (deadLetter != null) {
            jobs().getDeadLetterJobEntityManager().delete(deadLetter);
            return;
        }
        TimerJobEntity timer = jobs().getTimerJobEntityManager().findById(id);
        if (timer != null && timer.getLockOwner() == null) {
            jobs().getTimerJobEntityManager().delete(timer);
        }
    }

    /** A job that is to be executed and that no executor has taken. */
    @Nullable
    JobEntity executable(String id) {
        JobEntity job = jobs().getJobEntityManager().findById(id);
        return job == null || job.getLockOwner() != null ? null : job;
    }

    void executed(JobEntity job) {
        jobs().getJobEntityManager().delete(job);
    }

    private JobServiceConfiguration jobs() {
        return engine.getJobServiceConfiguration();
    }
}
