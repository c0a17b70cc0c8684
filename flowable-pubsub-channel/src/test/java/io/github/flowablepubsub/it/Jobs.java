package io.github.flowablepubsub.it;

import java.util.List;
import java.util.Objects;
import org.flowable.engine.ManagementService;
import org.flowable.job.api.Job;
import org.jspecify.annotations.Nullable;

/** The engine's jobs, as admin tools see them, and which row has which. */
final class Jobs {

    private final Lab lab;

    Jobs(Lab lab) {
        this.lab = lab;
    }

    ManagementService management() {
        return lab.node.engine.getManagementService();
    }

    /** {@code JOB_ID_} of a row. */
    @Nullable
    String idOf(long row) {
        List<String> ids =
                lab.database.strings("select coalesce(JOB_ID_, '-') from FLW_PUBSUB_INBOX where ID_ = " + row);
        return ids.isEmpty() || ids.get(0).equals("-") ? null : ids.get(0);
    }

    /** The dead-letter job of a row that must have one. */
    Job deadLetter(long row) {
        String id = Objects.requireNonNull(idOf(row), "row " + row + " has no job");
        return Objects.requireNonNull(
                management().createDeadLetterJobQuery().jobId(id).singleResult(), "no dead-letter job " + id);
    }

    /** Jobs of a row in any of the engine's tables. */
    long count(long row) {
        long count = 0;
        for (String table : List.of("ACT_RU_DEADLETTER_JOB", "ACT_RU_JOB", "ACT_RU_TIMER_JOB")) {
            count += lab.database.count(table, "HANDLER_CFG_ = '" + row + "' and HANDLER_TYPE_ like 'pubsub-%'");
        }
        return count;
    }

    /** Waits for the row to have a dead-letter job, and no other one. */
    Job awaitDeadLetter(long row) {
        Lab.eventually("a job of row " + row, () -> idOf(row) != null && count(row) == 1);
        return deadLetter(row);
    }

    /** Waits for the row, if there is one, to have no job any more. */
    void awaitNone(long row) {
        Lab.eventually("no job of row " + row, () -> idOf(row) == null && count(row) == 0);
    }
}
