package io.github.flowablepubsub.bench;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** Runs the benchmark that {@code -Dbench} names, on a PostgreSQL server of its own, and prints its table. */
public final class Bench {

    /** A benchmark; throws when it could not measure. */
    @FunctionalInterface
    interface Program {
        Report run(Postgres server) throws Exception;
    }

    private Bench() {}

    private static Map<String, Program> programs() {
        Map<String, Program> programs = new LinkedHashMap<>();
        programs.put("relay", RelayBench::run);
        programs.put("claim", ClaimBench::run);
        programs.put("wakeup", WakeUpBench::run);
        programs.put("store", StoreBench::run);
        programs.put("latency", LatencyBench::run);
        programs.put("ordered", OrderedBench::run);
        programs.put("snapshot", SnapshotBench::run);
        programs.put("idle", IdleBench::run);
        return programs;
    }

    private static void quiet(String logger, Level level) {
        ((Logger) LoggerFactory.getLogger(logger)).setLevel(level);
    }

    /** One table per name; names are separated by commas. */
    public static void main(String[] args) throws Exception {
        quiet("io.zonky", Level.OFF); // it can't wait for its server's last checkpoint, ours does
        quiet("com.zaxxer", Level.ERROR);
        quiet("io.github.flowablepubsub", Level.WARN);
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none"); // else Boot starts logging anew
        String wanted = System.getProperty("bench", "");
        Map<String, Program> programs = programs();
        for (String name : wanted.split(",", -1)) {
            Program program = programs.get(name);
            if (program == null) {
                throw new IllegalArgumentException("-Dbench=" + wanted + ": allowed are " + programs.keySet());
            }
            try (Postgres server = Postgres.start()) {
                System.out.println(Environment.describe(server));
                Report report = program.run(server);
                System.out.println(report.text());
            }
        }
    }
}
