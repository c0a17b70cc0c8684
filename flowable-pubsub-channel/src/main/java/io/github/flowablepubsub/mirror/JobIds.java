package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.inbox.JobMapper.JobRow;
import java.util.UUID;

/**
 * How jobs of ours are told from others, and which row each is of: by their correlation id, in which every table of jobs has
 * an index. It survives moves between the tables. Letters and digits of a fixed length: all databases order them alike.
 */
final class JobIds {

    private static final String PREFIX = "flwpubsub";

    /** Before the first one. */
    static final String FIRST = PREFIX + "0";

    /** The last one. */
    static final String LAST = correlationId(Long.MAX_VALUE);

    private JobIds() {}

    /** Whether a handler of ours runs jobs of this type. */
    static boolean isOurs(String handlerType) {
        return RetryHandler.PARKED.equals(handlerType) || LookHandler.WAITING.equals(handlerType);
    }

    static String correlationId(long row) {
        return PREFIX + "%019d".formatted(row);
    }

    /** The row of a job that was found by its correlation id; -1 when it is not ours. */
    static long row(JobRow job) {
        String digits = job.correlationId()
                .substring(Math.min(PREFIX.length(), job.correlationId().length()));
        return job.correlationId().startsWith(PREFIX) && digits.matches("\\d{19}") ? Long.parseLong(digits) : -1;
    }

    /** Of our own making: a plain engine's generator takes a second connection in the middle of a transaction. */
    static String newId() {
        return UUID.randomUUID().toString();
    }
}
