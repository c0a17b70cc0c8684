package io.github.flowablepubsub.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The head of each table: when, on what machine, with which database and settings. */
final class Environment {

    private static final List<String> SHOWN = List.of(
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "wal_sync_method",
            "shared_buffers",
            "max_wal_size",
            "autovacuum",
            "shared_preload_libraries");

    private Environment() {}

    static String describe(Postgres server) throws SQLException {
        StringBuilder text = new StringBuilder();
        text.append("date        ")
                .append(ZonedDateTime.now(ZoneId.systemDefault())
                        .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm z", Locale.ROOT)));
        text.append("\nmachine     ")
                .append(Runtime.getRuntime().availableProcessors())
                .append(" cores, ")
                .append(memory())
                .append(", ")
                .append(System.getProperty("os.name"))
                .append(' ')
                .append(System.getProperty("os.arch"));
        text.append("\nJDK         ")
                .append(System.getProperty("java.vendor"))
                .append(' ')
                .append(System.getProperty("java.runtime.version"))
                .append(", heap up to ")
                .append(Runtime.getRuntime().maxMemory() / 1024 / 1024)
                .append(" MB");
        Db db = server.create();
        text.append("\ndatabase    PostgreSQL ").append(db.text("show server_version"));
        text.append("\nsettings    ");
        for (String setting : SHOWN) {
            text.append(setting).append('=').append(db.text("show " + setting)).append(' ');
        }
        text.append("\none commit  ").append(commitCost(db));
        return text.append('\n').toString();
    }

    /** What a transaction of one small insert costs one connection, most of it the flush of the log. */
    private static String commitCost(Db db) throws SQLException {
        db.sql("create table PROBE (ID_ bigint)");
        List<Double> millis = new ArrayList<>();
        try (Connection connection = db.source().getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into PROBE values (1)")) {
            for (int i = 0; i < 300; i++) {
                long start = System.nanoTime();
                insert.executeUpdate();
                millis.add((System.nanoTime() - start) / 1e6);
            }
        }
        return String.format(
                Locale.ROOT,
                "%.2f ms (median of 300 inserts of one row, one connection; p99 %.2f ms)",
                Stats.percentile(millis, 50),
                Stats.percentile(millis, 99));
    }

    private static String memory() {
        Path info = Path.of("/proc/meminfo");
        if (!Files.exists(info)) {
            return "memory unknown";
        }
        try {
            for (String line : Files.readAllLines(info)) {
                if (line.startsWith("MemTotal:")) {
                    long kilobytes = Long.parseLong(line.replaceAll("\\D", ""));
                    return Math.round(kilobytes / 1024.0 / 1024.0) + " GB memory";
                }
            }
            return "memory unknown";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
