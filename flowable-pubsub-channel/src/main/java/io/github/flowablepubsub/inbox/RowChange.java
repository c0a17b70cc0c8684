package io.github.flowablepubsub.inbox;

import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * New values of a row after a look at it. Columns that it does not name keep their value.
 *
 * @param state new state
 * @param reason why, null when there is nothing to say
 * @param nextAttempt when to look again, null keeps it
 * @param expiresAt end of its time to live
 * @param failedSince first process failure of this series
 * @param error what an operator should read
 * @param waiting since when it waits, null when it does so no longer
 * @param alarm the row has waited longer than {@code policy.buffer.alarmAfter}: this change raises the alarm, once
 * @param jobId the job that mirrors it from now on, null when none does
 */
public record RowChange(
        MessageState state,
        @Nullable Reason reason,
        @Nullable OffsetDateTime nextAttempt,
        @Nullable OffsetDateTime expiresAt,
        @Nullable OffsetDateTime failedSince,
        @Nullable String error,
        @Nullable Waiting waiting,
        boolean alarm,
        @Nullable String jobId) {

    /** Without a job, of a row that does not wait. */
    public RowChange(
            MessageState state,
            @Nullable Reason reason,
            @Nullable OffsetDateTime nextAttempt,
            @Nullable OffsetDateTime expiresAt,
            @Nullable OffsetDateTime failedSince,
            @Nullable String error) {
        this(state, reason, nextAttempt, expiresAt, failedSince, error, null, false, null);
    }

    /** The same, looked at again at this time. */
    public RowChange at(OffsetDateTime time) {
        return new RowChange(state, reason, time, expiresAt, failedSince, error, waiting, alarm, jobId);
    }

    /** The same for a row that waits. */
    public RowChange waiting(@Nullable Waiting since, boolean raised) {
        return new RowChange(state, reason, nextAttempt, expiresAt, failedSince, error, since, raised, jobId);
    }

    /** The same, with this job. */
    public RowChange withJob(@Nullable String id) {
        return new RowChange(state, reason, nextAttempt, expiresAt, failedSince, error, waiting, alarm, id);
    }
}
