package io.github.flowablepubsub.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** db-scheduler with one-time tasks that do nothing, in its fastest polling strategy. It has no order per key. */
final class DbScheduler implements Side {

    private static final String[] TABLE = {
        """
        create table scheduled_tasks (
            task_name text not null,
            task_instance text not null,
            task_data bytea,
            execution_time timestamp with time zone not null,
            picked boolean not null,
            picked_by text,
            last_success timestamp with time zone,
            last_failure timestamp with time zone,
            consecutive_failures int,
            last_heartbeat timestamp with time zone,
            version bigint not null,
            priority smallint,
            primary key (task_name, task_instance))
        """,
        "create index execution_time_idx on scheduled_tasks (execution_time)",
        "create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)"
    };

    @Override
    public String name() {
        return "db-scheduler 16.12.0 (does not order, lock-and-fetch)";
    }

    @Override
    public Run run(Db db, int nodes, int threads, List<String> keys) throws Exception {
        db.sql(TABLE);
        Countdown countdown = new Countdown(keys.size());
        OneTimeTask<String> task =
                Tasks.oneTime("completion", String.class).execute((instance, context) -> countdown.one());
        List<HikariDataSource> pools = new ArrayList<>();
        List<Scheduler> schedulers = new ArrayList<>();
        try {
            for (int i = 0; i < nodes; i++) {
                pools.add(db.pool(threads + 3));
                schedulers.add(Scheduler.create(pools.get(i), task)
                        .schedulerName(new SchedulerName.Fixed("node" + i))
                        .threads(threads)
                        .pollingInterval(Duration.ofMillis(50))
                        .pollUsingLockAndFetch(4.0, 16.0)
                        .build());
            }
            List<TaskInstance<?>> instances = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                instances.add(task.instance(Integer.toString(i), Models.completion(keys.get(i))));
            }
            schedulers.get(0).scheduleBatch(instances, Instant.now().minusSeconds(60));
            db.sql("vacuum analyze");
            Cost.reset(db);
            long start = System.nanoTime();
            schedulers.forEach(Scheduler::start);
            double seconds = countdown.await(start);
            return new Run(seconds, Cost.of(db));
        } finally {
            schedulers.forEach(Scheduler::stop);
            pools.forEach(HikariDataSource::close);
        }
    }
}
