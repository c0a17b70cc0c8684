package io.github.flowablepubsub.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** A PostgreSQL server for one benchmark, durable as in production. Its files are gone after the close. */
final class Postgres implements AutoCloseable {

    private static final Duration STOP = Duration.ofMinutes(3);

    private final EmbeddedPostgres server;
    private final Path data;

    private Postgres(EmbeddedPostgres server, Path data) {
        this.server = server;
        this.data = data;
    }

    /** Its files lie in a new directory in {@code -Dbench.data}, by default the directory for temporary files. */
    static Postgres start() throws IOException {
        Path parent = Path.of(System.getProperty("bench.data", System.getProperty("java.io.tmpdir")));
        Path data = Files.createTempDirectory(Files.createDirectories(parent), "bench-pg");
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("max_connections", "200")
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("shared_buffers", "1GB")
                .setServerConfig("max_wal_size", "4GB")
                .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                .setServerConfig("pg_stat_statements.max", "10000")
                .start();
        return new Postgres(server, data);
    }

    /** An empty database. */
    Db create() throws SQLException {
        String name = "b" + UUID.randomUUID().toString().replace("-", "");
        sql("create database " + name);
        Db db = new Db((PGSimpleDataSource) server.getDatabase("postgres", name));
        db.sql("create extension if not exists pg_stat_statements");
        return db;
    }

    void drop(Db db) throws SQLException {
        sql("drop database if exists " + db.source().getDatabaseName() + " with (force)");
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        server.close(); // gives up after seconds, while the server still writes its last checkpoint
        long deadline = System.nanoTime() + STOP.toNanos();
        while (Files.exists(data.resolve("postmaster.pid")) && System.nanoTime() < deadline) {
            java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
        }
        if (!Files.exists(data)) {
            return; // it has cleaned up itself
        }
        try (Stream<Path> files = Files.walk(data)) {
            List<File> all =
                    files.sorted(Comparator.reverseOrder()).map(Path::toFile).toList();
            all.stream().filter(file -> !file.delete()).forEach(file -> System.out.println("Left over: " + file));
        }
    }
}
